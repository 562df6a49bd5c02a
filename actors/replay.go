package actors

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A Replayed is a session as it was: the fold of its log up to an index, whose event
// is part of it.
type Replayed struct {
	SessionID string
	Index     uint64
	// Status is one of session.Status…, TurnID the turn that runs, is parked, or waits
	// first for its place; empty: none does.
	Status string
	TurnID string
	// OpenCalls have no result yet: those of the turn and of its subagents, and direct ones.
	OpenCalls []OpenCall
	// Approvals are those of the open calls that wait for a person's decision.
	Approvals []OpenApproval
	// Usage is that of all steps and compactions, without those that a fork copied.
	Usage events.Usage
}

// An OpenCall is a call without a result.
type OpenCall struct {
	events.Call
	// TurnID is empty for a direct call.
	TurnID string
	// Parked says that it waits for a person.
	Parked bool
}

// An OpenApproval is a decision that is waited for.
type OpenApproval struct {
	RequestID   string
	Call        OpenCall
	RequestedAt time.Time
	ExpiresAt   *time.Time
}

// State gives a session as it was after the event of an index; an index past the log is
// an *IndexError. It reads the log and wakes nobody. Places of a log that was asked for
// are kept for a while, so that asking for one index after the other is cheap.
func (h *Host) State(ctx context.Context, sessionID string, index uint64) (Replayed, error) {
	if _, err := h.Session(ctx, sessionID); err != nil {
		return Replayed{}, err
	}
	head, err := h.journal.Head(sessionID)
	switch {
	case err != nil:
		return Replayed{}, refusal(err)
	case index >= head:
		return Replayed{}, &IndexError{Index: index, Next: head}
	}
	f := h.replays.near(sessionID, index+1)
	for f.core.Next <= index {
		lines, err := h.journal.ReadSome(sessionID, f.core.Next, index+1)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return Replayed{}, refusal(err)
		}
		for i := range lines {
			if err := f.fold(lines[i].Data); err != nil {
				return Replayed{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
			}
			h.replays.pass(sessionID, f)
		}
	}
	return f.replayed(sessionID), nil
}

// A replay folds a log into what State tells.
type replay struct {
	core  *session.Session
	usage events.Usage
	asked map[string]time.Time // approval request → when it was asked for
}

func newReplay() *replay {
	return &replay{core: session.New(session.Config{}), asked: map[string]time.Time{}}
}

func (f *replay) fold(line []byte) error {
	if err := f.core.Fold(line); err != nil {
		return err
	}
	switch events.TypeOf(line) {
	case "step.completed", "context.compacted", "input.requested", "input.resolved", "turn.completed", "turn.failed":
	default:
		return nil
	}
	e, err := events.Decode(line)
	if err != nil {
		return err
	}
	switch d := e.Data.(type) {
	case *events.StepCompleted:
		f.count(e, d.Usage)
	case *events.ContextCompacted:
		f.count(e, d.Usage)
	case *events.InputRequested:
		f.asked[d.RequestID] = e.At
	case *events.InputResolved:
		delete(f.asked, d.RequestID)
	default:
		clear(f.asked)
	}
	return nil
}

// count adds what was used, unless a fork copied it.
func (f *replay) count(e *events.Event, u *events.Usage) {
	if u != nil && e.Index >= f.core.Copied {
		f.usage.Add(*u)
	}
}

// copy gives a replay that goes on by itself, and about how large it is.
func (f *replay) copy() (*replay, int) {
	state, size := f.core.State.Clone()
	return &replay{core: session.Restore(session.Config{}, state), usage: f.usage, asked: maps.Clone(f.asked)}, size
}

func (f *replay) replayed(id string) Replayed {
	s := &f.core.State
	r := Replayed{SessionID: id, Index: s.Next - 1, Status: s.Status(), TurnID: s.OpenTurn(), Usage: f.usage}
	for turn, c := range s.OpenCalls() {
		open := OpenCall{Call: c.Call, TurnID: turn, Parked: c.Status == session.CallParked}
		open.Args = slices.Clone(open.Args)
		r.OpenCalls = append(r.OpenCalls, open)
		if open.Parked && !c.Asks() {
			r.Approvals = append(r.Approvals, OpenApproval{RequestID: c.RequestID, Call: open, RequestedAt: f.asked[c.RequestID], ExpiresAt: c.ExpiresAt})
		}
	}
	return r
}

package actors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A NewFork opens a session with the history of another.
type NewFork struct {
	// SessionID is the session that is forked, Index a point of its log: the fork has
	// all events up to the end of the last turn that had ended there.
	SessionID string
	Index     uint64
	// Principal owns the fork. Defaults to the owner of the session.
	Principal events.Principal
	// ChannelID is "http", the default, or "cli".
	ChannelID   string
	Idempotency *events.Idempotency
}

// A Forked says where a fork is; for a repeated idempotency key, where the first one is.
type Forked struct {
	SessionID string
	// Index is the last one whose event was copied; 0: no turn had ended.
	Index uint64
	// FollowUps is the n of the fork's HTTP token.
	FollowUps int
	// Position is what a view must have folded to show the fork.
	Position uint64
}

// An IndexError says that a log has no event of an index yet.
type IndexError struct{ Index, Next uint64 }

// Error is one sentence.
func (e *IndexError) Error() string {
	return fmt.Sprintf("actors: there is no event %d: the log ends before %d", e.Index, e.Next)
}

// Fork opens a chat with the same history as a session has, up to the end of the last
// turn that had ended at an index; its owner is that of the session.
// See ForkAs.
func (h *Host) Fork(ctx context.Context, sessionID string, index uint64) (Forked, error) {
	return h.ForkAs(ctx, NewFork{SessionID: sessionID, Index: index})
}

// ForkAs is Fork for another owner. It returns when the whole fork is on disk; before
// that nobody finds it, and a crash leaves none of it or, by the next start, all.
//
// The fork is a chat, also of a task, and belongs to no channel of an author. It keeps
// purpose, title, dryRun, asOf, the stubs and the model of an eval, and the folder of
// the user's that the session worked in; a folder of the session's own is copied as it
// is now, and so are its files. Messages that waited, direct calls that ran and armed
// reminders are closed in the fork. An index past the log is an *IndexError.
func (h *Host) ForkAs(ctx context.Context, f NewFork) (Forked, error) {
	if err := h.Admit(); err != nil {
		return Forked{}, err
	}
	if f.ChannelID == "" {
		f.ChannelID = "http"
	}
	if !slices.Contains([]string{"http", "cli"}, f.ChannelID) {
		return Forked{}, &FieldError{Field: "channelId", Reason: fmt.Sprintf("%q: a fork belongs to http or cli", f.ChannelID)}
	}
	return once(ctx, h, f.Idempotency, func(ctx context.Context) (Forked, error) { return h.fork(ctx, &f) }, func(e *events.Event) (Forked, error) {
		return h.wholeFork(ctx, e.SessionID)
	})
}

// fork finds out whether everything is there that is to be copied, and copies it.
func (h *Host) fork(ctx context.Context, f *NewFork) (Forked, error) {
	start, err := h.visible(f.SessionID)
	if err != nil {
		return Forked{}, err
	}
	if !h.agents.lists(start.Agent) {
		return Forked{}, ErrUnknownAgent
	}
	cut, err := h.cutAt(f.SessionID, f.Index)
	if err != nil {
		return Forked{}, err
	}
	id := h.newID(events.SessionPrefix)
	return holding(ctx, h, forkKey(id), func(ctx context.Context) (Forked, error) {
		return h.makeFork(ctx, id, forkedStart(start, f, cut), f.Idempotency)
	})
}

// forkedStart is the first event of a fork.
func forkedStart(of *events.SessionStarted, f *NewFork, cut uint64) *events.SessionStarted {
	start := *of
	start.ChannelID, start.Mode = f.ChannelID, events.ModeChat
	if f.Principal != (events.Principal{}) {
		start.Principal = f.Principal
	}
	start.ContinuationToken, start.Schedule = "", nil
	start.ForkedFrom = &events.ForkRef{SessionID: f.SessionID, Index: cut}
	return &start
}

// cutAt is the index of the last turn's end up to an index; 0: none had ended.
func (h *Host) cutAt(id string, index uint64) (cut uint64, err error) {
	now, err := h.StateAt(id, math.MaxUint64)
	switch {
	case err != nil:
		return 0, err
	case now.Ended == session.StatusDeleted:
		return 0, ErrDeleted
	case index >= now.Next:
		return 0, &IndexError{Index: index, Next: now.Next}
	}
	for core := session.New(session.Config{}); core.Next <= index; { // all of it is read: a log that cannot be copied is found here
		lines, err := h.journal.ReadSome(id, core.Next, index+1)
		if err != nil {
			return 0, refusal(err)
		}
		for i := range lines {
			if t := events.TypeOf(lines[i].Data); t == "turn.completed" || t == "turn.failed" {
				cut = core.Next
			}
			if err := core.Fold(lines[i].Data); err != nil {
				return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
			}
		}
	}
	return cut, nil
}

// forkKey is held by who makes a fork.
func forkKey(id string) string { return "fork/" + id }

// isWhole says whether all of a session is there that there should be: a fork is
// known to nobody before its history was copied, and closed.
func (h *Host) isWhole(id string, start *events.SessionStarted) (bool, error) {
	if start.ForkedFrom == nil {
		return true, nil
	}
	head, err := h.journal.Head(id)
	return head > start.Copied(), err
}

// visible reads the first event of a session that is whole.
func (h *Host) visible(id string) (*events.SessionStarted, error) {
	if !events.IsSessionID(id) {
		return nil, ErrUnknownSession
	}
	start, err := h.startedOf(id)
	whole := true
	if err == nil {
		whole, err = h.isWhole(id, start)
	}
	switch {
	case errors.Is(err, ErrUnknownSession), err == nil && !whole:
		return nil, ErrUnknownSession
	case err != nil:
		h.degraded.Store(true)
		h.o.Logger.Error().Str("session", id).Err(err).Msg("a session's log cannot be read")
		return nil, errors.Join(ErrCorrupt, err)
	}
	return start, nil
}

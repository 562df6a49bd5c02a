package projections

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/gobdk/bdk/events"
)

// An Approval is a call that stands until a person decides.
type Approval struct {
	RequestID    string         `json:"requestId"`
	CallID       string         `json:"callId"`
	ToolName     string         `json:"toolName"`
	Args         events.RawJSON `json:"args"`
	TurnID       string         `json:"turnId"`
	ParentCallID string         `json:"parentCallId,omitempty"`
	RequestedAt  time.Time      `json:"requestedAt"`
	ExpiresAt    *time.Time     `json:"expiresAt,omitempty"`
}

// approvals is the built-in projection behind GET …/approvals.
//
// Its key space, layout 1: an id holds the session's pending approvals as a JSON
// array, oldest first; a session without any has no row.
type approvals struct{}

// Name is "approvals".
func (approvals) Name() string { return nameApprovals }

// Version is the version of the fold and of its layout.
func (approvals) Version() int { return 1 }

// Apply adds what is asked for, and removes what was decided, answered, or ended with its turn.
func (approvals) Apply(w *Writer, e *events.Event) error {
	var gone func(a *Approval) bool
	switch d := e.Data.(type) {
	case *events.SessionStarted:
		w.put(e.SessionID, nil) // its first event: there is nothing to look for in the store
		return nil
	case *events.InputRequested:
		if d.Kind != events.KindApproval {
			return nil
		}
		return changePending(w, e.SessionID, func(p []Approval) []Approval { return append(p, newApproval(e, d)) })
	case *events.InputResolved:
		gone = func(a *Approval) bool { return a.CallID == d.CallID }
	case *events.ActionResult:
		gone = func(a *Approval) bool { return a.CallID == d.CallID }
	case *events.TurnCompleted, *events.TurnFailed:
		gone = func(a *Approval) bool { return a.TurnID == e.TurnID }
	case *events.SessionCompleted, *events.SessionFailed, *events.SessionDeleted:
		gone = func(*Approval) bool { return true }
	default:
		return nil
	}
	return changePending(w, e.SessionID, func(p []Approval) []Approval {
		return slices.DeleteFunc(p, func(a Approval) bool { return gone(&a) })
	})
}

func newApproval(e *events.Event, d *events.InputRequested) Approval {
	a := Approval{
		RequestID: valid(d.RequestID), CallID: valid(d.CallID), ToolName: valid(d.ToolName), Args: d.Args,
		TurnID: valid(e.TurnID), ParentCallID: valid(d.ParentCallID), RequestedAt: instant(e.At),
	}
	if d.ExpiresAt != nil {
		at := d.ExpiresAt.UTC()
		a.ExpiresAt = &at
	}
	return a
}

// pending is a session's row; stored says that the store has one.
type pending struct {
	list   []Approval
	stored bool
}

// changePending gives f a list of its own.
func changePending(w *Writer, id string, f func([]Approval) []Approval) error {
	old, err := load(w, id, readPending)
	if err != nil {
		return err
	}
	if old == nil {
		old = &pending{}
	}
	list := f(slices.Clone(old.list))
	if len(list) == len(old.list) {
		return nil
	}
	w.put(id, &pending{list: list, stored: old.stored})
	return nil
}

func (p *pending) flush(w *Writer, id string) error {
	if len(p.list) == 0 {
		if p.stored {
			w.Delete([]byte(id))
		}
		p.stored = false
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // arguments come back as they were sent
	if err := enc.Encode(p.list); err != nil {
		return fmt.Errorf("projections: encoding approvals: %w", err)
	}
	w.Set([]byte(id), bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	p.stored = true
	return nil
}

func readPending(w *Writer, id string) (*pending, error) {
	b, ok, err := w.Get([]byte(id))
	if err != nil {
		return nil, err
	}
	if !ok {
		w.put(id, nil)
		return nil, nil
	}
	list, err := decodeApprovals(b)
	return &pending{list: list, stored: true}, err
}

func decodeApprovals(b []byte) ([]Approval, error) {
	var list []Approval
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, errRow
	}
	return list, nil
}

// Approvals lists the pending ones of a session, oldest first.
func (v *Views) Approvals(ctx context.Context, sessionID string) ([]Approval, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("projections: reading approvals: %w", err)
	}
	b, ok, err := v.Reader(nameApprovals).Get([]byte(sessionID))
	if err != nil {
		return nil, fmt.Errorf("projections: reading approvals: %w", err)
	}
	if !ok {
		return []Approval{}, nil
	}
	return decodeApprovals(b)
}

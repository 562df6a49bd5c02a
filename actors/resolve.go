package actors

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A Decision resolves a parked call.
type Decision struct {
	// Decision is events.DecisionApprove or events.DecisionDeny.
	Decision    string
	Reason      string
	By          events.Principal
	Idempotency *events.Idempotency
}

// A Resolved says what holds for the call now.
type Resolved struct {
	CallID   string
	Decision string
	Position uint64
}

// ResolveApproval applies a decision, once: the same again gives the same answer,
// the other one ErrAlreadyResolved.
func (h *Host) ResolveApproval(ctx context.Context, sessionID, callID string, d Decision) (Resolved, error) {
	by := d.By
	in := &session.Decide{CallID: callID, Decision: d.Decision, By: &by, Reason: d.Reason, Idempotency: d.Idempotency}
	return once(ctx, h, d.Idempotency,
		func(ctx context.Context) (Resolved, error) { return h.resolve(ctx, sessionID, in) },
		func(e *events.Event) (Resolved, error) {
			out := Resolved{CallID: callID, Decision: d.Decision, Position: h.journal.Position()}
			if r, ok := e.Data.(*events.InputResolved); ok {
				out.CallID, out.Decision = r.CallID, r.Decision
			}
			return out, nil
		})
}

func (h *Host) resolve(ctx context.Context, id string, in *session.Decide) (Resolved, error) {
	r, err := h.ask(ctx, &command{id: id, inputs: []session.Input{in}})
	if errors.Is(err, ErrUnknownCall) { // not of the newest step: the log knows
		err = h.settledInLog(id, in)
		r.position = h.journal.Position()
	}
	if err != nil {
		return Resolved{}, err
	}
	return Resolved{CallID: in.CallID, Decision: in.Decision, Position: r.position}, nil
}

// settledInLog looks for an earlier decision about a call.
func (h *Host) settledInLog(id string, in *session.Decide) error {
	head, err := h.journal.Head(id)
	if err != nil {
		return err
	}
	for at := uint64(0); at < head; {
		lines, err := h.journal.ReadSome(id, at, head)
		if err != nil {
			return refusal(err)
		}
		if len(lines) == 0 {
			return ErrUnknownCall
		}
		at += uint64(len(lines))
		for i := range lines {
			if events.TypeOf(lines[i].Data) != "input.resolved" {
				continue
			}
			e, err := events.Decode(lines[i].Data)
			if err != nil {
				return errors.Join(ErrCorrupt, err)
			}
			if d, ok := e.Data.(*events.InputResolved); ok && d.CallID == in.CallID {
				return refusal(session.Settled(d.Decision, in.Decision))
			}
		}
	}
	return ErrUnknownCall
}

package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// answeredAgain gives the answer of a direct call whose key is repeated: its
// result from the log, waiting for one that is still to come.
func (h *Host) answeredAgain(ctx context.Context, e *events.Event) (ToolAnswer, error) {
	callID := ""
	switch d := e.Data.(type) {
	case *events.ToolCalled:
		callID = d.CallID
	case *events.ActionsRequested:
		callID = d.Calls[0].CallID
	default:
		return ToolAnswer{}, fmt.Errorf("actors: the key is held by %s: %w", e.Type, ErrIdempotencyMismatch)
	}
	for lines, err := range h.journal.Follow(ctx, e.SessionID, e.Index+1) {
		if err != nil {
			return ToolAnswer{}, refusal(err)
		}
		for i := range lines {
			r, err := events.Decode(lines[i].Data)
			if err != nil {
				return ToolAnswer{}, errors.Join(ErrCorrupt, err)
			}
			if a, ok := resultOf(r, callID); ok {
				a.Duration, a.Position, a.Long = r.At.Sub(e.At), h.journal.Position(), longOf(callID, a.Result)
				return a, nil
			}
		}
	}
	return ToolAnswer{}, ctx.Err()
}

func resultOf(e *events.Event, callID string) (ToolAnswer, bool) {
	switch d := e.Data.(type) {
	case *events.ToolResult:
		return ToolAnswer{CallID: callID, Result: agent.Result{Output: d.Output, IsError: d.IsError, Code: d.Code}}, d.CallID == callID
	case *events.ActionResult:
		return ToolAnswer{CallID: callID, Result: agent.Result{Output: d.Output, IsError: d.IsError, Code: d.Code}, Stubbed: d.Stubbed}, d.CallID == callID
	}
	return ToolAnswer{}, false
}

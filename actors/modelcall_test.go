package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

// A model that calls directly is given no person's word: what needs approval is refused.
func TestCallTool_ModelNeedsApproval(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	call := actors.ToolCall{Agent: "tester", Name: "merge", Principal: local, Input: json.RawMessage(`{"n":7}`), Model: true}
	if _, err := h.host.CallTool(t.Context(), call); !errors.Is(err, actors.ErrNeedsApproval) || h.effects.Load() != 0 {
		t.Errorf("%v, and it ran %d times", err, h.effects.Load())
	}
	call.Name = "push"
	if a, err := h.host.CallTool(t.Context(), call); err != nil || a.Result.IsError || h.effects.Load() != 1 {
		t.Errorf("a call that needs none: %+v, %v", a, err)
	}
}

// S31: "closing the response stream cancels the call". What it had begun to write is
// not known; how it ended is in the log.
func TestCallTool_ModelIsGone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	for name, code := range map[string]string{"slow": events.CodeCancelled, "slowpush": events.CodeOutcomeUnknown} {
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan actors.ToolAnswer, 1)
		go func() {
			a, err := h.host.CallTool(ctx, actors.ToolCall{Agent: "tester", Name: name, Principal: local, Model: true})
			if err != nil {
				t.Error(err)
			}
			got <- a
		}()
		<-h.started
		cancel()
		a := <-got
		if !a.Result.IsError || a.Result.Code != code {
			t.Errorf("%s: %+v", name, a)
		}
		log := h.log("agt_tester")
		if d, ok := log[len(log)-1].Data.(*events.ToolResult); !ok || d.CallID != a.CallID || d.Code != code {
			t.Errorf("%s: the agent's log ends with %+v", name, log[len(log)-1].Data)
		}
	}
}

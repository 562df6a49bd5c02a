package actors_test

import (
	"context"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// channels.md: "waitForCompletion(): {status: "finished"|"failed"|"cancelled"|"parked", result?, errorMessage?}".
func TestHost_WaitTurn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	first := h.start("hello")
	done, err := h.host.WaitTurn(t.Context(), first.SessionID, first.TurnID)
	if err != nil || done.Status != agent.CompletionFinished || done.Reply != "I heard: hello" || string(done.Result) != `"I heard: hello"` {
		t.Errorf("a turn that ended: %+v, %v", done, err)
	}
	if _, err := h.host.Interrupt(t.Context(), first.SessionID, actors.Message{Text: "again"}); err != nil {
		t.Fatal(err)
	}
	if done, err = h.host.WaitTurn(t.Context(), first.SessionID, ""); err != nil || done.Reply != "I heard: again" {
		t.Errorf("the newest turn: %+v, %v", done, err)
	}
	if done, err = h.host.WaitTurn(t.Context(), first.SessionID, first.TurnID); err != nil || done.Reply != "I heard: hello" {
		t.Errorf("an earlier turn: %+v, %v", done, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.host.WaitTurn(over, first.SessionID, "turn_that_never_was"); err == nil {
		t.Error("a turn that is not there is waited for until the context ends, and nothing said so")
	}
}

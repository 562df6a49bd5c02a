package actors_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// long bounds what a test waits for.
const long = time.Minute

func (h *house) asked(a actors.Ask) actors.AskReply {
	h.t.Helper()
	a.Agent, a.Principal = "tester", local
	r, err := h.host.Ask(h.t.Context(), a)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *house) checked(id string, wait time.Duration) actors.AskReply {
	h.t.Helper()
	r, err := h.host.Check(h.t.Context(), actors.Check{Agent: "tester", SessionID: id, Principal: local, Wait: wait})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// connections.md: "ask … → {status, sessionId, continuationToken, reply?, errorMessage?}";
// sessions.md: "HTTP, MCP `ask` and channel `send` … open chats".
func TestAsk_NewSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	r := h.asked(actors.Ask{Message: "hello", Title: "A talk", Wait: long})
	if r.Status != agent.CompletionFinished || r.Reply != "I heard: hello" || r.ErrorMessage != "" {
		t.Errorf("%+v", r)
	}
	start := h.log(r.SessionID)[0].Data.(*events.SessionStarted)
	if start.ChannelID != "mcp" || start.Mode != events.ModeChat || start.Title != "A talk" || start.Principal != local {
		t.Errorf("the session began as %+v", start)
	}
	if got := h.checked(r.SessionID, long); got != r {
		t.Errorf("check says %+v, ask said %+v", got, r)
	}
}

// sessions.md: "Channel messages, reminders, `ask`, `stop`, decisions and direct calls
// neither use it up nor make it stale".
func TestAsk_LeavesTheTokenAsItIs(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	first := h.asked(actors.Ask{Message: "one", Wait: long})
	second := h.asked(actors.Ask{Message: "two", SessionID: first.SessionID, Wait: long})
	if second.SessionID != first.SessionID || second.Reply != "I heard: two" || second.ContinuationToken != first.ContinuationToken {
		t.Errorf("%+v, then %+v", first, second)
	}
	_, n, ok := h.host.ReadToken(first.ContinuationToken)
	if !ok {
		t.Fatal("the token is none of the host's")
	}
	a, err := h.host.Interrupt(t.Context(), first.SessionID, actors.Message{Text: "three", FollowUp: &n})
	if err != nil {
		t.Fatal("the token that ask gave is not the newest:", err)
	}
	if got := h.checked(first.SessionID, long); got.Reply != "I heard: three" || got.ContinuationToken != h.host.Token(first.SessionID, a.FollowUps) {
		t.Errorf("check after a follow-up: %+v", got)
	}
}

// connections.md: "on a busy session it queues"; "status: … running".
func TestAsk_QueuesBehindARunningTurn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	busy := h.asked(actors.Ask{Message: "slow"})
	if busy.Status != actors.AskRunning || busy.Reply != "" {
		t.Errorf("without a wait: %+v", busy)
	}
	<-h.started
	second := h.asked(actors.Ask{Message: "two", SessionID: busy.SessionID, Wait: time.Millisecond})
	if second.Status != actors.AskRunning {
		t.Errorf("behind a turn that runs: %+v", second)
	}
	close(h.gate)
	if got := h.checked(busy.SessionID, long); got.Status != agent.CompletionFinished || got.Reply != "I heard: two" {
		t.Errorf("the newest turn: %+v", got)
	}
	for _, e := range h.log(busy.SessionID) {
		if d, ok := e.Data.(*events.TurnFailed); ok {
			t.Errorf("the running turn was ended: %+v", d)
		}
	}
}

// "status: … parked|failed|cancelled".
func TestAsk_HowATurnEnds(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	parked := h.asked(actors.Ask{Message: "gated", Wait: long})
	if parked.Status != agent.CompletionParked || parked.Reply != "" {
		t.Errorf("a call that waits for approval: %+v", parked)
	}
	if behind := h.asked(actors.Ask{Message: "two", SessionID: parked.SessionID, Wait: time.Millisecond}); behind.Status != agent.CompletionParked {
		t.Errorf("behind a parked turn: %+v", behind)
	}
	stalled := h.asked(actors.Ask{Message: "stall"})
	if _, err := h.host.Stop(t.Context(), stalled.SessionID); err != nil {
		t.Fatal(err)
	}
	if got := h.checked(stalled.SessionID, long); got.Status != agent.CompletionCancelled || got.ErrorMessage == "" {
		t.Errorf("a stopped turn: %+v", got)
	}
}

// connections.md: "Ownership as on the HTTP routes."
func TestAsk_Ownership(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.asked(actors.Ask{Message: "mine", Wait: long}).SessionID
	other := events.Principal{Kind: "bearer", ID: "bearer"}
	for _, c := range []struct {
		agent, id string
		who       events.Principal
		want      error
	}{
		{"tester", id, other, actors.ErrForbidden},
		{"tester", "ses_01J0000000000000000000000A", local, actors.ErrUnknownSession},
		{"tester", "nonsense", local, actors.ErrUnknownSession},
		{"nobody", id, local, actors.ErrUnknownSession},
	} {
		if _, err := h.host.Ask(t.Context(), actors.Ask{Agent: c.agent, Message: "x", SessionID: c.id, Principal: c.who}); !errors.Is(err, c.want) {
			t.Errorf("ask %+v: %v", c, err)
		}
		if _, err := h.host.Check(t.Context(), actors.Check{Agent: c.agent, SessionID: c.id, Principal: c.who}); !errors.Is(err, c.want) {
			t.Errorf("check %+v: %v", c, err)
		}
	}
	if _, err := h.host.Check(t.Context(), actors.Check{Agent: "tester", SessionID: id, Principal: other, Operator: true}); err != nil {
		t.Error("an operator:", err)
	}
	if n := len(h.log(id)); n != int(h.until(id, "session.waiting").Index)+1 {
		t.Errorf("the session has %d events: a refused message was recorded", n)
	}
}

// The wait ends with the caller's context; the turn goes on.
func TestAsk_CallerIsGone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	var sent actors.Accepted
	got := make(chan error, 1)
	go func() {
		_, err := h.host.Ask(ctx, actors.Ask{Agent: "tester", Principal: local, Message: "slow", Wait: long, Accepted: func(a actors.Accepted) { sent = a }})
		got <- err
	}()
	<-h.started
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
	close(h.gate)
	if r := h.checked(sent.SessionID, long); r.Status != agent.CompletionFinished {
		t.Errorf("the turn of a caller that is gone: %+v", r)
	}
}

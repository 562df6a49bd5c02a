package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// "The order for one call: parse, asOf, effect, …, run": a direct call that asOf
// refuses is recorded with its result and never runs.
func TestHost_RefusedDirectCallDoesNotRun(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	asOf := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "hello", AsOf: &asOf})
	h.rest(a.SessionID, "waiting")
	for _, id := range []string{a.SessionID, ""} {
		got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "timedpush", Input: json.RawMessage(`{}`), SessionID: id, Principal: local})
		want := map[bool]string{true: events.CodeAsOf, false: ""}[id != ""]
		if err != nil || got.Result.Code != want {
			t.Errorf("bound to %q: %+v, %v", id, got, err)
		}
	}
	if h.effects.Load() != 1 {
		t.Errorf("the tool ran %d times, expected once, unbound", h.effects.Load())
	}
}

// A delivery id is once: a redelivery gives the first answer and harms nothing that runs.
func TestHost_DeliveryIsOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("slow")
	<-h.started
	m := actors.Message{Text: "again", From: events.FromChannel, DeliveryID: "d1"}
	first, err := h.host.Send(t.Context(), a.SessionID, m)
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.host.Send(t.Context(), a.SessionID, m)
	if err != nil || second.Index != first.Index {
		t.Errorf("%+v, %v; first was %+v", second, err, first)
	}
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	for _, e := range h.log(a.SessionID) {
		if e.Type == "turn.resumed" {
			t.Error("the redelivery cost the running turn its actor")
		}
	}
}

// A caller that goes away and comes back with its key gets the one answer.
func TestHost_KeyOfACancelledRequest(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	m := actors.Message{Text: "once", Idempotency: &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = h.host.Send(gone, a.SessionID, m)
	for {
		_, err := h.host.Send(t.Context(), a.SessionID, m)
		if err == nil {
			break
		}
		if !errors.Is(err, actors.ErrInFlight) {
			t.Fatal(err)
		}
		runtime.Gosched()
	}
	h.rest(a.SessionID, "waiting")
	n := 0
	for _, e := range h.log(a.SessionID) {
		if d, ok := e.Data.(*events.MessageReceived); ok && d.Text == "once" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the message is there %d times", n)
	}
}

// A direct call whose caller goes away is run and closed all the same; its key
// gives the answer.
func TestHost_DirectCallOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	gone, cancel := context.WithCancel(t.Context())
	call := actors.ToolCall{Agent: "tester", Name: "slow", Principal: local, Idempotency: &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}}
	var caller sync.WaitGroup
	caller.Go(func() { _, _ = h.host.CallTool(gone, call) })
	<-h.started
	cancel()
	caller.Wait()
	close(h.gate)
	for {
		got, err := h.host.CallTool(t.Context(), call)
		if errors.Is(err, actors.ErrInFlight) {
			continue
		}
		if err != nil || string(got.Result.Output) != `"slowly"` {
			t.Errorf("%+v, %v", got, err)
		}
		return
	}
}

// A model that gives what cannot be recorded fails its turn, and the session goes on.
func TestHost_UnrecordableStep(t *testing.T) {
	t.Parallel()
	bad := func(_ context.Context, r *model.Request, _ func(model.Delta)) (*model.Response, error) {
		res := &model.Response{Text: "ok", FinishReason: events.FinishStop}
		if r.Messages[len(r.Messages)-1].Text == "bad" {
			res.Provider = &events.Provider{Name: "p", Blocks: []json.RawMessage{json.RawMessage(`{no json`)}}
		}
		return res, nil
	}
	h := newHouse(t, actors.Options{Models: oneModel{funcModel(bad)}})
	a := h.start("bad")
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailInternal {
		t.Errorf("the turn failed with %+v", d)
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "good"}); err != nil {
		t.Fatal(err)
	}
	h.until(a.SessionID, "turn.completed")
	checkLog(t, h.log(a.SessionID))
}

// "crossing a money or token limit ends the turn … before the next model step",
// the first of a turn included.
func TestHost_SessionBudgetOverTurns(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{Agents: []*agent.Agent{{Slug: "x", Limits: agent.Limits{MaxSessionTokens: 5}}}})
	a := h.start("a message of some length")
	h.rest(a.SessionID, "waiting")
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "more"}); err != nil {
		t.Fatal(err)
	}
	out := h.rest(a.SessionID, "waiting")
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailBudget || out.Message == "" {
		t.Errorf("the second turn: %+v, %+v", d, out)
	}
}

// A refused interrupt changes nothing: the step's deltas go on.
func TestHost_RefusedInterruptLeavesTheStep(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	slowly := func(_ context.Context, _ *model.Request, emit func(model.Delta)) (*model.Response, error) {
		for range 2 {
			emit(model.Delta{Text: "word "})
			<-next
		}
		return &model.Response{Text: "word word ", FinishReason: events.FinishStop}, nil
	}
	h := newHouse(t, actors.Options{Models: oneModel{funcModel(slowly)}, DeltaWindow: -1})
	a := h.start("go")
	h.until(a.SessionID, "message.appended")
	stale := 7
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "x", FollowUp: &stale}); !errors.Is(err, actors.ErrStaleToken) {
		t.Fatal(err)
	}
	next <- struct{}{}
	next <- struct{}{}
	h.rest(a.SessionID, "waiting")
	if texts := appendedTexts(h.log(a.SessionID)); len(texts) != 2 {
		t.Errorf("the deltas are %q", texts)
	}
}

// A panic with a message waiting behind it: the turn fails, the next runs once.
func TestHost_PanicWithAQueue(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{Prices: poison{output: 4}}) // the tokens of "Slow is done."
	a := h.start("slow")
	<-h.started
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "a longer text waits"}); err != nil {
		t.Fatal(err)
	}
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	checkLog(t, h.log(a.SessionID))
	starts := 0
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailInternal {
		t.Errorf("the turn failed with %+v", d)
	}
	for _, e := range h.log(a.SessionID) {
		if d, ok := e.Data.(*events.StepStarted); ok && d.Attempt > 1 {
			starts++
		}
	}
	if starts != 0 {
		t.Errorf("%d steps were started again:\n%s", starts, h.story(a.SessionID))
	}
}

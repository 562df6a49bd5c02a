package actors_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "A plain turn: session.started, message.received, turn.started, step.started | …
// message.completed, step.completed, turn.completed, session.waiting."
func TestHost_PlainTurn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("hello")
	out := h.rest(a.SessionID, "waiting")
	if string(out.Result) != `"I heard: hello"` {
		t.Errorf("result is %s", out.Result)
	}
	h.expect(a.SessionID, "session.started", `message.received "hello"`, "turn.started", "step.started 1.1",
		`message.completed "I heard: hello" stop`, "step.completed", "turn.completed", "session.waiting")
	if a.Index != 1 || a.FollowUps != 0 {
		t.Errorf("accepted is %+v", a)
	}
	if got := h.journal.Metrics().Appends; got != 2 {
		t.Errorf("a plain turn without delay took %d appends, expected 2", got)
	}
}

// "Several calls of one step run side by side; each fails alone."
func TestHost_ParallelCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("two calls")
	h.rest(a.SessionID, "waiting")
	h.expect(a.SessionID, "session.started", `message.received "two calls"`, "turn.started", "step.started 1.1",
		`message.completed "Looking." tool-calls`, "step.completed", `actions.requested look{"n":1} look{"n":2}`,
		`action.result look {"n":1} `, `action.result look {"n":2} `, "step.started 2.1",
		`message.completed "Saw 1 and 2." stop`, "step.completed", "turn.completed", "session.waiting")
}

// "Arguments are parsed strictly … the tool does not run and the turn goes on."
// "Unknown tool: an error result that names near matches."
func TestHost_WrongCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("wrong")
	h.rest(a.SessionID, "waiting")
	var codes []string
	for _, e := range h.log(a.SessionID) {
		if d, ok := e.Data.(*events.ActionResult); ok {
			codes = append(codes, d.Code+" "+string(d.Output))
		}
	}
	if len(codes) != 2 || codes[0] != `unknown_tool "no tool is called \"lok\"; did you mean look?"` || codes[1][:13] != events.CodeInvalidInput {
		t.Errorf("results are %q", codes)
	}
}

// "The arguments shown are the arguments run." A decision is applied once; the
// same again gives the same answer, the other one is refused, also when the turn is over.
func TestHost_Approval(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("gated")
	h.rest(a.SessionID, "parked")
	d := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested)
	if string(d.Args) != `{"n":7}` || h.effects.Load() != 0 {
		t.Fatalf("parked with args %s after %d effects", d.Args, h.effects.Load())
	}
	var wins sync.WaitGroup
	for _, decision := range []string{"approve", "deny"} {
		for range 8 {
			wins.Go(func() {
				_, err := h.host.ResolveApproval(t.Context(), a.SessionID, d.CallID, actors.Decision{Decision: decision, By: local})
				if err != nil && !errors.Is(err, actors.ErrAlreadyResolved) {
					t.Error(err)
				}
			})
		}
	}
	wins.Wait()
	h.rest(a.SessionID, "waiting")
	if h.effects.Load() > 1 {
		t.Errorf("the tool ran %d times", h.effects.Load())
	}
	r := h.until(a.SessionID, "input.resolved").Data.(*events.InputResolved)
	other := map[string]string{"approve": "deny", "deny": "approve"}[r.Decision]
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, d.CallID, actors.Decision{Decision: other}); !errors.Is(err, actors.ErrAlreadyResolved) {
		t.Errorf("the other decision later: %v", err)
	}
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, d.CallID, actors.Decision{Decision: r.Decision}); err != nil {
		t.Errorf("the same decision later: %v", err)
	}
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, "call_none", actors.Decision{Decision: "deny"}); !errors.Is(err, actors.ErrUnknownCall) {
		t.Errorf("unknown call: %v", err)
	}
}

// "A chat message is never read as a decision": it interrupts, the call is cancelled.
func TestHost_MessageWhileParked(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("gated")
	h.rest(a.SessionID, "parked")
	call := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested).CallID
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "yes"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	if h.effects.Load() != 0 {
		t.Error("the tool ran")
	}
	_, err := h.host.ResolveApproval(t.Context(), a.SessionID, call, actors.Decision{Decision: "approve"})
	if !errors.Is(err, actors.ErrCallCancelled) {
		t.Errorf("a decision after the interrupt: %v", err)
	}
}

// "Interrupt: turn.failed{status:cancelled} of the old turn is recorded before the new
// message's turn starts; nothing from the old turn appears afterwards."
func TestHost_Interrupt(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("slow")
	<-h.started
	h.until(a.SessionID, "action.result")
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "never mind"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	h.expect(a.SessionID, "session.started", `message.received "slow"`, "turn.started", "step.started 1.1",
		`message.completed "Working." tool-calls`, "step.completed", `actions.requested slow{} look{"n":3}`, `action.result look {"n":3} `,
		`action.result slow "cancelled before it finished" cancelled`, "turn.failed cancelled interrupted",
		`message.received "never mind"`, "turn.started", "step.started 1.1", `message.completed "I heard: never mind" stop`,
		"step.completed", "turn.completed", "session.waiting")
}

// "POST …/stop … on an idle session a harmless 200 {stopped: false}."
func TestHost_Stop(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("stall")
	s, err := h.host.Stop(t.Context(), a.SessionID)
	if err != nil || !s.Stopped {
		t.Fatalf("stop: %+v, %v", s, err)
	}
	h.rest(a.SessionID, "waiting")
	if s, err = h.host.Stop(t.Context(), a.SessionID); err != nil || s.Stopped {
		t.Fatalf("stop of an idle session: %+v, %v", s, err)
	}
	if _, err := h.host.Stop(t.Context(), "ses_00000000000000000000000000"); !errors.Is(err, actors.ErrUnknownSession) {
		t.Errorf("stop of an unknown session: %v", err)
	}
}

// "It works exactly once: of many concurrent follow-ups with one token one wins."
func TestHost_TokenRace(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("hello")
	for round := range 20 {
		n := round
		var all sync.WaitGroup
		won := make(chan actors.Accepted, 16)
		for range 16 {
			all.Go(func() {
				got, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "x", FollowUp: &n})
				switch {
				case err == nil:
					won <- got
				case !errors.Is(err, actors.ErrStaleToken):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(won) != 1 || (<-won).FollowUps != n+1 {
			t.Fatalf("round %d: not exactly one follow-up won", round)
		}
	}
}

// "Idempotency-Key …: recorded with the event in the same append; the answer is
// computed again from the log, … also after a restart."
func TestHost_Idempotency(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	key := &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}
	first := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "once", Idempotency: key})
	h.rest(first.SessionID, "waiting")
	h.restart()
	again := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "once", Idempotency: key})
	if again.SessionID != first.SessionID || again.TurnID != first.TurnID || again.Index != first.Index || again.FollowUps != first.FollowUps {
		t.Errorf("again is %+v, first was %+v", again, first)
	}
	other := *key
	other.BodyHash = "c"
	_, err := h.host.StartSession(t.Context(), actors.NewSession{Agent: "tester", Principal: local, Message: "twice", Idempotency: &other})
	if !errors.Is(err, actors.ErrIdempotencyMismatch) {
		t.Errorf("another body: %v", err)
	}
}

// Direct calls: recorded in the session's log without a turn, or in the agent's;
// "a write … bound to a session with an open turn, parked included" is busy.
func TestHost_DirectCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("gated")
	h.rest(a.SessionID, "parked")
	got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "look", Input: json.RawMessage(`{"n":12345678901234567890}`), SessionID: a.SessionID, Principal: local})
	var bad *agent.InputError
	if !errors.As(err, &bad) && (err != nil || got.Result.IsError) {
		t.Fatalf("%+v, %v", got, err)
	}
	got, err = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "look", Input: json.RawMessage(`{"n":4}`), SessionID: a.SessionID, Principal: local})
	if err != nil || string(got.Result.Output) != `{"n":4}` {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "push", SessionID: a.SessionID, Principal: local}); !errors.Is(err, actors.ErrSessionBusy) {
		t.Errorf("a write while parked: %v", err)
	}
	key := &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}
	for range 2 {
		got, err = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "push", Principal: local, Idempotency: key})
		if err != nil || string(got.Result.Output) != `"ok"` || h.effects.Load() != 1 {
			t.Fatalf("%+v, %v, %d effects", got, err, h.effects.Load())
		}
	}
	var unknown *actors.UnknownToolError
	if _, err = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "nope", Principal: local}); !errors.As(err, &unknown) || len(unknown.Available) != 9 {
		t.Errorf("unknown tool: %v", err)
	}
}

// "409 in_flight" is for a first request that is still on the way: one that was
// answered is not, however soon the second comes.
func TestHost_RepeatedAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	for i := range 200 {
		key := &events.Idempotency{Key: strconv.Itoa(i), Scope: "s", BodyHash: "b"}
		for range 2 {
			if _, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "look", Input: json.RawMessage(`{"n":1}`), Principal: local, Idempotency: key}); err != nil {
				t.Fatalf("call %d: %v", i, err)
			}
		}
	}
}

// "Dry run: read tools run, write tools answer dryRunResult and the event has stubbed: true."
func TestHost_DryRun(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "gated", DryRun: true})
	h.rest(a.SessionID, "waiting")
	r := h.until(a.SessionID, "action.result").Data.(*events.ActionResult)
	got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "push", SessionID: a.SessionID, Principal: local})
	if err != nil || !got.Stubbed || !r.Stubbed || h.effects.Load() != 0 {
		t.Errorf("%+v, %v, %+v, %d effects", got, err, r, h.effects.Load())
	}
}

// "asOf: ctx.now() is that instant … omitted, relative or later is an error result."
func TestHost_AsOf(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	asOf := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for input, want := range map[string]string{
		`{"at":"2026-01-02T03:04:05Z"}`: "", `{"at":"2026-01-02T04:04:05+01:00"}`: "",
		`{}`: "as_of", `{"at":"yesterday"}`: "as_of", `{"at":"2026-01-02T03:04:06Z"}`: "as_of", `{"at":"2026-01-02T03:04:05"}`: "as_of",
	} {
		a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "/call since " + input, AsOf: &asOf})
		h.rest(a.SessionID, "waiting")
		r := h.until(a.SessionID, "action.result").Data.(*events.ActionResult)
		if r.Code != want || want == "" && string(r.Output) != `"2026-01-02T03:04:05Z"` {
			t.Errorf("%s: code %q, output %s", input, r.Code, r.Output)
		}
		got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "since", Input: json.RawMessage(input), SessionID: a.SessionID, Principal: local})
		if err != nil || got.Result.Code != want {
			t.Errorf("direct %s: %+v, %v", input, got, err)
		}
	}
}

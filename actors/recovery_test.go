package actors_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// "a step in progress: step.started with the next attempt" after turn.resumed.
func TestHost_ResumesAStep(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("stall")
	h.script = `[{ when: "", steps: [{ say: back }] }]`
	h.restart()
	h.rest(a.SessionID, "waiting")
	h.expect(a.SessionID, "session.started", `message.received "stall"`, "turn.started", "step.started 1.1",
		"turn.resumed", "step.started 1.2", `message.completed "back" stop`, "step.completed", "turn.completed", "session.waiting")
}

// "effect read, or idempotent: it runs again. Effect write: not run again."
func TestHost_ResumesCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	h.script = `[{ when: go, steps: [{ call: [{ slow: {} }, { slowpush: {} }] }, { say: done }] }]`
	h.restart()
	a := h.start("go")
	<-h.started
	<-h.started
	h.restart()
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	h.expect(a.SessionID, "session.started", `message.received "go"`, "turn.started", "step.started 1.1",
		`message.completed "" tool-calls`, "step.completed", "actions.requested slow{} slowpush{}!", "turn.resumed",
		`action.result slowpush "the host stopped while this ran: whether it took effect is unknown" outcome_unknown`,
		`action.result slow "slowly" `, "step.started 2.1", `message.completed "done" stop`, "step.completed", "turn.completed", "session.waiting")
}

// "parked: stays parked, same requestId, asleep."
func TestHost_ParkedSurvives(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("gated")
	h.rest(a.SessionID, "parked")
	before := h.story(a.SessionID)
	h.restart()
	h.rest(a.SessionID, "parked")
	if after := h.story(a.SessionID); after != before {
		t.Errorf("a restart recorded something:\n%s", after)
	}
	call := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested).CallID
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, call, actors.Decision{Decision: "approve", By: local}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	if h.effects.Load() != 1 {
		t.Errorf("the tool ran %d times", h.effects.Load())
	}
}

// "its deadline is an open mark": a sleeping parked call expires, also over a restart.
func TestHost_ApprovalExpires(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		h := newHouse(t, actors.Options{IdleAfter: 20 * time.Millisecond, Agents: []*agent.Agent{{Slug: "x", Approvals: agent.Approvals{Timeout: 300 * time.Millisecond}}}})
		a := h.start("gated")
		call := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested).CallID
		if restart {
			h.restart()
		}
		h.until(a.SessionID, "turn.completed")
		if r := h.until(a.SessionID, "action.result").Data.(*events.ActionResult); r.Code != events.CodeExpired {
			t.Errorf("the result is %+v", r)
		}
		if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, call, actors.Decision{Decision: "approve"}); !errors.Is(err, actors.ErrCallExpired) {
			t.Errorf("a decision after the deadline: %v", err)
		}
	}
}

// "a direct call, bound or in the agent's log: never run again … closed with outcome_unknown."
func TestHost_DirectCallsCutOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for _, bound := range []string{a.SessionID, ""} {
		var done sync.WaitGroup
		done.Go(func() {
			_, _ = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "slow", SessionID: bound, Principal: local})
		})
		<-h.started
		h.restart()
		done.Wait()
	}
	for _, id := range []string{a.SessionID, events.AgentLog("tester")} {
		es := h.log(id)
		raw, _ := json.Marshal(es[len(es)-1].Data)
		var r struct{ Code string }
		if err := json.Unmarshal(raw, &r); err != nil || r.Code != events.CodeOutcomeUnknown {
			t.Errorf("the last event of %s is %s %s", id, es[len(es)-1].Type, raw)
		}
	}
}

// "a panic anywhere fails that turn alone, the 100th time too."
func TestHost_PanicsAreContained(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("hello")
	bystander := h.start("slow")
	<-h.started
	for range 100 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "panic tool"}); err != nil {
			t.Fatal(err)
		}
	}
	h.rest(a.SessionID, "waiting")
	failed := 0
	for _, e := range h.log(a.SessionID) {
		if d, ok := e.Data.(*events.TurnFailed); ok && d.Code == events.FailInternal {
			failed++
		}
	}
	if failed != 100 {
		t.Errorf("%d turns failed, expected 100", failed)
	}
	close(h.gate)
	h.rest(bystander.SessionID, "waiting")
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "still there?"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
}

// Running turns are bounded; later turns wait, in order; a parked one gives its place back.
func TestHost_Places(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{MaxRunningTurns: 1})
	parked := h.start("gated")
	h.rest(parked.SessionID, "parked")
	slow := h.start("slow")
	<-h.started
	waiting := []actors.Accepted{h.start("first"), h.start("second")}
	call := h.until(parked.SessionID, "input.requested").Data.(*events.InputRequested).CallID
	if _, err := h.host.ResolveApproval(t.Context(), parked.SessionID, call, actors.Decision{Decision: "approve", By: local}); err != nil {
		t.Fatal(err)
	}
	for _, w := range waiting {
		if st, err := h.host.StateAt(w.SessionID, 1<<40); err != nil || st.Turn != nil || st.Status() != session.StatusRunning {
			t.Errorf("%+v, %v: expected to wait for its place", st, err)
		}
	}
	if h.effects.Load() != 0 {
		t.Error("an approved call ran without a place")
	}
	close(h.gate)
	for _, id := range []string{slow.SessionID, waiting[0].SessionID, waiting[1].SessionID, parked.SessionID} {
		h.rest(id, "waiting")
	}
	if first, second := h.until(waiting[0].SessionID, "turn.started"), h.until(waiting[1].SessionID, "turn.started"); second.At.Before(first.At) {
		t.Error("the second turn started before the first")
	}
}

// Commands, restarts, sleep and interrupts at once: every command is answered and
// every log keeps the promises.
func TestHost_Storm(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{IdleAfter: 2 * time.Millisecond, DeltaWindow: time.Millisecond, MaxRunningTurns: 3})
	h.storm([]string{"hello", "two calls", "gated", "push it", "panic tool", "wrong"})
}

// storm gives the logs that came of it.
func (h *house) storm(texts []string) (logs [][]*events.Event) {
	t := h.t
	close(h.gate)
	h.started = make(chan string, 1<<16)
	var ids []string
	for range 12 {
		ids = append(ids, h.start("hello").SessionID)
	}
	for range 3 {
		var all sync.WaitGroup
		for w := range 12 {
			r := rand.New(rand.NewPCG(uint64(w), 7))
			all.Go(func() {
				for range 40 {
					h.poke(r, ids[r.IntN(len(ids))], texts[r.IntN(len(texts))])
				}
			})
		}
		all.Wait()
		h.restart()
	}
	for _, id := range ids {
		if _, err := h.host.Stop(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		h.host.Wait(t.Context(), id)
		logs = append(logs, h.log(id))
		checkLog(t, logs[len(logs)-1])
	}
	return logs
}

func (h *house) poke(r *rand.Rand, id, text string) {
	var err error
	switch r.IntN(7) {
	case 6:
		_, err = h.host.Compact(h.t.Context(), id)
	case 0:
		_, err = h.host.Stop(h.t.Context(), id)
	case 1:
		_, err = h.host.Interrupt(h.t.Context(), id, actors.Message{Text: text})
	case 2:
		if st, e := h.host.StateAt(id, 1<<40); e == nil && st.Turn != nil {
			calls := st.Turn.Calls
			for _, sub := range st.Turn.Subs {
				calls = append(calls, sub.Calls...)
			}
			for _, c := range calls {
				_, err = h.host.ResolveApproval(h.t.Context(), id, c.CallID, actors.Decision{Decision: "approve", By: local})
			}
		}
	default:
		_, err = h.host.Send(h.t.Context(), id, actors.Message{Text: text})
	}
	for _, fine := range []error{nil, actors.ErrTooManyMessages, actors.ErrUnknownCall, actors.ErrCallCancelled, actors.ErrAlreadyResolved, actors.ErrSessionBusy} {
		if errors.Is(err, fine) {
			return
		}
	}
	h.t.Errorf("%s: %v", text, err)
}

// checkLog holds a log against P03, P14, P15 and P18.
func checkLog(t *testing.T, log []*events.Event) {
	t.Helper()
	results, ended, open, subs := map[string]int{}, map[string]int{}, "", map[string]bool{}
	for i, e := range log {
		at := fmt.Sprintf("%s, event %d", e.SessionID, i)
		if e.Index != uint64(i) {
			t.Fatalf("%s: index %d", at, e.Index)
		}
		switch d := e.Data.(type) {
		case *events.TurnStarted:
			if open != "" {
				t.Fatalf("%s: turn inside a turn", at)
			}
			open = e.TurnID
		case *events.ActionsRequested:
			for _, c := range d.Calls {
				results[c.CallID] = 0
			}
		case *events.SubagentCalled:
			subs[d.CallID] = true
		case *events.SubagentCompleted:
			if !subs[d.CallID] || i+1 == len(log) || log[i+1].Type != "action.result" {
				t.Fatalf("%s: subagent %s ends", at, d.CallID)
			}
			delete(subs, d.CallID)
		case *events.ActionResult:
			if results[d.CallID]++; results[d.CallID] != 1 || subs[d.CallID] {
				t.Fatalf("%s: call %s has %d results", at, d.CallID, results[d.CallID])
			}
		case *events.TurnCompleted, *events.TurnFailed:
			if ended[e.TurnID]++; ended[e.TurnID] != 1 {
				t.Fatalf("%s: turn ends twice", at)
			}
			if open == e.TurnID {
				open = ""
				if len(subs) > 0 {
					t.Fatalf("%s: %d subagents have no end", at, len(subs))
				}
			}
		}
	}
	for c, n := range results {
		if n != 1 && open == "" {
			t.Fatalf("%s: call %s has %d results", log[0].SessionID, c, n)
		}
	}
}

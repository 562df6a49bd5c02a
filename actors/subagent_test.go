package actors_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// "delegated through task {subagent, prompt}; their work is in the parent's log with
// parentCallId, their own context, the parent's tools, model and sandbox".
func TestHost_Subagent(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	a := h.start("ask the reader")
	out := h.rest(a.SessionID, "waiting")
	if string(out.Result) != `"The reader says: Page 4 is about birds."` {
		t.Errorf("the result is %s", out.Result)
	}
	h.expect(a.SessionID, "session.started", `message.received "ask the reader"`, "turn.started", "step.started 1.1",
		`message.completed "" tool-calls`, "step.completed", `actions.requested task{"subagent":"reader","prompt":"read page 4"}`,
		`subagent.called reader "read page 4"`, "reader: step.started 1.1", `reader: message.completed "Reading." tool-calls`, "reader: step.completed",
		`reader: actions.requested look{"n":4}`, `reader: action.result look {"n":4} `, "reader: step.started 2.1",
		`reader: message.completed "Page 4 is about birds." stop`, "reader: step.completed", `subagent.completed reader "Page 4 is about birds."`,
		`action.result task "Page 4 is about birds." `, "step.started 2.1", `message.completed "The reader says: Page 4 is about birds." stop`,
		"step.completed", "turn.completed", "session.waiting")

	inside := h.requests.to("You read.")
	if len(inside) != 2 || len(inside[1].Messages) != 3 || inside[1].Messages[0].Text != "read page 4" || inside[1].Messages[0].Role != model.RoleUser {
		t.Fatalf("the subagent was asked %+v", inside)
	}
	own := h.requests.to("Test.")
	if len(own) != 2 || len(own[1].Messages) != 3 || string(own[1].Messages[2].Output) != `"Page 4 is about birds."` {
		t.Fatalf("the agent was asked %+v", own)
	}
	has := func(tools []model.Tool, name string) bool {
		return slices.ContainsFunc(tools, func(t model.Tool) bool { return t.Name == name })
	}
	if len(own[0].Tools) != len(inside[0].Tools)+1 || !has(own[0].Tools, "task") || has(inside[0].Tools, "task") || !has(inside[0].Tools, "look") {
		t.Errorf("the agent has %v, its subagent %v", own[0].Tools, inside[0].Tools)
	}
}

// "several at once": they run side by side, with one place for running turns too
// ("subagents run in their parent's place"), and results keep the calls' order.
func TestHost_SubagentsSideBySide(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{MaxRunningTurns: 1})
	a := h.start("both slow")
	<-h.started
	<-h.started
	close(h.gate)
	out := h.rest(a.SessionID, "waiting")
	if string(out.Result) != `"Slow is done. Slow is done."` {
		t.Errorf("the result is %s", out.Result)
	}
	for _, name := range []string{"reader", "writer"} {
		h.expectOf(a.SessionID, name, "step.started 1.1", `message.completed "" tool-calls`, "step.completed", "actions.requested slow{}",
			`action.result slow "slowly" `, "step.started 2.1", `message.completed "Slow is done." stop`, "step.completed")
	}
	checkLog(t, h.log(a.SessionID))
}

// "approvals inside park the turn like any other"; the park survives a restart, and
// the answer reaches exactly the call that it names.
func TestHost_ApprovalInSubagent(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	a := h.start("both gated")
	h.rest(a.SessionID, "parked")
	h.restart()
	h.rest(a.SessionID, "parked")
	req := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested)
	if called := h.until(a.SessionID, "subagent.called").Data.(*events.SubagentCalled); req.ParentCallID != called.CallID || h.effects.Load() != 0 {
		t.Errorf("%+v in %+v, %d effects", req, called, h.effects.Load())
	}
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, req.ParentCallID, actors.Decision{Decision: "approve"}); !errors.Is(err, actors.ErrUnknownCall) {
		t.Errorf("the task call itself: %v", err)
	}
	for range 2 {
		if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, req.CallID, actors.Decision{Decision: "approve", By: local}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
	}
	if h.effects.Load() != 1 {
		t.Errorf("the tool ran %d times", h.effects.Load())
	}
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, req.CallID, actors.Decision{Decision: "deny"}); !errors.Is(err, actors.ErrAlreadyResolved) {
		t.Errorf("the other decision later: %v", err)
	}
	h.expectOf(a.SessionID, "reader", "step.started 1.1", `message.completed "" tool-calls`, "step.completed", `actions.requested merge{"n":7}!`, "input.requested",
		"input.resolved approve", `action.result merge "ok" `, "step.started 2.1", `message.completed "Merge says ok." stop`, "step.completed")
	checkLog(t, h.log(a.SessionID))
}

// The deadline of a call inside is an open mark like any other.
func TestHost_ApprovalInSubagentExpires(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{IdleAfter: 20 * time.Millisecond, Agents: []*agent.Agent{{Approvals: agent.Approvals{Timeout: 300 * time.Millisecond}}}})
	a := h.start("both gated")
	h.until(a.SessionID, "input.requested")
	h.restart()
	h.until(a.SessionID, "turn.completed")
	if r := resultOf(t, h, a.SessionID, "reader: action.result merge"); !strings.HasSuffix(r, events.CodeExpired) {
		t.Errorf("the result is %s", r)
	}
}

// "Dry run: read tools run, write tools answer …; this holds for subagents".
func TestHost_SubagentDryRun(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	close(h.gate)
	for _, text := range []string{"both gated", "both push"} {
		a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: text, DryRun: true})
		h.rest(a.SessionID, "waiting")
		if log := h.raw(a.SessionID); h.effects.Load() != 0 || !strings.Contains(log, `{"stubbed":true}`) || strings.Contains(log, "input.requested") {
			t.Errorf("%d effects:\n%s", h.effects.Load(), log)
		}
	}
}

// "Subagents' … tokens are counted in the turn that caused them."
func TestHost_SubagentCosts(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{Prices: perToken{}})
	a := h.start("ask the reader")
	h.rest(a.SessionID, "waiting")
	var all, inside events.Usage
	for _, e := range h.log(a.SessionID) {
		if d, ok := e.Data.(*events.StepCompleted); ok {
			all.Add(*d.Usage)
			if d.ParentCallID != "" {
				inside.Add(*d.Usage)
			}
		}
	}
	sub := h.until(a.SessionID, "subagent.completed").Data.(*events.SubagentCompleted)
	turn := h.until(a.SessionID, "turn.completed").Data.(*events.TurnCompleted)
	if *sub.Usage != inside || *turn.Usage != all || turn.Cost.TotalUSD != float64(all.Total())/1e6 || inside.Total() == 0 {
		t.Errorf("the subagent used %+v of %+v, the turn %+v of %+v for %+v", sub.Usage, inside, turn.Usage, all, turn.Cost)
	}
}

// perToken is a micro-dollar a token.
type perToken struct{}

func (perToken) Price(_ string, u events.Usage) (int64, bool) { return u.Total() * 1e6, true }

// A subagent whose model fails answers its call with an error; the turn goes on.
func TestHost_SubagentFails(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	a := h.start("both broken")
	h.rest(a.SessionID, "waiting")
	h.expectOf(a.SessionID, "reader", "step.started 1.1")
	if r := resultOf(t, h, a.SessionID, "action.result task \"the sub"); r != `action.result task "the subagent did not finish: the model is down (status 500)" tool_error` {
		t.Errorf("the result is %s", r)
	}
	h.until(a.SessionID, "turn.completed")
	checkLog(t, h.log(a.SessionID))
}

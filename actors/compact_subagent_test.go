package actors_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// narrow is a model whose context holds so many tokens: a subagent plays inside, the
// agent itself plays own.
func narrow(window int64, inside, own func(r *model.Request) *model.Response) *tap {
	return &tap{model: funcModel(func(_ context.Context, r *model.Request, _ func(model.Delta)) (*model.Response, error) {
		if r.Tokens() > window {
			return nil, &model.Error{Message: "the prompt is too long", Code: events.FailContextOverflow}
		}
		res := &model.Response{Text: "In short."}
		switch {
		case r.Purpose == model.PurposeSummary:
		case r.System == "You read.":
			res = inside(r)
		default:
			res = own(r)
		}
		res.FinishReason, res.Usage = events.FinishStop, &events.Usage{InputTokens: r.Tokens(), OutputTokens: 5}
		return res, nil
	})}
}

func calling(name, args string) *model.Response {
	return &model.Response{Calls: []model.RequestedCall{{Name: name, Args: args}}}
}

func readerAndBig(t *testing.T, window string) func(*agent.Agent) {
	return func(a *agent.Agent) {
		small(window)(a)
		a.Subagents = crew[:1]
		a.Tools = []*agent.Tool{newTool(t, "big", func(context.Context, map[string]any, *agent.Call) (string, error) {
			return strings.Repeat("x", 800), nil
		}, nil)}
	}
}

// A subagent's context is its own: what it reads does not make the agent's longer, and
// when its own overflows, its call fails and the turn goes on.
func TestHost_SubagentOverflow(t *testing.T) {
	t.Parallel()
	p := narrow(2000, func(*model.Request) *model.Response { return calling("big", "{}") }, func(r *model.Request) *model.Response {
		if r.Step == 1 {
			return calling("task", `{"subagent":"reader","prompt":"read it all"}`)
		}
		return &model.Response{Text: "It was too much."}
	})
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, readerAndBig(t, "2k"))
	a := h.start("hello")
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"It was too much."` {
		t.Errorf("the result is %s", out.Result)
	}
	if got := resultOf(t, h, a.SessionID, "action.result task"); got != `action.result task "the subagent did not finish: the prompt is too long" tool_error` {
		t.Errorf("the call gave %s", got)
	}
	if n := len(compactions(h.log(a.SessionID))); n != 0 || len(h.of(a.SessionID, "reader")) < 20 {
		t.Errorf("%d compactions in\n%s", n, h.story(a.SessionID))
	}
	checkLog(t, h.log(a.SessionID))
}

// What a subagent replied is summed up with the call that asked for it, over restarts.
func TestHost_CompactionAroundSubagents(t *testing.T) {
	t.Parallel()
	const window, steps = 3000, 60
	p := narrow(window, func(r *model.Request) *model.Response {
		if r.Step == 1 {
			return calling("big", "{}")
		}
		return &model.Response{Text: r.Messages[0].Text + strings.Repeat(" word", 100)}
	}, func(r *model.Request) *model.Response {
		if r.Step < steps {
			return calling("task", fmt.Sprintf(`{"subagent":"reader","prompt":"read page %d"}`, r.Step))
		}
		return &model.Response{Text: "All read."}
	})
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, readerAndBig(t, "3k"))
	a := h.start("read the book")
	h.until(a.SessionID, "context.compacted")
	h.restart()
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"All read."` {
		t.Fatalf("the result is %s:\n%s", out.Result, h.story(a.SessionID))
	}
	if n := len(compactions(h.log(a.SessionID))); n < 2 {
		t.Errorf("%d compactions", n)
	}
	for _, r := range p.requests() {
		if r.Purpose == "" {
			checkRequest(t, &r)
		}
		if said := texts(&r); r.Purpose == "" && r.System != "You read." && said[0] != "user read the book" && said[1] != "user read the book" {
			t.Errorf("step %d does not know its message: %.100q", r.Step, said)
		}
	}
	checkLog(t, h.log(a.SessionID))
}

// checkRequest: "A provider is never sent a call without" a result, nor a result
// without its call.
func checkRequest(t *testing.T, r *model.Request) {
	t.Helper()
	open := map[string]bool{}
	for i, m := range r.Messages {
		if m.Role == model.RoleTool {
			if !open[m.CallID] || len(m.Output) == 0 {
				t.Errorf("step %d, message %d: the result of %s has no call, or nothing in it", r.Step, i, m.CallID)
			}
			delete(open, m.CallID)
			continue
		}
		if len(open) > 0 {
			t.Errorf("step %d, message %d: calls without results: %v", r.Step, i, open)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		t.Errorf("step %d: calls without results: %v", r.Step, open)
	}
}

// Commands, restarts, sleep and interrupts at once, with subagents, replies that are
// judged and rejected, and contexts that are summed up.
func TestHost_ResultStorm(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{IdleAfter: 2 * time.Millisecond, DeltaWindow: time.Millisecond, MaxRunningTurns: 3})
	h.shape = func(a *agent.Agent) {
		small("1500")(a)
		a.Result = &agent.ResultRule{Resolve: func(_ context.Context, r *agent.Reply, c *agent.Call) (agent.Verdict, error) {
			if c.TurnID[len(c.TurnID)-1]%3 > 0 && r.Turn.Repairs < 2 {
				return agent.Verdict{Retry: "say it again"}, nil
			}
			return agent.Verdict{Result: []byte("1")}, nil
		}}
	}
	h.restart()
	repairs, compacted, inside, delegated := 0, 0, 0, 0
	for _, log := range h.storm([]string{"ask the reader", "both gated", "both push", "both slow", "both broken", strings.Repeat("long ", 120)}) {
		for _, e := range log {
			switch d := e.Data.(type) {
			case *events.StepStarted:
				if d.Repair != "" {
					repairs++
				}
			case *events.ContextCompacted:
				compacted++
				if e.TurnID != "" {
					inside++
				}
			case *events.SubagentCompleted:
				delegated++
			}
		}
	}
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	for _, r := range h.requests.all {
		if r.Purpose == "" {
			checkRequest(t, r)
		}
	}
	if repairs < 20 || compacted < 10 || inside < 5 || delegated < 20 {
		t.Errorf("%d repairs, %d compactions, %d of them inside of turns, %d subagents: that shows too little", repairs, compacted, inside, delegated)
	}
}

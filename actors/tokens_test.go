package actors_test

import (
	"context"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// tokened is a house whose tool "token" says which token its channel has; what its
// hook and its rule for results are told goes into the diary.
func tokened(t *testing.T, d *diary) *house {
	t.Helper()
	return newShapedHouse(t, actors.Options{}, script+"\n- when: /token/\n  steps: [ { call: [ { token: {} } ] }, { say: \"told {{ index .results 0 }}\" } ]\n", func(a *agent.Agent) {
		a.Tools = append(a.Tools, newTool(t, "token", func(_ context.Context, _ map[string]any, c *agent.Call) (string, error) {
			return c.Channel.ContinuationToken, nil
		}, nil))
		a.Result = &agent.ResultRule{Resolve: func(_ context.Context, r *agent.Reply, c *agent.Call) (agent.Verdict, error) {
			d.add("result %s %s", r.Turn.Message, c.Channel.ContinuationToken)
			return agent.Verdict{Result: []byte(`"` + r.Text + `"`)}, nil
		}}
		a.Hooks = []*agent.Hook{hook("noting", "turn.completed", func(_ context.Context, e *agent.HookEvent, c *agent.Call) error {
			d.add("hook %s", c.Channel.ContinuationToken)
			return nil
		})}
	})
}

// "Every chat has an HTTP token"; `ctx.channel` has the newest one, and "the token is
// null when the session can't take follow-ups".
func TestCall_ContinuationToken(t *testing.T) {
	t.Parallel()
	d := &diary{}
	h := tokened(t, d)
	a := h.start("token")
	first := h.host.Token(a.SessionID, 0)
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"told `+first+`"` {
		t.Errorf("the tool was told %s, expected %s", out.Result, first)
	}
	eventually(t, "the hook runs", func() bool { return len(d.all()) == 2 })
	same(t, d.all(), []string{"result token " + first, "hook " + first})
	id, n, ok := h.host.ReadToken(first)
	if id != a.SessionID || n != 0 || !ok {
		t.Fatalf("the token says %s, %d, %v", id, n, ok)
	}
	h.restart()
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "token", FollowUp: &n}); err != nil {
		t.Fatal(err)
	}
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"told `+h.host.Token(a.SessionID, 1)+`"` {
		t.Errorf("after a follow-up the tool was told %s", out.Result)
	}
	if got := h.direct(actors.ToolCall{SessionID: a.SessionID}); got != `"`+h.host.Token(a.SessionID, 1)+`"` {
		t.Errorf("a direct call was told %s", got)
	}
	if got := h.direct(actors.ToolCall{}); got != `""` {
		t.Errorf("a call of no session was told %s", got)
	}
}

// direct calls the tool "token" as a person does.
func (h *house) direct(c actors.ToolCall) string {
	h.t.Helper()
	c.Agent, c.Name, c.Principal = "tester", "token", local
	a, err := h.host.CallTool(h.t.Context(), c)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(a.Result.Output)
}

// A task "ends by itself" and has none; `ctx.channel` of a channel's session has "the
// channel's own strings".
func TestCall_ContinuationTokenOfTasksAndChannels(t *testing.T) {
	t.Parallel()
	d := &diary{}
	h := tokened(t, d)
	task := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "token", Mode: events.ModeTask, ChannelID: "schedule"})
	if out := h.rest(task.SessionID, "completed"); string(out.Result) != `"told "` {
		t.Errorf("a task was told %s", out.Result)
	}
	chat := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "token", ChannelID: "chat", ContinuationToken: "room:1"})
	if out := h.rest(chat.SessionID, "waiting"); string(out.Result) != `"told room:1"` {
		t.Errorf("a channel's session was told %s", out.Result)
	}
	if got := h.direct(actors.ToolCall{SessionID: chat.SessionID}); got != `"room:1"` {
		t.Errorf("a direct call was told %s", got)
	}
}

// A message that waits its turn makes the token before it stale: what is told in the
// turn that runs is the newest.
func TestCall_ContinuationTokenWhileMessagesWait(t *testing.T) {
	t.Parallel()
	d := &diary{}
	h := tokened(t, d)
	a := h.start("slow")
	<-h.started
	for range 2 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
	}
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	if got, want := d.all()[0], "result slow "+h.host.Token(a.SessionID, 2); got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

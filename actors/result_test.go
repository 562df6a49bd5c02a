package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// counting is a result that says how many there are.
type counting struct {
	N int `json:"n"`
}

func countRule(t *testing.T, o *agent.ResultOptions[counting]) *agent.ResultRule {
	t.Helper()
	rule, err := agent.NewResult(o)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

const countScript = `
- when: how many
  steps: [ { say: "There are three." } ]
- when: it is no number
  steps: [ { say: "{\"n\": 4}" } ]
- when: the reply is not JSON
  steps: [ { say: "Well:\n` + "```json\\n{\\\"n\\\": 3}\\n```" + `" } ]
- when: fenced
  steps: [ { say: "` + "```\\n{\\\"n\\\": 2}\\n```" + `" } ]
- when: wrong
  steps: [ { say: "{\"n\": 666}" } ]
- when: never
  steps: [ { say: "{\"n\": 5}" } ]
`

// "with a schema alone the reply's JSON (bare or fenced) is parsed and validated. A
// retry goes back to the model in the same turn … The value is turn.completed's result."
func TestHost_ResultRule(t *testing.T) {
	t.Parallel()
	p := tapped(t, countScript)
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, func(a *agent.Agent) { a.Result = countRule(t, nil) })
	a := h.start("how many?")
	out := h.rest(a.SessionID, "waiting")
	if string(out.Result) != `{"n":3}` {
		t.Errorf("the result is %s", out.Result)
	}
	got := h.story(a.SessionID)
	want := []string{"session.started", `message.received "how many?"`, "turn.started", "step.started 1.1", `message.completed "There are three." stop`,
		"step.completed", `step.started 2.1 repair "the reply is not JSON: invalid character 'T' looking for beginning of value at byte 1\nReply with JSON alone`}
	if !strings.HasPrefix(got, strings.Join(want, "\n")) || !strings.HasSuffix(got, "step.completed\nturn.completed\nsession.waiting\n") {
		t.Errorf("the log is\n%s", got)
	}
	reqs := p.requests()
	said := texts(&reqs[len(reqs)-1])
	if len(said) != 3 || said[1] != "assistant There are three." || !strings.Contains(said[2], "user (This reply cannot be used") || !strings.Contains(said[2], "the reply is not JSON") {
		t.Errorf("the model was told %q", said)
	}
	if b := h.start("fenced"); string(h.rest(b.SessionID, "waiting").Result) != `{"n":2}` {
		t.Errorf("fenced: %s", h.story(b.SessionID))
	}
}

// "after `maxRepairs` the turn fails with `result_rejected`"; `{fail: reason}` and an
// error fail it at once; a task's result is session.completed's.
func TestHost_ResultRejected(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, countScript, func(a *agent.Agent) {
		a.Result = countRule(t, &agent.ResultOptions[counting]{Resolve: func(_ context.Context, v counting, r *agent.Reply, c *agent.Call) (agent.Verdict, error) {
			switch {
			case v.N == 666:
				return agent.Verdict{Fail: "666 is never right, " + r.Turn.Message}, nil
			case v.N == 5:
				return agent.Verdict{Retry: "never five"}, nil
			case v.N == 2:
				return agent.Verdict{}, errors.New("it broke")
			}
			out, err := json.Marshal(map[string]any{"count": v.N, "repairs": r.Turn.Repairs, "session": c.Session.ID != "", "tool": c.Tool, "turn": c.TurnID == r.Turn.ID})
			return agent.Verdict{Result: out}, err
		}})
	})
	failedWith := func(text string) *events.TurnFailed {
		t.Helper()
		a := h.start(text)
		h.rest(a.SessionID, "waiting")
		return h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed)
	}
	if d := failedWith("never"); d.Code != events.FailResult || d.Message != "the last of 3 replies was rejected: never five" {
		t.Errorf("never: %+v", d)
	}
	if d := failedWith("wrong?"); d.Code != events.FailResult || d.Message != "666 is never right, wrong?" {
		t.Errorf("wrong: %+v", d)
	}
	if d := failedWith("fenced"); d.Code != events.FailResult || d.Message != "it broke" {
		t.Errorf("an error: %+v", d)
	}
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "how many?", Mode: events.ModeTask, ChannelID: "schedule"})
	h.rest(a.SessionID, "completed")
	const want = `{"count":3,"repairs":1,"session":true,"tool":"","turn":true}`
	if d := h.until(a.SessionID, "session.completed").Data.(*events.SessionCompleted); string(d.Result) != want {
		t.Errorf("the task's result is %s", d.Result)
	}
}

// What a rule gives that cannot be a result is a rejection that says so.
func TestHost_ResultOfNoUse(t *testing.T) {
	t.Parallel()
	verdicts := map[string]agent.Verdict{
		"nothing": {}, "no json": {Result: json.RawMessage(`{`)}, "long": {Result: json.RawMessage(`"` + strings.Repeat("x", 2<<20) + `"`)}, "reasons": {Retry: strings.Repeat("ё", 1<<20)},
	}
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) {
		a.Result = &agent.ResultRule{MaxRepairs: -1, Resolve: func(_ context.Context, r *agent.Reply, _ *agent.Call) (agent.Verdict, error) {
			if r.Turn.Message == "panic" {
				panic("boom")
			}
			return verdicts[r.Turn.Message], nil
		}}
	})
	for text, want := range map[string]string{
		"nothing": "the result rule gave neither a result", "no json": "the result rule gave a result that is not JSON",
		"long": "the result has 2097154 bytes; at most 1048576 are kept", "reasons": "the reply was rejected: ёё",
	} {
		a := h.start(text)
		h.rest(a.SessionID, "waiting")
		if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailResult || !strings.HasPrefix(d.Message, want) || len(d.Message) > 20_000 {
			t.Errorf("%s: %.200s %s", text, d.Message, d.Code)
		}
	}
	a := h.start("panic")
	h.rest(a.SessionID, "waiting")
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailInternal {
		t.Errorf("a panic: %+v", d)
	}
}

// A restart while a reply is judged judges it again, from the log; a message
// interrupts it.
func TestHost_ResultIsJudgedAgain(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, countScript, func(a *agent.Agent) {})
	judging := make(chan agent.Reply, 8)
	h.shape = func(a *agent.Agent) {
		a.Result = &agent.ResultRule{Resolve: func(ctx context.Context, r *agent.Reply, _ *agent.Call) (agent.Verdict, error) {
			judging <- *r
			select {
			case <-h.gate:
				return agent.Verdict{Result: json.RawMessage(`"judged"`)}, nil
			case <-ctx.Done():
				return agent.Verdict{}, ctx.Err()
			}
		}}
	}
	h.restart()
	a := h.start("how many?")
	first := <-judging
	h.restart()
	if again := <-judging; again != first || again.Text != "There are three." || again.Turn.Message != "how many?" || again.Turn.ID != a.TurnID {
		t.Errorf("judged %+v, then %+v", first, again)
	}
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "wrong?"}); err != nil {
		t.Fatal(err)
	}
	<-judging
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	h.expect(a.SessionID, "session.started", `message.received "how many?"`, "turn.started", "step.started 1.1", `message.completed "There are three." stop`, "step.completed",
		"turn.resumed", "turn.failed cancelled interrupted", `message.received "wrong?"`, "turn.started", "step.started 1.1",
		`message.completed "{\"n\": 666}" stop`, "step.completed", "turn.completed", "session.waiting")
}

// A rule that never ends is left behind at its limit; a stop ends it at once.
func TestHost_ResultRuleHangs(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) {})
	judging := make(chan struct{}, 1)
	h.shape = func(a *agent.Agent) {
		a.Result = &agent.ResultRule{Resolve: func(context.Context, *agent.Reply, *agent.Call) (agent.Verdict, error) {
			judging <- struct{}{}
			<-h.gate
			return agent.Verdict{}, nil
		}}
	}
	h.restart()
	a := h.start("hello")
	<-judging
	if s, err := h.host.Stop(t.Context(), a.SessionID); err != nil || !s.Stopped {
		t.Fatalf("%+v, %v", s, err)
	}
	h.rest(a.SessionID, "waiting")
	close(h.gate)
}

// A rule without a function, and a threshold that makes no sense, are refused.
func TestStart_RefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	for _, tt := range []struct {
		agent agent.Agent
		want  string
	}{
		{agent.Agent{Slug: "a", Result: &agent.ResultRule{}}, "agent.NewResult"},
		{agent.Agent{Slug: "a", Compaction: agent.Compaction{ThresholdPercent: 101}}, "from 1 to 100"},
		{agent.Agent{Slug: "a", Compaction: agent.Compaction{ThresholdPercent: -1}}, "from 1 to 100"},
	} {
		o := actors.Options{Journal: h.journal, Models: oneModel{}, Agents: []*agent.Agent{&tt.agent}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if _, err := actors.Start(ctx, &o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.agent, err)
		}
		cancel()
	}
}

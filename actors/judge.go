package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A runResolve asks a turn's child for the verdict on the turn's reply.
type runResolve struct {
	f     *session.Resolve
	fresh fresh
}

func (a *sessionActor) resolveReply(f *session.Resolve) {
	m := &runResolve{f: f, fresh: a.takeFresh()}
	a.give(a.turnOf(f.TurnID), m)
}

// resolve lets the agent's rule judge the reply. A rule that never ends is left
// behind, as a tool is.
func (c *turnChild) resolve(m *runResolve) {
	late := &session.Resolved{TurnID: c.id, Step: m.f.Step, Fail: "the result rule did not end at its time limit, nor after it was cancelled"}
	overdue := c.h.o.Clock.AfterFunc(agent.DefaultTimeout+overdueGrace, func() { c.report(late) })
	defer overdue.Stop()
	if err := c.listen(&m.fresh); err != nil {
		c.report(&session.Fail{TurnID: c.id, Code: events.FailInternal, Message: err.Error()})
		return
	}
	out := &session.Resolved{TurnID: c.id, Step: m.f.Step}
	switch v, err := c.verdict(m.f.Repairs); {
	case err != nil:
		out.Fail = shortReason(err.Error())
	case v.Fail != "":
		out.Fail = shortReason(v.Fail)
	case v.Retry != "":
		out.Retry, out.Advice = shortReason(v.Retry), shortReason(v.Advice)
	default:
		out.Result = v.Result
	}
	c.report(out)
}

// verdict asks the rule, and holds its answer against what can be recorded.
func (c *turnChild) verdict(repairs int) (agent.Verdict, error) {
	reply := c.talk.reply()
	rule := c.job.agent.Result
	if rule == nil { // the agent has lost its rule since the step
		return agent.Verdict{Result: jsonString(reply.Text)}, nil
	}
	reply.Turn.ID, reply.Turn.Repairs = c.id, repairs
	ctx, cancel := context.WithTimeout(c.ctx, agent.DefaultTimeout)
	defer cancel()
	v, err := rule.Resolve(ctx, reply, c.job.callFor(c.id))
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return v, fmt.Errorf("the result rule took longer than its limit of %s", agent.DefaultTimeout)
	case err != nil, v.Fail != "", v.Retry != "":
		return v, err
	case len(v.Result) == 0:
		return v, errors.New("the result rule gave neither a result, nor a reason to try again or to fail")
	case !json.Valid(v.Result):
		return v, errors.New("the result rule gave a result that is not JSON")
	case len(v.Result) > c.h.o.MaxOutputBytes:
		return v, fmt.Errorf("the result has %d bytes; at most %d are kept", len(v.Result), c.h.o.MaxOutputBytes)
	}
	return v, nil
}

// maxReason is how much of a reason the log holds.
const maxReason = 16 << 10

func shortReason(text string) string {
	if len(text) <= maxReason {
		return text
	}
	return cutEnd(text, maxReason) + "…"
}

// reply is what the turn that runs is about to end with.
func (t *transcript) reply() *agent.Reply {
	r := &agent.Reply{}
	if m := t.last(); m != nil && m.Role == model.RoleAssistant {
		r.Text = m.Text
	}
	if t.current >= 0 {
		r.Turn.Message = t.messages[t.current].Text
	}
	return r
}

// maxRepairs is how many replies of a turn may be rejected.
func (r *agentRuntime) maxRepairs() int {
	switch {
	case r.Result == nil || r.Result.MaxRepairs < 0:
		return 0
	case r.Result.MaxRepairs == 0:
		return agent.DefaultMaxRepairs
	}
	return r.Result.MaxRepairs
}

package actors

import (
	"context"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/mcp"
)

// lacks is the connection that somebody must authorize before a call of the model's
// can begin; nil where the call failed for another reason, or a person is not asked:
// what code of the author's does over connections fails.
func (r *agentRuntime) lacks(t *agent.Tool, err error) *agent.Connection {
	if t.Source != mcp.SourceGateway && !strings.HasPrefix(t.Source, mcp.Source("")) {
		return nil
	}
	return r.connections.Ungranted(err)
}

// noTool is why a call fails whose tool is not there: its connection lacks a grant, or
// there is none of the name.
func (r *agentRuntime) noTool(name string, lacks *agent.Connection) *failure {
	if lacks != nil {
		return &failure{code: events.CodeToolError, message: "Reconnect " + lacks.Name}
	}
	return &failure{code: events.CodeUnknownTool, message: unknownTool(name, r.names())}
}

// linkPatience is how long a call waits for a link, which servers of others may delay.
const linkPatience = 30 * time.Second

// link gives where a person authorizes a connection for a call that began at some
// time; nil where nobody can act, or there is no way.
func (j *job) link(ctx context.Context, c *agent.Connection, began time.Time) *session.Link {
	if c == nil || j.start.Mode == events.ModeTask || j.start.Purpose == events.PurposeEval || !j.agent.canApprove(j.start.ChannelID) {
		return nil
	}
	bound, cancel := context.WithTimeout(ctx, linkPatience)
	defer cancel()
	l, err := j.h.grants.link(bound, oauthTarget(j.agent.Slug, c), began)
	if err != nil {
		if ctx.Err() == nil {
			j.h.o.Logger.Warn().Str("agent", j.agent.Slug).Str("connection", c.Name).Err(err).Msg("nobody can be asked to authorize a connection")
		}
		return nil
	}
	return &l
}

// askFirst makes a call wait for its connection, if a person can be asked. What holds
// for it is not known before, so it counts as a write.
func (c *turnChild) askFirst(p *session.Prepared, lacks *agent.Connection, began time.Time) bool {
	if p.Link = c.job.link(c.ctx, lacks, began); p.Link == nil {
		return false
	}
	p.Call.Effect = agent.EffectWrite
	return true
}

// absent prepares a call of a tool that is not there: it waits for its connection, or
// fails.
func (c *turnChild) absent(p *session.Prepared, missing string, good bool, began time.Time) {
	lacks := c.job.agent.connections.Lacking(p.Call.ToolName)
	switch {
	case lacks == nil:
		p.Code, p.Message = events.CodeUnknownTool, missing
	case !good || !c.askFirst(p, lacks, began):
		f := c.job.agent.noTool(p.Call.ToolName, lacks)
		p.Code, p.Message = f.code, f.message
	}
}

// again finds what holds for a call that has waited for a connection. An outcome says
// that it cannot begin.
func (c *callChild) again(f *session.RunTool, t *agent.Tool, call *agent.Call, began time.Time) (stub bool, outcome session.Input) {
	got, failed := c.job.check(c.ctx, t, call)
	switch {
	case failed != nil && failed.lacks != nil:
		return false, c.needGrant(f, failed.lacks, began, failed.outcome(call.ID))
	case failed != nil:
		return false, failed.outcome(call.ID)
	}
	stub = c.job.info.DryRun && got.Effect == agent.EffectWrite
	if got.NeedsApproval && !stub {
		return false, &session.NeedApproval{CallID: call.ID, RequestID: c.h.newID(events.RequestPrefix)}
	}
	return stub, nil
}

// needGrant is the outcome of a call whose connection somebody must authorize first.
func (c *callChild) needGrant(f *session.RunTool, lacks *agent.Connection, began time.Time, otherwise session.Input) session.Input {
	if f.TurnID == "" || lacks == nil {
		return otherwise
	}
	l := c.job.link(c.ctx, lacks, began)
	if l == nil {
		return otherwise
	}
	return &session.NeedGrant{CallID: f.Call.CallID, Link: *l}
}

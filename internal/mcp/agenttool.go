package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// Source is the source of a connection's tools.
func Source(connection string) string { return "mcp:" + connection }

// AgentTool gives a tool as an agent has it.
func (p *Pool) AgentTool(t *Tool) *agent.Tool {
	out := &agent.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, Source: Source(t.Connection), Execution: agent.ExecutionServer,
		Effect: t.Effect, NeedsApproval: agent.ApprovalNever, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Timeout: p.limit(t.Connection),
	}
	if t.NeedsApproval {
		out.NeedsApproval = agent.ApprovalAlways
	}
	if out.Description == "" {
		out.Description = t.Title
	}
	out.Prepare = func(_ context.Context, c *agent.Call) (agent.Prepared, error) { return p.Prepare(t, c, c.Args) }
	out.Execute = func(ctx context.Context, c *agent.Call) (agent.Result, error) {
		args, err := p.check(t, c.Args)
		if err != nil {
			return agent.Result{}, err
		}
		return p.Run(ctx, t, c, args)
	}
	return out
}

// limit is how long a call over a connection may take: a peer is waited for.
func (p *Pool) limit(connection string) time.Duration {
	if c := p.Connection(connection); c != nil && c.Agent != "" {
		return maxWait + peerGrace
	}
	return agent.DefaultTimeout
}

// IsPeer says whether a call of a tool waits for another agent: args are its own.
func (p *Pool) IsPeer(t *agent.Tool, args json.RawMessage) bool {
	if t == nil {
		return false
	}
	name := ""
	if t.Source == SourceGateway {
		var in gatewayArgs
		if json.Unmarshal(args, &in) != nil || in.Tool == "" {
			return false
		}
		name = in.Connection
	} else if after, ok := strings.CutPrefix(t.Source, Source("")); ok {
		name = after
	}
	c := p.Connection(name)
	return c != nil && c.Agent != ""
}

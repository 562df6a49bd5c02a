package script

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
)

var errNoConnections = errors.New("ctx.host.mcp is not available: this call reaches no connections")

// mcpOps serve ctx.host.mcp.
func mcpOps(o *ops) {
	o.sync("mcp.names", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.MCP == nil {
			return nil, errNoConnections
		}
		return asJSON(append([]string{}, c.call.MCP.Names()...))
	})
	o.async("mcp.tools", mcpWork(func(ctx context.Context, m agent.MCP, a args) (json.RawMessage, error) {
		return m.ListTools(ctx, a.text(0))
	}))
	o.async("mcp.call", mcpWork(func(ctx context.Context, m agent.MCP, a args) (json.RawMessage, error) {
		return m.CallTool(ctx, a.text(0), a.text(1), json.RawMessage(a.text(2)))
	}))
	o.async("mcp.read", mcpWork(func(ctx context.Context, m agent.MCP, a args) (json.RawMessage, error) {
		return m.ReadResource(ctx, a.text(0), a.text(1))
	}))
}

// mcpWork binds a function to the connections of its call.
func mcpWork(f func(ctx context.Context, m agent.MCP, a args) (json.RawMessage, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.MCP == nil {
			return nil, errNoConnections
		}
		return func(ctx context.Context) (any, error) {
			raw, err := f(ctx, c.call.MCP, a[1:])
			return string(raw), err
		}, nil
	}
}

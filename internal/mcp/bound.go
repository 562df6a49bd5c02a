package mcp

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/actors/agent"
)

// For gives the connections to code of the author's, those that the model does not
// see included. It calls on behalf of who, and asks nobody.
func (p *Pool) For(who Caller) agent.MCP { return &bound{p, who} }

type bound struct {
	p   *Pool
	who Caller
}

// Names is agent.MCP's.
func (b *bound) Names() []string { return b.p.Names() }

// hostTool is a tool as code sees it.
type hostTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Effect       string          `json:"effect"`
}

// ListTools is agent.MCP's.
func (b *bound) ListTools(ctx context.Context, connection string) (json.RawMessage, error) {
	c, err := b.p.client(connection)
	if err != nil {
		return nil, err
	}
	all, err := c.tools(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]hostTool, len(all))
	for i, t := range all {
		rows[i] = hostTool{t.Remote, t.Title, t.Description, t.InputSchema, t.OutputSchema, t.Effect}
	}
	return encode(rows), nil
}

// CallTool is agent.MCP's. Arguments that do not fit are an *agent.InputError.
func (b *bound) CallTool(ctx context.Context, connection, tool string, args json.RawMessage) (json.RawMessage, error) {
	t, err := b.p.Tool(ctx, connection, tool)
	if err != nil {
		return nil, err
	}
	if args, err = b.p.check(t, args); err != nil {
		return nil, err
	}
	ctx, cancel := b.p.within(ctx, b.p.limit(connection))
	defer cancel()
	return b.p.call(ctx, t, b.who, args)
}

// ReadResource is agent.MCP's.
func (b *bound) ReadResource(ctx context.Context, connection, uri string) (json.RawMessage, error) {
	c, err := b.p.client(connection)
	if err != nil {
		return nil, err
	}
	ctx, cancel := b.p.within(ctx, b.p.limit(connection))
	defer cancel()
	return c.use(ctx, func(ctx context.Context, l line) ([]byte, error) { return l.read(ctx, uri) })
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
)

// GatewayName is the name of the tool that reaches connections whose tools are not
// shown, SourceGateway its source.
const (
	GatewayName   = "mcp"
	SourceGateway = "mcp"
)

const gatewaySchema = `{"type":"object","additionalProperties":false,"properties":{` +
	`"connection":{"type":"string","description":"the connection; left out: all are listed"},` +
	`"tool":{"type":"string","description":"the tool to call; left out: the tools of the connection are listed, with their schemas"},` +
	`"args":{"type":"object","description":"the arguments of the tool, as its schema says"}}}`

type gatewayArgs struct {
	Connection string          `json:"connection"`
	Tool       string          `json:"tool"`
	Args       json.RawMessage `json:"args"`
}

// behind are the connections that the gateway reaches, by name.
func (p *Pool) behind() (list []*agent.Connection) {
	for _, name := range p.names {
		if c := p.clients[name].c; shows(c) && !c.Advertise {
			list = append(list, c)
		}
	}
	return list
}

// Gateway gives the tool that reaches the connections whose tools the model is not
// shown; nil where there are none.
func (p *Pool) Gateway() *agent.Tool {
	behind := p.behind()
	if len(behind) == 0 {
		return nil
	}
	g := &gateway{p: p}
	var text strings.Builder
	text.WriteString("Lists and calls tools of connected servers. Without tool it lists the tools of a connection. Connections:")
	limit := agent.DefaultTimeout
	for _, c := range behind {
		fmt.Fprintf(&text, "\n- %s", c.Name)
		if c.Description != "" {
			fmt.Fprintf(&text, ": %s", cut(strings.TrimSpace(c.Description), maxDescription))
		}
		limit = max(limit, p.limit(c.Name))
		g.names = append(g.names, c.Name)
	}
	return &agent.Tool{
		Name: GatewayName, Description: text.String(), Source: SourceGateway, Execution: agent.ExecutionServer, Effect: agent.EffectDynamic,
		NeedsApproval: agent.ApprovalDynamic, InputSchema: json.RawMessage(gatewaySchema), Timeout: limit, Prepare: g.prepare, Execute: g.execute,
	}
}

type gateway struct {
	p     *Pool
	names []string
}

// target reads the arguments; a nil tool means that something is to be listed.
func (g *gateway) target(ctx context.Context, raw json.RawMessage) (in gatewayArgs, t *Tool, err error) {
	if err := json.Unmarshal(raw, &in); err != nil {
		return in, nil, invalid("", "they are not {connection, tool, args}")
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // it was read above
	for name := range fields {
		if name != "connection" && name != "tool" && name != "args" {
			return in, nil, invalid(name, "is not a known property; there are: connection, tool, args")
		}
	}
	switch {
	case in.Connection == "" && in.Tool != "":
		return in, nil, invalid("connection", "is required where a tool is called")
	case in.Connection != "" && !slices.Contains(g.names, in.Connection):
		return in, nil, invalid("connection", fmt.Sprintf("no connection is called %q; there are: %s", cut(in.Connection, 80), strings.Join(g.names, ", ")))
	case in.Tool == "":
		return in, nil, nil
	}
	t, err = g.p.Tool(ctx, in.Connection, in.Tool)
	var unusable *Error
	if err != nil && ctx.Err() == nil && !errors.As(err, &unusable) && !errors.Is(err, ErrClosed) {
		err = invalid("tool", err.Error())
	}
	return in, t, err
}

func invalid(path, message string) error {
	return &agent.InputError{Issues: []agent.Issue{{Path: path, Message: message}}}
}

func (g *gateway) prepare(ctx context.Context, c *agent.Call) (agent.Prepared, error) {
	in, t, err := g.target(ctx, c.Args)
	if err != nil {
		return agent.Prepared{}, err
	}
	if t == nil {
		return agent.Prepared{Input: c.Args, Effect: agent.EffectRead}, nil
	}
	got, err := g.p.Prepare(t, c, in.Args)
	var bad *agent.InputError
	if errors.As(err, &bad) {
		inner := &agent.InputError{}
		for _, is := range bad.Issues {
			inner.Issues = append(inner.Issues, agent.Issue{Path: strings.TrimSuffix("args."+is.Path, "."), Message: is.Message})
		}
		return got, inner
	}
	got.Input = c.Args
	return got, err
}

func (g *gateway) execute(ctx context.Context, c *agent.Call) (agent.Result, error) {
	in, t, err := g.target(ctx, c.Args)
	switch {
	case err != nil:
		return agent.Result{}, err
	case t != nil:
		if _, err := g.p.check(t, in.Args); err != nil {
			return agent.Result{}, err
		}
		return g.p.Run(ctx, t, c, in.Args)
	case in.Connection != "":
		return g.tools(ctx, in.Connection)
	}
	return agent.Result{Output: encode(map[string]any{"connections": g.connections(ctx)})}, nil
}

type shownConnection struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Tools       int    `json:"tools"`
	Error       string `json:"error,omitempty"`
}

// connections lists what can be reached. An optional connection that cannot is left out.
func (g *gateway) connections(ctx context.Context) []shownConnection {
	behind := g.p.behind()
	rows := make([]shownConnection, len(behind))
	var all sync.WaitGroup
	for i, c := range behind {
		all.Go(func() {
			rows[i] = shownConnection{Name: c.Name, Description: c.Description}
			tools, err := g.p.clients[c.Name].tools(ctx)
			if rows[i].Tools = len(tools); err != nil {
				rows[i].Error = err.Error()
			}
		})
	}
	all.Wait()
	kept := []shownConnection{}
	for i, row := range rows {
		if row.Error == "" || !behind[i].Optional {
			kept = append(kept, row)
		}
	}
	return kept
}

type shownTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

func (g *gateway) tools(ctx context.Context, connection string) (agent.Result, error) {
	all, err := g.p.clients[connection].tools(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	rows := make([]shownTool, len(all))
	for i, t := range all {
		rows[i] = shownTool{t.Remote, t.Description, t.InputSchema}
	}
	return agent.Result{Output: encode(map[string]any{"connection": connection, "tools": rows})}, nil
}

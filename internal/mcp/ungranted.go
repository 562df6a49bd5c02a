package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// authorizeTool is what stands for the tools of a connection that nobody has authorized.
const authorizeTool = "authorize"

func ungranted(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Ungranted
}

// Ungranted gives the connection that a call lacked, where that is why it did not
// begin, and the connection is one that a person is asked about; else nil.
func (p *Pool) Ungranted(err error) *agent.Connection {
	var e *Error
	if !errors.As(err, &e) || !e.Ungranted {
		return nil
	}
	if c := p.Connection(e.Connection); c != nil && !c.Optional && shows(c) {
		return c
	}
	return nil
}

// lacking are the clients of connections whose tools the model would see, had
// somebody authorized them.
func (p *Pool) lacking() (list []*client) {
	for _, name := range p.names {
		c := p.clients[name]
		if !asksFor(c.c) {
			continue
		}
		c.mu.Lock()
		if c.failed != nil && ungranted(c.failed.err) {
			list = append(list, c)
		}
		c.mu.Unlock()
	}
	return list
}

// asksFor says whether a person is asked when a model calls a tool of the connection.
func asksFor(c *agent.Connection) bool {
	return c.OAuth != nil && c.Advertise && shows(c) && !c.Optional
}

// Lacking gives the connection that a name of a tool is of, where nobody has
// authorized it so that its tools are not known; else nil.
func (p *Pool) Lacking(tool string) *agent.Connection {
	for _, c := range p.lacking() {
		if strings.HasPrefix(tool, c.c.Name+separator) {
			return c.c
		}
	}
	return nil
}

// Authorizers are tools that models see in the place of those that are not known
// because nobody has authorized their connection: each has it authorized.
func (p *Pool) Authorizers() (list []*agent.Tool) {
	for _, c := range p.lacking() {
		if t := p.Authorizer(modelName(c.c.Name, authorizeTool)); t != nil {
			list = append(list, t)
		}
	}
	return list
}

// Authorizer finds such a tool by its name, also where its connection was authorized
// meanwhile; nil when there is none.
func (p *Pool) Authorizer(name string) *agent.Tool {
	for _, connection := range p.names {
		if c := p.clients[connection]; asksFor(c.c) && modelName(connection, authorizeTool) == name && !slices.Contains(p.o.Taken, name) {
			return c.authorizer(name)
		}
	}
	return nil
}

func (c *client) authorizer(name string) *agent.Tool {
	text := "Connects " + c.c.Name + ", whose tools can be used only then: a person is asked to log in, and the tools are there afterwards."
	if d := strings.TrimSpace(c.c.Description); d != "" {
		text += " " + c.c.Name + ": " + cut(d, maxDescription)
	}
	return &agent.Tool{
		Name: name, Description: text, Source: Source(c.c.Name), Execution: agent.ExecutionServer, Effect: agent.EffectRead, NeedsApproval: agent.ApprovalNever,
		InputSchema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`), Timeout: agent.DefaultTimeout,
		Prepare: func(_ context.Context, c *agent.Call) (agent.Prepared, error) {
			return agent.Prepared{Input: c.Args, Effect: agent.EffectRead}, nil
		},
		Execute: func(ctx context.Context, _ *agent.Call) (agent.Result, error) {
			all, err := c.tools(ctx)
			if err != nil {
				return agent.Result{}, err
			}
			names := make([]string, len(all))
			for i, t := range all {
				names[i] = t.Name
			}
			return agent.Result{Output: encode(map[string]any{"connection": c.c.Name, "tools": names})}, nil
		},
	}
}

package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Advertised finds a tool by the name that a model calls it by, as it was last
// seen; nil where there is none, or where two have the name.
func (p *Pool) Advertised(name string) (found *Tool) {
	if slices.Contains(p.o.Taken, name) || !strings.Contains(name, "_") {
		return nil
	}
	for _, connection := range p.names {
		c := p.clients[connection]
		if !shows(c.c) || !c.c.Advertise {
			continue
		}
		for _, t := range c.lastKnown().list() {
			if t.Name != name {
				continue
			}
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

func (l *listing) list() []*Tool {
	if l == nil {
		return nil
	}
	return l.tools
}

func (c *client) lastKnown() *listing {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

// tools are those of a connection, asked for where they are not known.
func (c *client) tools(ctx context.Context) ([]*Tool, error) {
	for {
		wait := c.learn(false)
		c.mu.Lock()
		known, failed := c.known, c.failed
		if wait == nil && known == nil && failed == nil {
			wait = c.listing // it was waited for before, and nothing else will do
		}
		c.mu.Unlock()
		switch {
		case wait != nil:
		case failed != nil:
			return nil, failed.err
		case known != nil:
			return known.tools, nil
		default:
			return nil, ErrClosed
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// newest asks the server for its tools again.
func (c *client) newest(ctx context.Context) ([]*Tool, error) {
	wait := c.learn(true)
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return c.tools(ctx)
}

// Tool finds a tool of a connection by the server's name for it, or by the name
// that a model would call it by.
func (p *Pool) Tool(ctx context.Context, connection, tool string) (*Tool, error) {
	c, err := p.client(connection)
	if err != nil {
		return nil, err
	}
	all, err := c.tools(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i, t := range all {
		if t.Remote == tool {
			return t, nil
		}
		names[i] = t.Remote
	}
	for _, t := range all {
		if t.Name == tool {
			return t, nil
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("connection %s has no tools", connection)
	}
	return nil, fmt.Errorf("connection %s has no tool called %q; there are: %s", connection, cut(tool, 80), cut(strings.Join(names, ", "), 2<<10))
}

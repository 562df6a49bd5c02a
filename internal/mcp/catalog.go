package mcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
)

// A Fault is why the tools of a connection are not known.
type Fault struct {
	Connection string `json:"connection"`
	Message    string `json:"message"`
}

// shows says whether the model knows of a connection.
func shows(c *agent.Connection) bool { return !c.HostOnly }

// list asks for the tools. A failure is a finding, unless the connection is optional.
func (c *client) list(ctx context.Context) *listing {
	var raw []toolRaw
	_, err := c.use(ctx, func(ctx context.Context, l line) ([]byte, error) {
		ctx, cancel := c.p.within(ctx, c.p.o.OpenWithin)
		defer cancel()
		got, err := l.list(ctx)
		if err == nil {
			raw = got
		}
		return nil, err
	})
	if err == nil {
		return c.p.take(c.c, raw)
	}
	if c.p.life.Err() == nil {
		err = c.p.clean(c.c, "its tools cannot be listed: ", err)
		c.report(err)
	}
	return &listing{err: err, at: c.p.o.Clock.Now()}
}

func (c *client) report(err error) {
	if c.c.Optional {
		c.p.found.replace(c.c.Name, nil)
	} else {
		fix := "see that the server runs and that the connection's settings are right, or make it optional: true"
		if ungranted(err) {
			fix = "authorize it with bdk mcp oauth " + c.c.Name + ", or make it optional: true"
		}
		c.p.found.replace(c.c.Name, []finding{warning(c.c.Name, RuleUnreachable, err.Error(), fix)})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warnLocked(err, "the tools of a connection are left out")
}

// Known are the tools that connections show to the model, as they are known now, in
// the order of their names. Those whose names clash are left out.
func (p *Pool) Known() []*Tool {
	list, _ := p.known()
	return list
}

func (p *Pool) known() (list []*Tool, clashes []finding) {
	byName := map[string][]*Tool{}
	for _, name := range p.names {
		c := p.clients[name]
		if l := c.current(); l != nil && shows(c.c) && c.c.Advertise {
			for _, t := range l.tools {
				byName[t.Name] = append(byName[t.Name], t)
			}
		}
	}
	for name, same := range byName {
		if len(same) == 1 && !slices.Contains(p.o.Taken, name) {
			list = append(list, same[0])
			continue
		}
		for _, t := range same {
			clashes = append(clashes, warning(t.Connection, RuleName, fmt.Sprintf("connection %s: the tool %q would be called %s, as another one is, so it is left out", t.Connection, cut(t.Remote, 80), name), "rename the connection, or leave one out with tools: {deny: [...]}"))
		}
	}
	slices.SortFunc(list, func(a, b *Tool) int { return compare(a.Name, b.Name) })
	return list, clashes
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// current is the listing that holds, nil where there is none.
func (c *client) current() *listing {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return nil
	}
	return c.known
}

// Faults are why tools are not known, by connection; those of optional ones are
// left out.
func (p *Pool) Faults() (list []Fault) {
	for _, name := range p.names {
		c := p.clients[name]
		if !shows(c.c) || c.c.Optional {
			continue
		}
		c.mu.Lock()
		switch {
		case c.failed != nil:
			list = append(list, Fault{name, c.failed.err.Error()})
		case c.known == nil && c.listing != nil:
			list = append(list, Fault{name, "it has not answered yet"})
		}
		c.mu.Unlock()
	}
	return list
}

// Findings are what is wrong with the connections, as far as it is known now.
func (p *Pool) Findings() []agent.Diagnostic {
	all := p.found.list()
	_, clashes := p.known()
	slices.SortFunc(clashes, func(a, b finding) int { return compare(a.Message, b.Message) })
	for _, f := range clashes {
		all = append(all, f.Diagnostic)
	}
	return all
}

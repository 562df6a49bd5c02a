package mcp

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// A listing is the tools of a connection as they were last seen, by name, or why
// they could not be listed. It is immutable.
type listing struct {
	tools []*Tool
	err   error
	at    time.Time
}

// take makes a listing of what a server sent: what cannot be used is left out, and
// said. It is the same in whatever order the server names its tools.
func (p *Pool) take(c *agent.Connection, raw []toolRaw) *listing {
	var found []finding
	var remotes []string
	byRemote := map[string][]*Tool{}
	for _, one := range raw {
		t, err := newTool(c, one)
		if err != nil {
			found = append(found, warning(c.Name, RuleDefinition, fmt.Sprintf("connection %s: %v, so it is left out", c.Name, err), "tell those who run the server"))
			continue
		}
		remotes = append(remotes, t.Remote)
		if chosen(c, t.Remote) {
			byRemote[t.Remote] = append(byRemote[t.Remote], t)
		}
	}
	found = append(found, strangers(c, remotes)...)
	l := &listing{at: p.o.Clock.Now()}
	for remote, same := range byRemote {
		if slices.ContainsFunc(same, func(t *Tool) bool { return t.Hash != same[0].Hash }) {
			found = append(found, warning(c.Name, RuleName, fmt.Sprintf("connection %s: the server has %d different tools called %q, so none of them can be called", c.Name, len(same), cut(remote, 80)), "tell those who run the server"))
			continue
		}
		l.tools = append(l.tools, same[0])
	}
	slices.SortFunc(l.tools, func(a, b *Tool) int { return strings.Compare(a.Remote, b.Remote) })
	for _, t := range l.tools {
		if c.Agent == "" {
			found = append(found, p.judge(t)...)
		}
	}
	p.found.replace(c.Name, found)
	return l
}

// judge pins a tool, and says what is odd about it.
func (p *Pool) judge(t *Tool) (found []finding) {
	if p.pinTool(t) {
		p.o.Logger.Warn().Str("connection", t.Connection).Str("tool", t.Remote).Msg("the definition of a tool has changed")
		found = append(found, warning(t.Connection, RuleChanged, fmt.Sprintf("connection %s: the definition of the tool %q is another than it was before", t.Connection, cut(t.Remote, 80)),
			"look at what it says now; calls that were approved before are asked for again"))
	}
	if t.fault != nil {
		found = append(found, warning(t.Connection, RuleSchema, fmt.Sprintf("connection %s: the input schema of the tool %q cannot be used (%v), so its arguments are sent unchecked", t.Connection, cut(t.Remote, 80), t.fault),
			"tell those who run the server"))
	}
	return found
}

// chosen says whether the connection's tools setting lets a tool through.
func chosen(c *agent.Connection, tool string) bool {
	return (c.Allow == nil || slices.Contains(c.Allow, tool)) && !slices.Contains(c.Deny, tool)
}

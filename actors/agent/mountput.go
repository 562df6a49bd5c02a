package agent

import (
	"cmp"
	"slices"
	"strings"
)

// source is what a contribution says of where it comes from. What a plugin brings
// says so itself.
func (m *mounting) source(own string) string {
	if strings.HasPrefix(own, "plugin:") {
		return own
	}
	return "extension:" + m.from.Namespace
}

// put adds a copy of a contribution to the agent, under its full name.
func (m *mounting) put(b *brought, s *scope) {
	a, full := m.agent, m.full(b.name)
	switch v := b.value.(type) {
	case *Tool:
		t := s.tool(v)
		t.Name, t.Source = full, m.source(t.Source)
		a.Tools = append(a.Tools, t)
	case *Skill:
		k := *v
		k.Name, k.Source = full, m.source(k.Source)
		a.Skills = append(a.Skills, &k)
	case *Hook:
		h := s.hook(v)
		h.Name, h.Source = full, m.source(h.Source)
		a.Hooks = append(a.Hooks, h)
	case *Channel:
		c := s.channel(v)
		c.ID, c.Source = full, m.source(c.Source)
		a.Channels = append(a.Channels, c)
	case *Schedule:
		c := s.schedule(v)
		c.ID, c.Source = full, m.source(c.Source)
		a.Schedules = append(a.Schedules, c)
	case *Subagent:
		c := *v
		c.Name, c.Source = full, m.source(c.Source)
		a.Subagents = append(a.Subagents, &c)
	case *Connection:
		c := *v
		c.Name, c.Source = full, m.source(c.Source)
		a.Connections = append(a.Connections, &c)
	case ArtifactKind:
		a.addKind(full, v)
	case SeedFile:
		v.Path = b.name
		a.Seeds = append(a.Seeds, v)
	case string:
		a.tell(m.from.Namespace, v, nil)
	case instructionsFunc:
		a.tell(m.from.Namespace, "", s.instructions(v))
	}
}

// addKind adds a kind of artifacts. An agent that took every kind still does.
func (a *Agent) addKind(name string, kind ArtifactKind) {
	rules := ArtifactRules{Open: true, Max: DefaultMaxArtifacts}
	if a.Artifacts != nil {
		rules = *a.Artifacts
		rules.Open = rules.Open || len(rules.Kinds) == 0
	}
	kinds := make(map[string]ArtifactKind, len(rules.Kinds)+1)
	for name, kind := range rules.Kinds {
		kinds[name] = kind
	}
	kinds[name] = kind
	rules.Kinds = kinds
	a.Artifacts = &rules
}

// sortNames puts what has names into their order.
func (a *Agent) sortNames() {
	slices.SortStableFunc(a.Tools, func(x, y *Tool) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortStableFunc(a.Skills, func(x, y *Skill) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortStableFunc(a.Hooks, func(x, y *Hook) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortStableFunc(a.Channels, func(x, y *Channel) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortStableFunc(a.Schedules, func(x, y *Schedule) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortStableFunc(a.Subagents, func(x, y *Subagent) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortStableFunc(a.Connections, func(x, y *Connection) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortStableFunc(a.Seeds, func(x, y SeedFile) int { return cmp.Compare(x.Path, y.Path) })
}

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

// rename makes of a contribution a copy under the name that the agent has it by.
func (m *mounting) rename(b *brought) {
	full := m.full(b.name)
	switch v := b.value.(type) {
	case *Tool:
		c := *v
		c.Name, c.Source, b.value = full, m.source(c.Source), &c
	case *Skill:
		c := *v
		c.Name, c.Source, b.value = full, m.source(c.Source), &c
	case *Hook:
		c := *v
		c.Name, c.Source, b.value = full, m.source(c.Source), &c
	case *Channel:
		c := *v
		c.ID, c.Source, b.value = full, m.source(c.Source), &c
	case *Schedule:
		c := *v
		c.ID, c.Source, b.value = full, m.source(c.Source), &c
	case *Subagent:
		c := *v
		c.Name, c.Source, b.value = full, m.source(c.Source), &c
	case *Connection:
		c := *v
		c.Name, c.Source, b.value = full, m.source(c.Source), &c
	case SeedFile:
		v.Path, b.value = b.name, &v
	}
}

// put adds a renamed contribution to the agent.
func (m *mounting) put(b *brought, s *scope) {
	a := m.agent
	switch v := b.value.(type) {
	case *Tool:
		a.Tools = append(a.Tools, s.tool(v))
	case *Skill:
		a.Skills = append(a.Skills, v)
	case *Hook:
		a.Hooks = append(a.Hooks, s.hook(v))
	case *Channel:
		a.Channels = append(a.Channels, s.channel(v))
	case *Schedule:
		a.Schedules = append(a.Schedules, s.schedule(v))
	case *Subagent:
		a.Subagents = append(a.Subagents, v)
	case *Connection:
		a.Connections = append(a.Connections, v)
	case ArtifactKind:
		a.addKind(m.full(b.name), v)
	case *SeedFile:
		a.Seeds = append(a.Seeds, *v)
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

package project

import (
	"slices"

	"github.com/gobdk/bdk/actors/agent"
)

// gather finishes what is made of several files, and puts all in the order of the names.
func (l *loader) gather() {
	l.gatherSlots()
	l.checkCursorHooks()
}

// gatherSlots finishes what came of the slots.
func (l *loader) gatherSlots() {
	l.finishSubagents()
	l.agent.Seeds = l.seeds()
	a := l.agent
	slices.SortFunc(a.Tools, func(x, y *agent.Tool) int { return compareNames(x.Name, y.Name) })
	slices.SortFunc(a.Hooks, func(x, y *agent.Hook) int { return compareNames(x.Name, y.Name) })
	slices.SortFunc(a.Skills, func(x, y *agent.Skill) int { return compareNames(x.Name, y.Name) })
	slices.SortFunc(a.Subagents, func(x, y *agent.Subagent) int { return compareNames(x.Name, y.Name) })
	slices.SortFunc(a.Channels, func(x, y *agent.Channel) int { return compareNames(x.ID, y.ID) })
	slices.SortFunc(a.Schedules, func(x, y *agent.Schedule) int { return compareNames(x.ID, y.ID) })
	slices.SortFunc(a.Connections, func(x, y *agent.Connection) int { return compareNames(x.Name, y.Name) })
	l.uniqueSkills()
}

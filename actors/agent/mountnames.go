package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	namespaceForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	toolForm      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	idForm        = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
	kindForm      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
)

// maxMounted is the longest full name of what has a bound.
const maxMounted = 64

// slotOrder is the order in which contributions are listed.
var slotOrder = []string{
	SlotInstructions, SlotTools, SlotSkills, SlotConnections, SlotHostConnections, SlotHooks, SlotChannels, SlotSchedules, SlotSubagents, SlotArtifacts, SlotSeeds,
}

func slotRank(slot string) int { return slices.Index(slotOrder, slot) }

// namespace checks the namespace; under one that cannot be, nothing is mounted.
func (m *mounting) namespace() bool {
	ns := m.from.Namespace
	switch {
	case !namespaceForm.MatchString(ns) || strings.Contains(ns, "__") || strings.HasSuffix(ns, "_"):
		m.fault("", "", fmt.Sprintf("%q cannot be a namespace", ns), "call it by a letter first, then letters, digits, \"-\" and \"_\", without \"__\" and without \"_\" at the end")
	case slices.ContainsFunc(m.agent.Mounts, func(x *Mount) bool { return x.Namespace == ns }):
		m.fault("", "", fmt.Sprintf("the namespace %q is taken", ns), "mount it under another")
	default:
		return true
	}
	return false
}

// named says whether a contribution can have its name.
func (m *mounting) named(slot, name string) bool {
	message, fix := "", "rename it in the extension"
	form := formOf(slot)
	full := m.full(name)
	switch {
	case slot == SlotInstructions:
		return true
	case m.find(slot, name) != nil, m.find(twins[slot], name) != nil:
		message, fix = "the extension brings it twice", "keep one of the two"
	case slot == SlotSeeds:
		message, fix = m.seedFault(name)
	case strings.Contains(name, "__") || strings.HasPrefix(name, "_"):
		message = "the name has \"__\" in it, which is kept for namespaces, or begins with \"_\""
	case name == "" || form != nil && !form.MatchString(name):
		message = "the slot has no such names"
	case bounded(slot) && len(full) > maxMounted:
		message, fix = fmt.Sprintf("its name would be %s, which has %d characters; at most %d are allowed", full, len(full), maxMounted), "mount the extension under a shorter namespace, or rename it"
	case m.agent.hasName(slot, full):
		message, fix = fmt.Sprintf("the agent has %s already", full), "mount the extension under another namespace"
	}
	if message != "" {
		m.fault(slot, name, message, fix)
	}
	return message == ""
}

// twins are slots that share their names.
var twins = map[string]string{SlotConnections: SlotHostConnections, SlotHostConnections: SlotConnections}

// formOf is the form of short names; nil: any.
func formOf(slot string) *regexp.Regexp {
	switch slot {
	case SlotTools:
		return toolForm
	case SlotArtifacts:
		return kindForm
	case SlotChannels, SlotSchedules, SlotSubagents, SlotConnections, SlotHostConnections:
		return idForm
	}
	return nil
}

// bounded says whether names of the slot have a length that providers, or file
// systems, refuse to exceed.
func bounded(slot string) bool {
	return slot == SlotTools || slot == SlotSkills || slot == SlotArtifacts
}

// seedFault finds a file of the agent that a seed would overwrite.
func (m *mounting) seedFault(path string) (message, fix string) {
	for _, s := range m.agent.Seeds {
		if strings.EqualFold(s.Path, path) {
			return fmt.Sprintf("every workspace begins with a file %s already", s.Path), "remove one of the two"
		}
	}
	return "", ""
}

// hasName says whether the agent has something of a name.
func (a *Agent) hasName(slot, name string) bool {
	switch slot {
	case SlotTools:
		return a.Tool(name) != nil
	case SlotSkills:
		return slices.ContainsFunc(a.Skills, func(v *Skill) bool { return v.Name == name })
	case SlotHooks:
		return slices.ContainsFunc(a.Hooks, func(v *Hook) bool { return v.Name == name })
	case SlotChannels:
		return slices.ContainsFunc(a.Channels, func(v *Channel) bool { return v.ID == name })
	case SlotSchedules:
		return slices.ContainsFunc(a.Schedules, func(v *Schedule) bool { return v.ID == name })
	case SlotSubagents:
		return slices.ContainsFunc(a.Subagents, func(v *Subagent) bool { return v.Name == name })
	case SlotConnections, SlotHostConnections:
		return slices.ContainsFunc(a.Connections, func(v *Connection) bool { return v.Name == name })
	}
	return false
}

// proposal says what an overlay could have meant.
func (m *mounting) proposal(o Overlay) string {
	var same, elsewhere []string
	for _, b := range m.brought {
		switch {
		case b.slot == o.Slot && b.name != "":
			same = append(same, b.name)
		case b.name == o.Name && b.name != "":
			elsewhere = append(elsewhere, b.slot+"/"+b.name)
		}
	}
	slices.Sort(same)
	switch {
	case len(elsewhere) > 0:
		return "did you mean " + strings.Join(elsewhere, " or ") + "?"
	case len(same) > 0:
		return "of " + o.Slot + " it brings " + strings.Join(nearestFirst(o.Name, same), ", ")
	}
	return "it brings no " + o.Slot + "; remove the overlay"
}

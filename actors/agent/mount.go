package agent

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Mount adds an extension to an agent: names become <namespace>__<name>, instructions
// are appended in the order of the namespaces, seeds are added as they are. An overlay
// replaces or removes one contribution; one that names nothing is an error.
//
// The error joins a *MountFault for each thing that cannot be mounted; all else is
// mounted. It must be called before a host is started with the agent, after the agent's
// own fields were set.
func (a *Agent) Mount(e *Extension, overlays ...Overlay) error {
	if err := ready(a, e); err != nil {
		return err
	}
	m := &mounting{agent: a, from: e, info: &Mount{Namespace: e.Namespace, Description: e.Description, Source: e.Origin, Notes: slices.Clone(e.Notes)}}
	m.info.Contributions = []Contribution{}
	if m.namespace() {
		m.list()
		m.overlay(overlays)
		m.add()
	}
	return errors.Join(m.faults...)
}

// A mounting is one extension on its way into one agent.
type mounting struct {
	agent   *Agent
	from    *Extension
	info    *Mount
	brought []*brought
	faults  []error
}

// brought is one contribution: a value of its slot's type.
type brought struct {
	slot, name string
	value      any
	file       string
	// overlay says what an overlay did to it.
	overlay string
}

func (m *mounting) fault(slot, name, message, fix string) {
	m.faults = append(m.faults, &MountFault{Namespace: m.from.Namespace, Slot: slot, Name: name, Message: message, Fix: fix})
}

func (m *mounting) overlayFault(o Overlay, message, fix string) {
	m.faults = append(m.faults, &MountFault{Namespace: m.from.Namespace, Slot: o.Slot, Name: o.Name, Overlay: true, Message: message, Fix: fix})
}

// full is a contribution's name in the agent.
func (m *mounting) full(name string) string { return m.from.Namespace + "__" + name }

// list takes the extension apart.
func (m *mounting) list() {
	e := m.from
	if e.InstructionsFor != nil {
		m.bring(SlotInstructions, "", e.InstructionsFor)
	} else if strings.TrimSpace(e.Instructions) != "" {
		m.bring(SlotInstructions, "", e.Instructions)
	}
	for _, v := range present(m, SlotTools, e.Tools) {
		m.bring(SlotTools, v.Name, v)
	}
	for _, v := range present(m, SlotSkills, e.Skills) {
		m.bring(SlotSkills, v.Name, v)
	}
	for _, v := range present(m, SlotHooks, e.Hooks) {
		m.bring(SlotHooks, v.Name, v)
	}
	for _, v := range present(m, SlotChannels, e.Channels) {
		m.bring(SlotChannels, v.ID, v)
	}
	for _, v := range present(m, SlotSchedules, e.Schedules) {
		m.bring(SlotSchedules, v.ID, v)
	}
	for _, v := range present(m, SlotSubagents, e.Subagents) {
		m.bring(SlotSubagents, v.Name, v)
	}
	for _, v := range present(m, SlotConnections, e.Connections) {
		m.bring(slotOfConnection(v), v.Name, v)
	}
	for _, kind := range slices.Sorted(maps.Keys(e.Artifacts)) {
		m.bring(SlotArtifacts, kind, e.Artifacts[kind])
	}
	for _, v := range e.Seeds {
		m.bring(SlotSeeds, v.Path, v)
	}
}

func slotOfConnection(c *Connection) string {
	if c.HostOnly {
		return SlotHostConnections
	}
	return SlotConnections
}

// bring keeps a contribution whose name it can have.
func (m *mounting) bring(slot, name string, value any) {
	if !m.named(slot, name) {
		return
	}
	m.brought = append(m.brought, &brought{slot: slot, name: name, value: value, file: m.from.Files[slot+"/"+name]})
}

// overlay lets overlays replace and remove.
func (m *mounting) overlay(overlays []Overlay) {
	for _, o := range overlays {
		b := m.find(o.Slot, o.Name)
		switch {
		case b == nil:
			m.overlayFault(o, "the extension brings no such thing", m.proposal(o))
		case b.overlay != "":
			m.overlayFault(o, "another overlay has the same name", "keep one of the two")
		case o.With == nil:
			b.overlay = OverlayRemoved
		case isNil(o.With):
			m.overlayFault(o, "what should take its place is nil", "give one, or With: nil to remove what is there")
		case !sameKind(b.value, o.With) || slotOf(o.With, o.Slot) != o.Slot:
			m.overlayFault(o, "what should take its place is of another kind", "give what the slot "+o.Slot+" has")
		default:
			b.overlay, b.value, b.file = OverlayReplaced, o.With, cmp.Or(o.File, b.file)
		}
	}
}

func (m *mounting) find(slot, name string) *brought {
	for _, b := range m.brought {
		if b.slot == slot && b.name == name {
			return b
		}
	}
	return nil
}

// slotOf is the slot of a value; a connection may be of two.
func slotOf(value any, slot string) string {
	if c, ok := value.(*Connection); ok {
		return slotOfConnection(c)
	}
	return slot
}

// instructionsFunc is the type of InstructionsFor.
type instructionsFunc = func(ctx context.Context, c *Call) (string, error)

// sameKind says whether one value can stand in the place of another.
func sameKind(old, other any) bool {
	switch old.(type) {
	case *Tool:
		_, ok := other.(*Tool)
		return ok
	case *Skill:
		_, ok := other.(*Skill)
		return ok
	case *Hook:
		_, ok := other.(*Hook)
		return ok
	case *Channel:
		_, ok := other.(*Channel)
		return ok
	case *Schedule:
		_, ok := other.(*Schedule)
		return ok
	case *Subagent:
		_, ok := other.(*Subagent)
		return ok
	case *Connection:
		_, ok := other.(*Connection)
		return ok
	case ArtifactKind:
		_, ok := other.(ArtifactKind)
		return ok
	case SeedFile:
		_, ok := other.(SeedFile)
		return ok
	}
	_, text := other.(string)
	_, function := other.(instructionsFunc)
	return text || function
}

// add puts what is left into the agent.
func (m *mounting) add() {
	slices.SortStableFunc(m.brought, func(x, y *brought) int {
		return cmp.Or(cmp.Compare(slotRank(x.slot), slotRank(y.slot)), strings.Compare(x.name, y.name))
	})
	s := m.scope()
	for _, b := range m.brought {
		if m.rename(b); b.overlay != OverlayRemoved && !m.sound(b) {
			continue
		}
		m.info.Contributions = append(m.info.Contributions, Contribution{Slot: b.slot, Name: m.shown(b), File: b.file, Overlay: b.overlay})
		if b.overlay != OverlayRemoved {
			m.put(b, s)
		}
	}
	m.agent.sortNames()
	m.agent.Mounts = append(m.agent.Mounts, m.info)
	slices.SortFunc(m.agent.Mounts, func(x, y *Mount) int { return strings.Compare(x.Namespace, y.Namespace) })
}

// shown is what info calls a contribution.
func (m *mounting) shown(b *brought) string {
	switch b.slot {
	case SlotInstructions:
		return m.from.Namespace
	case SlotSeeds:
		return b.name
	}
	return m.full(b.name)
}

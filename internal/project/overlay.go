package project

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// A disabled is a file that takes a contribution away.
type disabled struct{ slot, name, file string }

// disableSlots are the slots that each helper is for; "any" is for all.
var disableSlots = map[string][]string{
	"tool": {agent.SlotTools}, "hook": {agent.SlotHooks}, "skill": {agent.SlotSkills}, "channel": {agent.SlotChannels},
	"schedule": {agent.SlotSchedules}, "subagent": {agent.SlotSubagents}, "connection": {agent.SlotConnections, agent.SlotHostConnections},
	"artifact": {agent.SlotArtifacts}, "instructions": {agent.SlotInstructions},
}

// helperOf names the helper of a slot.
func helperOf(slot string) string {
	for helper, slots := range disableSlots {
		if slices.Contains(slots, slot) {
			return "disable" + strings.ToUpper(helper[:1]) + helper[1:] + "()"
		}
	}
	return "disable()"
}

// unlessDisabled lets a file over an extension take a contribution away in the place
// of giving another.
func (l *loader) unlessDisabled(id string, take func(script.Loaded, *source)) func(script.Loaded, *source) {
	if l.ns == "" {
		return take
	}
	slot, name, _ := strings.Cut(id, "/")
	return func(m script.Loaded, src *source) {
		if m.Kind != "disable" {
			take(m, src)
			return
		}
		var d struct {
			Disable string `json:"disable"`
		}
		_ = json.Unmarshal(m.Spec, &d) // a definition of this kind has it
		switch {
		case !strings.HasSuffix(l.prefix, "/over/"):
			l.wrongExport(m, src, "what the slot is for: only a file over an extension takes something away")
		case isFunction(m.Spec):
			l.report.add(ruleExport, src.export(), "the default export is a helper that takes something away, and was not called", "call it: export default "+helperOf(slot))
		case d.Disable != "any" && !slices.Contains(disableSlots[d.Disable], slot):
			l.report.add(ruleExtensionOverlay, src.export(), "disable"+strings.ToUpper(d.Disable[:1])+d.Disable[1:]+"() is not for "+slot, "write "+helperOf(slot)+", or disable()")
		default:
			l.disables = append(l.disables, disabled{slot, name, src.file})
		}
	}
}

// overlays are what lies over the extension, ready to be mounted with it.
func (mt *mount) overlays(e *agent.Extension) []agent.Overlay {
	o := mt.over
	files := o.files()
	var list []agent.Overlay
	with := func(slot, name string, value any) {
		list = append(list, agent.Overlay{Slot: slot, Name: name, With: value, File: files[slot+"/"+name]})
	}
	a := o.agent
	for _, v := range a.Tools {
		with(agent.SlotTools, v.Name, v)
	}
	for _, v := range a.Skills {
		with(agent.SlotSkills, v.Name, v)
	}
	for _, v := range a.Hooks {
		with(agent.SlotHooks, v.Name, v)
	}
	for _, v := range a.Channels {
		with(agent.SlotChannels, v.ID, v)
	}
	for _, v := range a.Schedules {
		with(agent.SlotSchedules, v.ID, v)
	}
	for _, v := range a.Subagents {
		with(agent.SlotSubagents, v.Name, v)
	}
	for _, v := range a.Connections {
		slot := agent.SlotConnections
		if v.HostOnly {
			slot = agent.SlotHostConnections
		}
		with(slot, v.Name, v)
	}
	if a.Artifacts != nil {
		for kind, v := range a.Artifacts.Kinds {
			with(agent.SlotArtifacts, kind, v)
		}
	}
	for _, v := range a.Seeds {
		with(agent.SlotSeeds, v.Path, v)
	}
	switch {
	case a.InstructionsFor != nil:
		with(agent.SlotInstructions, "", a.InstructionsFor)
	case a.Instructions != "":
		with(agent.SlotInstructions, "", a.Instructions)
	}
	return append(list, mt.removals(e)...)
}

// removals are the files that take contributions away.
func (mt *mount) removals(e *agent.Extension) (list []agent.Overlay) {
	for _, d := range mt.over.disables {
		if d.slot == agent.SlotArtifacts && d.name == "" && len(e.Artifacts) > 0 { // artifacts.ts takes all away
			for kind := range e.Artifacts {
				list = append(list, agent.Overlay{Slot: d.slot, Name: kind, File: d.file})
			}
			continue
		}
		list = append(list, agent.Overlay{Slot: d.slot, Name: d.name, File: d.file})
	}
	return list
}

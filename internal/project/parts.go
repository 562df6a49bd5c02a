package project

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// Names of the modules that are no things of a slot; those are "<folder>/<name>".
const (
	agentModule        = "agent"
	instructionsModule = "instructions"
	resultModule       = "result"
	artifactsModule    = "artifacts"
)

// A part is one TypeScript file of a project, with what takes in its export.
type part struct {
	id, file string
	// ns is the mount that it is part of; empty: none.
	ns   string
	take func(m script.Loaded, src *source)
}

// parts lists the TypeScript that is to be loaded. What has a name that it cannot
// have is reported and left out.
func (l *loader) parts() []part {
	var list []part
	add := func(id, file string, take func(script.Loaded, *source)) {
		if file != "" {
			list = append(list, part{l.moduleID(id), file, l.ns, l.unlessDisabled(id, take)})
		}
	}
	add(agentModule, l.layout.agent, l.agentFile)
	add(instructionsModule, l.layout.instructions.ts, l.instructionsFile)
	add(resultModule, l.layout.result, l.resultFile)
	add(artifactsModule, l.layout.artifacts, l.artifactsFile)
	for _, s := range slots {
		for _, it := range l.layout.slots[s.folder] {
			if s.folder != extensionsFolder && l.checkName(s, it) && l.loads(s, it) {
				add(s.folder+"/"+it.name, it.file, l.taker(s, it))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.subagents)) {
		sub := l.subagents[name]
		add(subagentsFolder+"/"+name+"/"+instructionsModule, sub.in.ts, sub.instructionsFile)
	}
	return list
}

// loads says whether a thing of a slot is TypeScript, and sees to those that are not.
func (l *loader) loads(s slot, it item) bool {
	switch {
	case s.inner != "" && scriptBase(it.file) != s.inner && path.Base(it.file) == it.name:
		l.report.add(ruleIncomplete, place{File: it.file}, "the folder has no "+s.inner+" in it, which makes it "+s.thing, "add "+it.file+"/"+s.inner+", or move the folder into "+l.place.Root+"/lib/")
	case isScript(it.file):
		return true
	case s.folder == schedulesFolder:
		l.markdownSchedule(it)
	default:
		l.markdownSkill(it)
	}
	return false
}

// taker gives what takes in the export of a thing of a slot.
func (l *loader) taker(s slot, it item) func(script.Loaded, *source) {
	switch s.folder {
	case toolsFolder:
		return l.toolFile(it)
	case hooksFolder:
		return l.hookFile(it)
	case skillsFolder:
		return l.skillFile(it)
	case subagentsFolder:
		return l.subagent(it).agentFile
	case channelsFolder:
		return l.channelFile(it)
	case schedulesFolder:
		return l.scheduleFile(it)
	case mcpConnectionsFolder, hostConnectionsFolder:
		return l.connectionFile(s, it)
	}
	return func(m script.Loaded, src *source) { l.wrongExport(m, src, s.want) }
}

// checkName refuses names that the things of a slot cannot have.
func (l *loader) checkName(s slot, it item) bool {
	what := strings.TrimPrefix(strings.TrimPrefix(s.thing, "an "), "a ")
	switch {
	case strings.Contains(it.name, "__"):
		l.report.add(ruleName, top(it.file), quote(it.name)+" cannot be the name of "+s.thing+": \"__\" is kept for extensions", "rename it with a single \"_\"")
	case s.folder == toolsFolder && !toolNameForm.MatchString(it.name):
		l.report.add(ruleName, top(it.file), quote(it.name)+" cannot be a tool's name",
			"rename the file: a letter first, then letters, digits, \"-\" and \"_\", at most 64 in all")
	case s.folder == skillsFolder && !agent.SkillName(it.name):
		l.report.add(ruleName, top(it.file), quote(it.name)+" cannot be a skill's name", skillNameFix)
	case !s.tree && s.folder != toolsFolder && s.folder != skillsFolder && !slugForm.MatchString(it.name):
		l.report.add(ruleName, top(it.file), quote(it.name)+" cannot be the name of "+s.thing, "rename the "+what+": letters, digits, \"-\" and \"_\" only, a letter or digit first")
	default:
		return true
	}
	return false
}

// absolute is the path on disk of a file of the project.
func (l *loader) absolute(file string) string {
	return filepath.Join(l.place.Dir, filepath.FromSlash(file))
}

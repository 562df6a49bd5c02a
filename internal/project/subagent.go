package project

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// A subagentLoader makes one subagent of the files in its folder.
type subagentLoader struct {
	*loader
	made *agent.Subagent
	// file is its agent.ts, and in the other files of its instructions.
	file string
	in   instructionFiles
	// ok says that agent.ts was taken in.
	ok bool
}

// subagent begins a subagent with the instructions that are Markdown.
func (l *loader) subagent(it item) *subagentLoader {
	s := &subagentLoader{loader: l, file: it.file, in: l.layout.subagents[it.name]}
	s.made = &agent.Subagent{Name: it.name, Source: sourceProject, Instructions: l.markdownOf(s.in)}
	l.subagents[it.name] = s
	return s
}

// ownFields are those of a subagent's defineAgent.
var ownFields = []string{"description", "instructions", "runtime"}

// agentFile takes in agent.ts.
func (s *subagentLoader) agentFile(m script.Loaded, src *source) {
	if m.Kind != "agent" {
		own, _ := slotOf(subagentsFolder)
		s.wrongExport(m, src, own.want)
		return
	}
	before := s.report.errors()
	f := newSpec(s.report, src, ruleAgentField, m.Spec)
	s.made.Description = strings.TrimSpace(f.text("description"))
	if !f.has("description") {
		s.report.add(ruleSubagentDescription, src.export(), "the subagent has no description", "say in a sentence what it is for: the parent's model chooses by it")
	}
	checkRuntime(f)
	s.checkIgnored(f)
	s.inline(f)
	s.ok = s.report.errors() == before
}

// checkIgnored warns of fields that an agent has and a subagent does not.
func (s *subagentLoader) checkIgnored(f *spec) {
	for _, name := range f.names() {
		var given string
		same := name == "name" && json.Unmarshal(f.fields[name], &given) == nil && given == s.made.Name
		if slices.Contains(agentFields, name) && !slices.Contains(ownFields, name) && !same {
			s.report.add(ruleSubagentIgnored, f.at(name), name+" does nothing here: a subagent has its folder's name, and works with its parent's model, tools and settings", "remove it")
		}
	}
	f.unknown(ruleAgentUnknown, agentFields)
}

// inline reads the instructions in agent.ts, which are one form among the others.
func (s *subagentLoader) inline(f *spec) {
	forms := s.in.forms()
	if f.has("instructions") {
		text := strings.TrimSpace(f.text("instructions"))
		if len(forms) > 0 {
			s.report.add(ruleInstrTwoForms, f.at("instructions"), "the instructions are in "+s.file+" and in "+strings.Join(forms, " and in "), "keep one of them")
			return
		}
		s.made.Instructions = text
		return
	}
	switch len(forms) {
	case 0:
		s.report.add(ruleInstrMissing, top(s.file), "the subagent has no instructions", "write instructions: \"...\" into it, or instructions.md beside it")
	case 1:
	default:
		s.report.add(ruleInstrTwoForms, place{File: strings.TrimSuffix(forms[1], "/")}, "the instructions are in "+strings.Join(forms, " and in "), "keep one of them")
	}
}

// instructionsFile takes in instructions.ts, whose text is fixed for a subagent.
func (s *subagentLoader) instructionsFile(m script.Loaded, src *source) {
	markdown, _, ok := instructionsOf(m)
	if ok && isFunction(markdown) {
		s.report.add(ruleInstrFunction, src.export(), "the instructions of a subagent are text, and this is a function", "export the text itself: a string, or defineInstructions({markdown: \"...\"})")
		return
	}
	var text string
	if !ok || json.Unmarshal(markdown, &text) != nil || isNull(markdown) {
		s.wrongExport(m, src, instructionsWant)
		return
	}
	s.checkInstructions(src.file, text)
	s.made.Instructions = strings.TrimSpace(text)
}

// finishSubagents keeps those that came out whole.
func (l *loader) finishSubagents() {
	for _, s := range l.subagents {
		if s.ok && s.made.Instructions != "" {
			l.agent.Subagents = append(l.agent.Subagents, s.made)
		}
	}
}

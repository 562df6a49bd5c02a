package project

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/workspace"
)

// pluginRootVariable is what Claude's plugins call their folder by.
const pluginRootVariable = "CLAUDE_PLUGIN_ROOT"

// matter reads a Markdown file of the plugin with its front matter.
func (p *plugin) matter(file string) (m *frontMatter, name, description string, ok bool) {
	text, ok := p.read(file)
	if !ok || text == nil {
		return nil, "", "", false
	}
	if !utf8.Valid(text) {
		p.fault(rulePluginFile, file, "the file is not UTF-8", "save it as UTF-8")
		return nil, "", "", false
	}
	m, fault := parseFrontMatter(string(text))
	if fault != nil {
		p.mount.project.report.add(rulePluginFile, place{File: path.Join(p.shown, file), Line: fault.line}, fault.message, "mend its front matter")
		return nil, "", "", false
	}
	name, nameFits := m.text("name")
	description, fits := m.text("description")
	if !nameFits || !fits {
		p.fault(rulePluginFile, file, "name or description of the front matter is no text", "write it as text")
		return nil, "", "", false
	}
	m.body = strings.TrimSpace(strings.ReplaceAll(m.body, "${"+pluginRootVariable+"}", p.dir))
	return m, name, strings.Join(strings.Fields(description), " "), true
}

// skills mounts skills/*/SKILL.md with their siblings.
func (p *plugin) skills() {
	for _, e := range p.list(skillsFolder) {
		folder := path.Join(skillsFolder, e.name)
		if !e.dir || skipped(e.name) {
			continue
		}
		m, name, description, ok := p.matter(path.Join(folder, skillFile))
		if !ok {
			continue
		}
		if name == "" {
			name = e.name
		}
		k := &agent.Skill{Name: name, Source: p.source(), Description: description, Markdown: m.body, Files: p.siblings(folder)}
		p.keepSkill(k, path.Join(folder, skillFile))
	}
}

// siblings are the files beside a SKILL.md.
func (p *plugin) siblings(folder string) []agent.SeedFile {
	var files []agent.SeedFile
	var size int64
	tooMuch := func() bool { return len(files) > workspace.MaxFiles || size > workspace.MaxBytes }
	var walk func(below string)
	walk = func(below string) {
		if strings.Count(below, "/") > maxNested {
			return // links that lead to each other
		}
		for _, e := range p.list(path.Join(folder, below)) {
			name := path.Join(below, e.name)
			switch {
			case e.name == modulesFolder || name == skillFile || tooMuch():
			case e.dir:
				walk(name)
			case size+e.size > workspace.MaxBytes:
				size += e.size
			default:
				size += e.size
				if content, ok := p.read(path.Join(folder, name)); ok && content != nil {
					files = append(files, agent.SeedFile{Path: name, Content: content})
				}
			}
		}
	}
	walk("")
	if tooMuch() {
		p.mount.project.report.add(ruleSeedSize, p.at(folder), "the skill's files together are too much for each workspace", "keep what the skill needs, and leave the rest out")
		return nil
	}
	return p.mount.project.placeable(files, skillsInWorkspace+"x/", func(name string) place { return p.at(path.Join(folder, name)) })
}

// keepSkill adds a skill whose name it can have.
func (p *plugin) keepSkill(k *agent.Skill, file string) {
	switch {
	case strings.Contains(k.Name, "__") || !agent.SkillName(k.Name):
		p.fault(rulePluginFile, file, quote(k.Name)+" cannot be a skill's name", skillNameFix)
	case k.Description == "":
		p.fault(rulePluginFile, file, "it has no description", skillDescriptionFix)
	case p.has(skillsFolder, k.Name):
		p.made.Notes = append(p.made.Notes, file+" is not mounted: a skill of the plugin is called "+k.Name+" too")
	default:
		p.made.Skills = append(p.made.Skills, k)
		p.made.Files[skillsFolder+"/"+k.Name] = path.Join(p.shown, file)
	}
}

func (p *plugin) has(slot, name string) bool {
	_, taken := p.made.Files[slot+"/"+name]
	return taken
}

// commands mounts commands/*.md as skills named after the command.
func (p *plugin) commands() {
	p.markdown("commands", func(file, name string) {
		m, _, description, ok := p.matter(file)
		if !ok {
			return
		}
		if description == "" {
			description = m.firstLine()
		}
		p.keepSkill(&agent.Skill{Name: name, Source: p.source(), Description: description, Markdown: m.body}, file)
	})
}

// agents mounts agents/*.md as subagents.
func (p *plugin) agents() {
	p.markdown("agents", func(file, base string) {
		m, name, description, ok := p.matter(file)
		if !ok {
			return
		}
		if name == "" {
			name = base
		}
		switch {
		case strings.Contains(name, "__") || !slugForm.MatchString(name):
			p.fault(rulePluginFile, file, quote(name)+" cannot be a subagent's name", "call it by letters, digits, \"-\" and \"_\", without \"__\", a letter or digit first")
		case description == "":
			p.fault(rulePluginFile, file, "it has no description", "say in its front matter what the subagent is for: the parent's model chooses by it")
		case m.body == "":
			p.fault(rulePluginFile, file, "it has no text", "write the subagent's instructions below the front matter")
		case p.has(subagentsFolder, name):
			p.fault(rulePluginFile, file, "two subagents are called "+name, "rename one of them")
		default:
			p.made.Subagents = append(p.made.Subagents, &agent.Subagent{Name: name, Source: p.source(), Description: description, Instructions: m.body})
			p.made.Files[subagentsFolder+"/"+name] = path.Join(p.shown, file)
			p.noteParent(name, m)
		}
	})
}

// parentsFields are those of an agent's front matter that a subagent has from its parent.
var parentsFields = []string{"model", "tools", "disallowedTools", "permissionMode", "readonly"}

func (p *plugin) noteParent(name string, m *frontMatter) {
	var given []string
	for _, field := range parentsFields {
		if _, ok := m.fields[field]; ok {
			given = append(given, field)
		}
	}
	if len(given) > 0 {
		p.made.Notes = append(p.made.Notes, "the subagent "+name+" works with what its parent has, whatever its front matter says of "+strings.Join(given, ", "))
	}
}

// markdown visits the Markdown files directly in a folder.
func (p *plugin) markdown(folder string, visit func(file, name string)) {
	for _, e := range p.list(folder) {
		name, ok := strings.CutSuffix(e.name, ".md")
		switch {
		case e.dir:
			p.made.Notes = append(p.made.Notes, path.Join(folder, e.name)+"/ is not mounted: "+folder+" lie directly in their folder")
		case ok && !skipped(e.name) && !strings.EqualFold(name, "readme"):
			visit(path.Join(folder, e.name), name)
		}
	}
}

package project

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/near"
	"github.com/gobdk/bdk/internal/script"
	"github.com/gobdk/bdk/internal/workspace"
)

const skillNameFix = "call it by letters, digits, \"-\", \"_\" and \".\", without \"__\", a letter or digit first, at most 64 in all"

// skillOptions are the options of defineSkill.
var skillOptions = []string{"description", "markdown", "files"}

// skillFile takes in what skills/<name>.ts exports.
func (l *loader) skillFile(it item) func(script.Loaded, *source) {
	return func(m script.Loaded, src *source) {
		if m.Kind != "skill" {
			s, _ := slotOf(skillsFolder)
			l.wrongExport(m, src, s.want)
			return
		}
		before := l.report.errors()
		s := newSpec(l.report, src, ruleSkillOption, m.Spec)
		s.unknown(ruleSkillUnknown, skillOptions)
		k := &agent.Skill{Name: it.name, Source: sourceProject, Markdown: strings.TrimSpace(s.text("markdown")), Files: l.skillFiles(s)}
		if k.Description = strings.Join(strings.Fields(s.text("description")), " "); k.Description == "" && !s.has("description") {
			l.report.add(ruleSkillDescription, src.export(), "the skill has no description", skillDescriptionFix)
		}
		if !s.has("markdown") {
			l.report.add(ruleSkillOption, src.export(), "the skill has no markdown", "write markdown: \"...\", what to do and in which order")
		}
		if l.report.errors() == before {
			l.keepSkill(k, it.file)
		}
	}
}

const skillDescriptionFix = "say in a sentence when to use it: the model sees that before it opens the skill"

// skillFiles reads files: {path: text, or bytes, or {base64}}.
func (l *loader) skillFiles(s *spec) []agent.SeedFile {
	fields := s.object("files").fields
	var files []agent.SeedFile
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		content, ok := contentOf(fields[name])
		if !ok {
			l.report.add(ruleSkillOption, s.at("files"), "files has "+quote(name)+", whose value is "+describe(fields[name]), "give text, a Uint8Array, or {base64: \"...\"}")
			continue
		}
		files = append(files, agent.SeedFile{Path: name, Content: content})
	}
	return files
}

func contentOf(raw json.RawMessage) ([]byte, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && !isNull(raw) {
		return []byte(text), true
	}
	var coded map[string]*string
	if json.Unmarshal(raw, &coded) != nil || len(coded) != 1 || coded["base64"] == nil {
		return nil, false
	}
	content, err := base64.StdEncoding.DecodeString(*coded["base64"])
	return content, err == nil
}

// markdownSkill makes a skill of skills/<name>.md or skills/<name>/SKILL.md.
func (l *loader) markdownSkill(it item) {
	text, ok := l.text(it.file, ruleSkillEncoding)
	if !ok {
		return
	}
	m, fault := parseFrontMatter(text)
	if fault != nil {
		l.report.add(ruleSkillFrontMatter, place{File: it.file, Line: fault.line}, fault.message, "begin the file with lines \"---\", \"description: ...\" and \"---\"")
		return
	}
	name, nameFits := m.text("name")
	description, fits := m.text("description")
	if !nameFits || !fits {
		l.report.add(ruleSkillFrontMatter, place{File: it.file, Line: 2}, "name or description of the front matter is no text", "write it as text, in quotes where it has a colon in it")
		return
	}
	l.checkMatter(it, m)
	folder := path.Base(it.file) == skillFile
	if description == "" && !folder {
		description = m.firstLine()
	}
	k := &agent.Skill{Name: it.name, Source: sourceProject, Description: description, Markdown: strings.TrimSpace(m.body)}
	if name != "" {
		k.Name = name
	}
	if folder {
		k.Files = slices.DeleteFunc(l.tree(path.Dir(it.file), (*discovery).entries), func(f agent.SeedFile) bool { return f.Path == skillFile })
	}
	l.checkSkill(k, it, m)
}

func (l *loader) checkSkill(k *agent.Skill, it item, m *frontMatter) {
	switch {
	case strings.Contains(k.Name, "__") || !agent.SkillName(k.Name):
		l.report.add(ruleName, place{File: it.file, Line: 2}, quote(k.Name)+" cannot be a skill's name", skillNameFix)
	case k.Description == "":
		l.report.add(ruleSkillDescription, top(it.file), "the skill has no description", skillDescriptionFix+"; write it into the front matter as \"description: ...\"")
	default:
		if k.Markdown == "" {
			l.report.add(ruleSkillEmpty, place{File: it.file, Line: m.line}, "the skill has no text", "write what to do and in which order")
		}
		l.keepSkill(k, it.file)
	}
}

// keepSkill adds a skill, less the files that cannot lie in a workspace.
func (l *loader) keepSkill(k *agent.Skill, file string) {
	at := func(name string) place {
		if path.Base(file) == skillFile {
			return place{File: path.Join(path.Dir(file), name)}
		}
		return top(file)
	}
	folder := skillsInWorkspace + k.Name + "/"
	if err := workspace.CheckPath(folder + skillFile); err != nil {
		l.report.add(ruleName, top(file), quote(k.Name)+" cannot be a skill's name: "+err.Error(), skillNameFix)
		return
	}
	own := agent.SeedFile{Path: skillFile}
	if k.Files = l.placeable(append([]agent.SeedFile{own}, k.Files...), folder, at)[1:]; len(k.Files) == 0 {
		k.Files = nil
	}
	l.skillFrom[k] = file
	l.agent.Skills = append(l.agent.Skills, k)
}

// uniqueSkills leaves one skill of each name; they are in the order of their names.
func (l *loader) uniqueSkills() {
	var kept []*agent.Skill
	for _, k := range l.agent.Skills {
		if n := len(kept); n > 0 && kept[n-1].Name == k.Name {
			l.report.add(ruleSkillName, top(l.skillFrom[k]), "the skill is called "+quote(k.Name)+", as is that of "+l.skillFrom[kept[n-1]], "give one of them another name in its front matter")
			continue
		}
		kept = append(kept, k)
	}
	l.agent.Skills = kept
}

// matterFields are what front matter may hold. Those but name and description say
// something to other programs.
var matterFields = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

// checkMatter warns of a field that was most likely meant to be another. Fields of
// other programs are none of this one's business.
func (l *loader) checkMatter(it item, m *frontMatter) {
	for _, name := range slices.Sorted(maps.Keys(m.fields)) {
		if slices.Contains(matterFields, name) {
			continue
		}
		for _, meant := range matterFields[:2] {
			if near.Distance(strings.ToLower(name), meant) <= 2 {
				l.report.add(ruleSkillUnknown, place{File: it.file, Line: 2}, quote(name)+" of the front matter is not read", "did you mean "+meant+"?")
			}
		}
	}
}

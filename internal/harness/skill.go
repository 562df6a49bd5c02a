package harness

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// skillFile is the file of a skill that the prompt lists.
const skillFile = "SKILL.md"

func skillDir(name string) string { return path.Join(skillsAt, name) }

// SkillPath is where the prompt says that a skill is to be read.
func SkillPath(s *agent.Skill) string { return path.Join(skillDir(s.Name), skillFile) }

// SkillFiles gives the files of a skill as they lie in a workspace.
func SkillFiles(s *agent.Skill) []agent.SeedFile {
	list := []agent.SeedFile{{Path: SkillPath(s), Content: []byte(skillText(s))}}
	for _, f := range s.Files {
		list = append(list, agent.SeedFile{Path: path.Join(skillDir(s.Name), f.Path), Content: f.Content})
	}
	return list
}

// skillText is a skill with its front matter. JSON strings are YAML too.
func skillText(s *agent.Skill) string {
	var b strings.Builder
	b.WriteString("---\nname: " + quoted(s.Name) + "\ndescription: " + quoted(s.Description) + "\n---\n\n")
	b.WriteString(strings.TrimRight(s.Markdown, "\n"))
	b.WriteString("\n")
	return b.String()
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(b)
}

// loaded gives what is recorded when a file is read: that of a skill says so.
func (h *tools) loaded(p string) []events.Payload {
	for _, s := range h.Skills {
		if p == SkillPath(s) {
			return []events.Payload{&events.SkillLoaded{Name: s.Name}}
		}
	}
	return nil
}

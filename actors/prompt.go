package actors

import (
	"context"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/harness"
)

// system is what a session's model is told besides its messages: instructions, what
// the folders around say, and which skills there are. It is put together here and
// nowhere else.
func (j *job) system(ctx context.Context, turn string) (string, error) {
	text, err := j.instructions(ctx, turn)
	if err != nil {
		return "", err
	}
	parts := []string{text}
	if around := j.agent.ambient(j.start.WorkspaceDir, j.h.o.Logger); len(around) > 0 {
		parts = append(parts, tellAmbient(around))
	}
	if len(j.agent.Skills) > 0 {
		parts = append(parts, tellSkills(j.agent.Skills))
	}
	return join(parts), nil
}

// join puts parts under each other; empty ones leave no gap.
func join(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	var some []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, "\n\n")
}

func tellAmbient(around []ambientFile) string {
	var b strings.Builder
	b.WriteString("# Rules of the folders around\n\nThey add to the instructions above, which hold where the two disagree; of the rules the later ones hold.")
	for _, f := range around {
		fmt.Fprintf(&b, "\n\n## %s\n\n%s", f.name, f.text)
	}
	return b.String()
}

// tellSkills lists names and places alone: a skill is read when it is needed.
func tellSkills(skills []*agent.Skill) string {
	var b strings.Builder
	b.WriteString("# Skills\n\nEach is a procedure for one kind of work. Before you do such work, read its file and follow it.\n")
	for _, s := range skills {
		fmt.Fprintf(&b, "\n- %s: %s (%s)", s.Name, oneLine(s.Description), harness.SkillPath(s))
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// baseTokens estimates what instructions and tools take of every request, as far as
// that is the same for all sessions.
func (r *agentRuntime) baseTokens() int64 {
	req := model.Request{System: r.Instructions, Tools: r.tools.model}
	if len(r.Skills) > 0 {
		req.System += tellSkills(r.Skills)
	}
	return model.TokensOf(req.BaseBytes())
}

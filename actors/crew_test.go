package actors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// crew is an agent's subagents: each answers the prompts of its own.
var crew = []*agent.Subagent{
	{Name: "reader", Description: "Reads.", Instructions: "You read."},
	{Name: "writer", Description: "Writes.", Instructions: "You write."},
}

const crewScript = `
- when: ask the reader
  steps:
    - call: [ { task: { subagent: reader, prompt: read page 4 } } ]
    - say: "The reader says: {{ index .results 0 }}"
- when: /^read page (\d+)$/
  steps:
    - say: Reading.
      call: [ { look: { n: 4 } } ]
    - say: "Page {{ index .results 0 \"n\" }} is about birds."
- when: /both (\w+)/
  steps:
    - call: [ { task: { subagent: reader, prompt: "$1 reading" } }, { look: { n: 9 } }, { task: { subagent: writer, prompt: "$1 writing" } } ]
    - say: "{{ index .results 0 }} {{ index .results 2 }}"
- when: slow
  steps:
    - call: [ { slow: {} } ]
    - say: "Slow is done."
- when: gated reading
  steps:
    - call: [ { merge: { n: 7 } } ]
    - say: "Merge says {{ index .results 0 }}."
- when: gated writing
  steps: [ { say: Written. } ]
- when: push reading
  steps:
    - call: [ { push: {} }, { slowpush: {} }, { slow: {} } ]
    - say: "Pushed: {{ json .results }}"
- when: /stall/
  steps: [ { say: late, delayMs: 3600000 } ]
- when: delegate further
  steps:
    - call: [ { task: { subagent: writer, prompt: x } }, { tusk: {} } ]
    - say: "{{ index .results 0 }} {{ index .results 1 }}"
- when: nobody
  steps:
    - call: [ { task: { subagent: reeder, prompt: x } }, { task: { subagent: reader } } ]
    - say: "{{ index .results 0 }}"
- when: boom reading
  steps: [ { call: [ { boom: {} } ] } ]
- when: broken reading
  steps: [ { error: { status: 500, message: the model is down } } ]
`

// newCrew is a house whose agent has subagents.
func newCrew(t *testing.T, o actors.Options) *house {
	t.Helper()
	a := agent.Agent{}
	if len(o.Agents) > 0 {
		a = *o.Agents[0]
	}
	a.Slug, a.Subagents = "x", crew
	o.Agents = []*agent.Agent{&a}
	h := newHouse(t, o)
	h.script = crewScript
	h.restart()
	return h
}

// of gives the lines of the story that one subagent wrote, without its name, or
// those of the agent itself.
func (h *house) of(id, name string) (lines []string) {
	h.t.Helper()
	for line := range strings.Lines(h.raw(id)) {
		who, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		inside := ok && slices.ContainsFunc(crew, func(s *agent.Subagent) bool { return s.Name == who })
		switch {
		case inside && who == name:
			lines = append(lines, rest)
		case !inside && name == "":
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func (h *house) expectOf(id, name string, want ...string) {
	h.t.Helper()
	if got := h.of(id, name); !slices.Equal(got, want) {
		h.t.Fatalf("%s:\n%s\nexpected\n%s\nin\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"), h.raw(id))
	}
}

// resultOf gives the line of the story that begins so.
func resultOf(t *testing.T, h *house, id, begin string) string {
	t.Helper()
	for line := range strings.Lines(h.raw(id)) {
		if strings.HasPrefix(line, begin) {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("nothing begins with %q in\n%s", begin, h.raw(id))
	return ""
}

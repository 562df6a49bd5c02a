package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/plainfile"
)

// findings say what is wrong with an agent's model: a key that is not set, a
// param that it does not know.
func (m *models) findings(ag *agent.Agent, chosen string) []agent.Diagnostic {
	var found []agent.Diagnostic
	at := modelPlace(ag, chosen)
	add := func(rule, message, fix string) {
		found = append(found, agent.Diagnostic{Rule: rule, Severity: agent.SeverityWarning, File: at.File, Line: at.Line, Column: at.Column, Message: message, Fix: fix})
	}
	r := ref(ag, chosen)
	resolver, ok := m.byDir[ag.Dir]
	if !ok {
		resolver = m.other
	}
	unsaid := !slices.ContainsFunc(ag.Diagnostics, func(d agent.Diagnostic) bool { return d.Rule == "scripted/file" })
	if err := resolver.Check(r); err != nil && (unsaid || r.ID != "" && r.ID != "scripted") {
		add("model/unusable", sentence(err), "set what is missing in .env or in the environment, or choose another model")
	}
	params := map[string]any{}
	for _, p := range ag.Model.Params {
		params[p.ID] = p.Value
	}
	for _, name := range resolver.UnknownParams(r, params) {
		add("model/unknown-param", fmt.Sprintf("the model %s does not know the param %q", r.ID, name), "take it out of params in bot/agent.ts")
	}
	if err := resolver.CheckParams(r, params); err != nil {
		add("model/param", err.Error(), "mend it in params in bot/agent.ts")
	}
	if withheld := m.withheld(ag); withheld != "" {
		add("model/key-withheld", withheld+" of the environment is not sent to the address that the project's .env sets", "put the key into .env beside the address")
	}
	return found
}

var modelField = regexp.MustCompile(`(?m)^[ \t]*model[ \t]*:`)

// modelPlace is where the agent names its model; no place where it does not, or
// where another was chosen.
func modelPlace(ag *agent.Agent, chosen string) (at agent.Diagnostic) {
	if chosen != "" || ag.Model.ID == "" {
		return at
	}
	for _, root := range []string{"bot", "agent"} {
		file := root + "/agent.ts"
		text, err := plainfile.Read(filepath.Join(ag.Dir, filepath.FromSlash(file)))
		if err != nil {
			continue
		}
		at.File, at.Line, at.Column = file, 1, 1
		if m := modelField.FindIndex(text); m != nil {
			before := text[:m[1]-len(strings.TrimLeft(string(text[m[0]:m[1]]), " \t"))]
			at.Line = 1 + strings.Count(string(before), "\n")
			at.Column = 1 + len(before) - (strings.LastIndex(string(before), "\n") + 1)
		}
		return at
	}
	return at
}

// withheld is a key of the process that the agent's project names an address for.
func (m *models) withheld(ag *agent.Agent) string {
	for _, pair := range m.environ {
		name, value, _ := strings.Cut(pair, "=")
		if value == "" || addressOf(name) == "" {
			continue
		}
		if _, found := lookup(m.environ, m.own[ag.Dir])(name); !found {
			return name
		}
	}
	return ""
}

// diagnose adds the findings to those of the agents.
func (m *models) diagnose(flag string) {
	for _, ag := range m.agents {
		ag.Diagnostics = append(ag.Diagnostics, m.findings(ag, m.chosen(flag))...)
		if _, err := withPricesOf(model.ListPrices(), ag); err != nil {
			ag.Diagnostics = append(ag.Diagnostics, agent.Diagnostic{Rule: "model/prices", Severity: agent.SeverityError, File: model.PricesFile, Line: 1,
				Message: "the prices cannot be used: " + err.Error(), Fix: "mend the file, or remove it: the list prices hold without it"})
		}
	}
}

// notices are the findings and what else is worth a line at the start of a host, each once.
func (m *models) notices(chosen string) []string {
	var lines []string
	for _, ag := range m.agents {
		for _, d := range m.findings(ag, chosen) {
			if !slices.Contains(lines, d.Message) {
				lines = append(lines, d.Message)
			}
		}
	}
	return lines
}

// offline says whether an agent answers offline because nothing else was chosen.
func (m *models) offline(chosen string) bool {
	return slices.ContainsFunc(m.agents, func(ag *agent.Agent) bool {
		return ref(ag, chosen).ID == "" && m.name(ag, chosen) == "scripted"
	})
}

// offlineNotice is said where that is so.
const offlineNotice = "no model is chosen and no provider's key is set: the offline model answers from bot/script.yaml"

// sentence is what an unusable model says for people.
func sentence(err error) string {
	var e *model.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

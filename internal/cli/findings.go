package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
)

// findings say what is wrong with an agent's model: a key that is not set, a
// param that it does not know.
func (m *models) findings(ag *agent.Agent, chosen string) []agent.Diagnostic {
	var found []agent.Diagnostic
	add := func(rule, message, fix string) {
		found = append(found, agent.Diagnostic{Rule: rule, Severity: agent.SeverityWarning, Message: message, Fix: fix})
	}
	r := ref(ag, chosen)
	resolver, ok := m.byDir[ag.Dir]
	if !ok {
		resolver = m.other
	}
	if err := resolver.Check(r); err != nil {
		add("model/unusable", sentence(err), "")
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

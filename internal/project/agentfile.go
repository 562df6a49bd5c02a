package project

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// maxMillis bounds times that are given in milliseconds: 30 years.
const maxMillis = 1_000_000_000_000

// maxWhole is the largest whole number that JavaScript counts exactly.
const maxWhole = 1<<53 - 1

// agentFields are the fields of defineAgent.
var agentFields = []string{
	"model", "name", "description", "instructions", "tools", "local", "concurrency", "limits", "approvals", "compaction", "auth",
	"hosting", "persistent", "architecture", "cloud", "runtime",
}

// extraFields are accepted and shown, and do nothing here.
var extraFields = []string{"hosting", "persistent", "architecture", "cloud", "runtime"}

// agentFile takes in what agent.ts exports.
func (l *loader) agentFile(m script.Loaded, src *source) {
	if m.Kind != "agent" {
		l.wrongExport(m, src, "defineAgent({...}) from \"@cursor/bdk\"")
		return
	}
	s := newSpec(l.report, src, ruleAgentField, m.Spec)
	a := l.agent
	if name := s.text("name"); name != "" {
		a.Name = name
	}
	a.Description = s.text("description")
	a.Model = readModel(s)
	a.Limits = readLimits(s.object("limits"))
	a.Concurrency = readConcurrency(s.object("concurrency"))
	a.Approvals = readApprovals(s.object("approvals"))
	a.Compaction = readCompaction(s.object("compaction"))
	a.Local = l.readLocal(s.object("local"))
	a.Harness = readHarness(s)
	a.Extra = readExtra(s)
	a.Auth = l.auth(s, m.ID)
	l.checkUnhonoured(s)
	s.unknown(ruleAgentUnknown, agentFields)
}

// readModel reads a string, or {id, params: [{id, value}]}.
func readModel(s *spec) agent.Model {
	raw, ok := s.fields["model"]
	if !ok {
		return agent.Model{}
	}
	if raw[0] == '"' {
		return agent.Model{ID: strings.TrimSpace(s.text("model"))}
	}
	m := s.object("model")
	if len(m.fields) == 0 {
		return agent.Model{}
	}
	if !m.has("id") {
		s.report.add(s.rule, s.at("model"), "model has no id", "write model: \"provider/name\", or {id: \"provider/name\", params: [...]}")
	}
	m.unknown(ruleAgentUnknown, []string{"id", "params"})
	return agent.Model{ID: strings.TrimSpace(m.text("id")), Params: readParams(m)}
}

func readParams(m *spec) []agent.Param {
	raw, ok := m.fields["params"]
	if !ok {
		return nil
	}
	var params []agent.Param
	fits := json.Unmarshal(raw, &params) == nil && !isNull(raw)
	for _, p := range params {
		switch p.Value.(type) {
		case string, float64, bool:
			fits = fits && p.ID != ""
		default:
			fits = false
		}
	}
	if !fits {
		m.wrong("params", "an array of {id, value}, the id a string, the value a string, a number, true or false")
		return nil
	}
	return params
}

func readLimits(s *spec) agent.Limits {
	s.unknown(ruleAgentUnknown, []string{"maxSteps", "turnTimeoutMs", "maxOutputTokens", "maxTurnUsd", "maxSessionUsd", "maxSessionTokens"})
	return agent.Limits{
		MaxSteps:         int(s.count("maxSteps", math.MaxInt32)),
		TurnTimeout:      s.millis("turnTimeoutMs"),
		MaxOutputTokens:  int(s.count("maxOutputTokens", math.MaxInt32)),
		MaxTurnUSD:       s.amount("maxTurnUsd"),
		MaxSessionUSD:    s.amount("maxSessionUsd"),
		MaxSessionTokens: s.count("maxSessionTokens", maxWhole),
	}
}

func (s *spec) millis(name string) time.Duration {
	return time.Duration(s.count(name, maxMillis)) * time.Millisecond
}

func readConcurrency(s *spec) agent.Concurrency {
	s.unknown(ruleAgentUnknown, []string{"maxRunningTurns"})
	return agent.Concurrency{MaxRunningTurns: int(s.count("maxRunningTurns", math.MaxInt32))}
}

func readApprovals(s *spec) agent.Approvals {
	s.unknown(ruleAgentUnknown, []string{"timeoutMs"})
	return agent.Approvals{Timeout: s.millis("timeoutMs")}
}

// harnessTools are the names that the allowlist may have.
var harnessTools = []string{"read", "write", "edit", "ls", "glob", "grep", "shell"}

// readHarness reads the allowlist of harness tools, less the names that are none.
func readHarness(s *spec) []string {
	names := s.texts("tools")
	return slices.DeleteFunc(names, func(n string) bool {
		if slices.Contains(harnessTools, n) {
			return false
		}
		fix := "the harness tools are " + strings.Join(harnessTools, ", ") + "; the project's own tools need no entry here"
		s.report.add(ruleAgentUnknown, s.at("tools"), "tools names "+n+", which is no harness tool", fix)
		return true
	})
}

func readExtra(s *spec) map[string]any {
	extra := map[string]any{}
	for _, name := range extraFields {
		var v any
		if raw, ok := s.fields[name]; ok && json.Unmarshal(raw, &v) == nil {
			extra[name] = v
		}
	}
	if len(extra) == 0 {
		return nil
	}
	return extra
}

// checkUnhonoured refuses what this build does not honour.
func (l *loader) checkUnhonoured(s *spec) {
	checkRuntime(s)
	if s.has("instructions") {
		s.report.add(ruleAgentInline, s.at("instructions"), "the instructions of this agent are in agent.ts, where only a subagent has them",
			"move them into "+l.place.Root+"/"+instructionsMDFile)
	}
}

// checkRuntime refuses to run here what is to run elsewhere.
func checkRuntime(s *spec) {
	if raw, ok := s.fields["runtime"]; ok && string(raw) != `"local"` {
		s.report.add(ruleAgentRuntime, s.at("runtime"), "runtime is "+describe(raw)+", and this host runs agents itself", "write runtime: \"local\", or leave it out")
	}
}

// wrongExport reports a file that exports something else than its slot needs.
func (l *loader) wrongExport(m script.Loaded, src *source, want string) {
	message := "the default export is " + exported(m)
	if m.Kind == "none" {
		message = "the file exports nothing"
		var names []string
		if json.Unmarshal(m.Spec, &names) == nil && len(names) > 0 {
			message = "there is no default export, only " + strings.Join(names, ", ")
		}
	}
	l.report.add(ruleExport, src.export(), message, "export default "+want)
}

// exported says what a module exports by default.
func exported(m script.Loaded) string {
	switch m.Kind {
	case "value":
		return describe(m.Spec)
	case "string", "function":
		return "a " + m.Kind
	}
	return "a definition of kind " + m.Kind
}

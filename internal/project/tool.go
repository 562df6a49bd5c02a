package project

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

var toolNameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// toolOptions are the options of defineTool.
var toolOptions = []string{
	"description", "inputSchema", "outputSchema", "execution", "effect", "idempotent", "needsApproval", "dryRunResult",
	"timeArguments", "timeoutMs", "title", "execute",
}

// hostTools are the names of the tools that the host itself gives to the model.
var hostTools = append(slices.Clone(harnessTools), "task", "mcp", "tag_artifact")

// toolFile takes in what tools/<name>.ts exports.
func (l *loader) toolFile(it item) func(script.Loaded, *source) {
	return func(m script.Loaded, src *source) {
		t := l.tool(it, m, src)
		if t == nil {
			return
		}
		if l.ns == "" && slices.Contains(hostTools, t.Name) {
			l.report.add(ruleToolHost, top(src.file), "the host has a tool called "+t.Name+" too, and the project's takes its place", "rename the file, unless the model is to have the project's alone")
		}
		l.agent.Tools = append(l.agent.Tools, t)
	}
}

// tool makes a tool of what a file exports; nil when it has errors.
func (l *loader) tool(it item, m script.Loaded, src *source) *agent.Tool {
	if m.Kind != "tool" {
		own, _ := slotOf(toolsFolder)
		l.wrongExport(m, src, own.want)
		return nil
	}
	before := l.report.errors()
	s := newSpec(l.report, src, ruleToolOption, m.Spec)
	c := &caller{runtime: l.runtime, module: m.ID}
	t := &agent.Tool{
		Name:          it.name,
		Title:         s.text("title"),
		Description:   readDescription(s),
		Source:        sourceProject,
		Execution:     readExecution(s),
		Effect:        readEffect(s),
		NeedsApproval: readApproval(s),
		Idempotent:    s.flag("idempotent"),
		InputSchema:   readInputSchema(s, c),
		OutputSchema:  readOutputSchema(s, c),
		Timeout:       max(s.millis("timeoutMs"), 0),
	}
	if t.Timeout == 0 {
		t.Timeout = agent.DefaultTimeout
	}
	t.TimeArguments = readTimeArguments(s, t.InputSchema)
	checkFunctions(s)
	s.unknown(ruleToolUnknown, toolOptions)
	if l.report.errors() > before {
		return nil
	}
	c.bind(t, s.has("dryRunResult"))
	if t.Execution == agent.ExecutionAgent {
		c.apart = l.apart(m)
	}
	return t
}

func readDescription(s *spec) string {
	text := ""
	if raw, ok := s.fields["description"]; ok {
		if json.Unmarshal(raw, &text) != nil {
			s.wrong("description", "a string")
			return ""
		}
	}
	if text = strings.TrimSpace(text); text == "" {
		s.report.add(ruleToolDescription, s.at("description"), "the tool has no description", "say in a sentence or two what it does and when to use it")
	}
	return text
}

func readExecution(s *spec) string {
	switch raw := string(s.fields["execution"]); raw {
	case "", `"server"`:
	case `"agent"`:
		return agent.ExecutionAgent
	default:
		s.wrong("execution", `"server" or "agent"`)
	}
	return agent.ExecutionServer
}

func readEffect(s *spec) string {
	raw, ok := s.fields["effect"]
	switch {
	case !ok || string(raw) == `"read"`:
		return agent.EffectRead
	case string(raw) == `"write"`:
		return agent.EffectWrite
	case isFunction(raw):
		return agent.EffectDynamic
	}
	s.wrong("effect", `"read", "write" or a function of the input that gives one of them`)
	return agent.EffectWrite
}

func readApproval(s *spec) string {
	raw, ok := s.fields["needsApproval"]
	switch {
	case !ok || string(raw) == "false":
		return agent.ApprovalNever
	case string(raw) == "true":
		return agent.ApprovalAlways
	case isFunction(raw):
		return agent.ApprovalDynamic
	}
	s.wrong("needsApproval", "true, false or a function of the input that gives one of them")
	return agent.ApprovalAlways
}

func checkFunctions(s *spec) {
	if raw := s.fields["execute"]; !isFunction(raw) {
		s.report.add(ruleToolExecute, s.at("execute"), "execute is "+describe(raw), "write execute(input, ctx) {...}")
	}
	if raw, ok := s.fields["dryRunResult"]; ok && !isFunction(raw) {
		s.wrong("dryRunResult", "a function (input, ctx) => value")
	}
}

// compareNames orders names as bytes.
func compareNames(a, b string) int { return strings.Compare(a, b) }

func quote(s string) string { return strconv.Quote(s) }

package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check says everything that is wrong with a tool, nil when it can be called.
func (t *Tool) Check() error {
	if t == nil {
		return errors.New("a tool is nil")
	}
	var faults []error
	note := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if err := formed("a tool's name", t.Name, toolName); err != nil {
		note("%w, a letter first, at most %d in all", err, maxMounted)
	}
	if strings.TrimSpace(t.Description) == "" {
		note("the description is missing; it tells the model what the tool is for")
	}
	if t.Prepare == nil {
		note("Prepare is missing; make tools with agent.NewTool")
	}
	if t.Execute == nil {
		note("Execute is missing; make tools with agent.NewTool")
	}
	if !isObject(t.InputSchema) {
		note("InputSchema is no JSON object; a tool without input has {\"type\":\"object\"}")
	}
	if t.OutputSchema != nil && !isObject(t.OutputSchema) {
		note("OutputSchema is no JSON object; leave it out where there is none")
	}
	if t.Timeout < 0 {
		note("Timeout is %v; it cannot be negative, and 0 means %v", t.Timeout, DefaultTimeout)
	}
	return under(fmt.Sprintf("tool %q", t.Name), errors.Join(append(faults, t.checkWords())...))
}

// checkWords holds the fields that have one of some words.
func (t *Tool) checkWords() error {
	var faults []error
	for _, w := range []struct {
		field, value string
		words        []string
	}{
		{"Execution", t.Execution, []string{ExecutionServer, ExecutionAgent}},
		{"Effect", t.Effect, []string{EffectRead, EffectWrite, EffectDynamic}},
		{"NeedsApproval", t.NeedsApproval, []string{ApprovalNever, ApprovalAlways, ApprovalDynamic}},
	} {
		if !slices.Contains(w.words, w.value) {
			faults = append(faults, fmt.Errorf("%s is %q; it can be %s", w.field, w.value, strings.Join(w.words, ", ")))
		}
	}
	return errors.Join(faults...)
}

func isObject(raw json.RawMessage) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(raw, &members) == nil && members != nil
}

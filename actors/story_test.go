package actors_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// story is the log in short, deltas left out: type and what matters of the data.
// Results that follow each other are sorted: calls run side by side.
func (h *house) story(id string) string {
	h.t.Helper()
	lines := strings.Split(strings.TrimSpace(h.raw(id)), "\n")
	for i := 1; i < len(lines); i++ {
		for k := i; k > 0 && strings.HasPrefix(lines[k], "action.result look") && strings.HasPrefix(lines[k-1], "action.result look") && lines[k] < lines[k-1]; k-- {
			lines[k], lines[k-1] = lines[k-1], lines[k]
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func (h *house) raw(id string) string {
	h.t.Helper()
	var b strings.Builder
	names := map[string]string{}
	for _, e := range h.log(id) {
		if _, delta := e.Data.(*events.MessageAppended); delta {
			continue
		}
		if parent := parentOf(h.t, e); parent != "" {
			fmt.Fprintf(&b, "%s: ", names[parent])
		}
		switch d := e.Data.(type) {
		case *events.SubagentCalled:
			names[d.CallID] = d.Name
			fmt.Fprintf(&b, "%s %s %q\n", e.Type, d.Name, d.Task)
		case *events.SubagentCompleted:
			fmt.Fprintf(&b, "%s %s %s%s\n", e.Type, d.Name, d.Output, map[bool]string{true: " failed"}[d.IsError])
		case *events.MessageReceived:
			fmt.Fprintf(&b, "%s %q\n", e.Type, d.Text)
		case *events.MessageCompleted:
			fmt.Fprintf(&b, "%s %q %s\n", e.Type, d.Text, d.FinishReason)
		case *events.StepStarted:
			fmt.Fprintf(&b, "%s %d.%d", e.Type, d.Step, d.Attempt)
			if d.Repair != "" {
				fmt.Fprintf(&b, " repair %q", d.Repair)
			}
			b.WriteByte('\n')
		case *events.ContextCompacted:
			fmt.Fprintf(&b, "%s %q\n", e.Type, d.Summary)
		case *events.ActionsRequested:
			fmt.Fprintf(&b, "%s", e.Type)
			for _, c := range d.Calls {
				fmt.Fprintf(&b, " %s%s%s", c.ToolName, c.Args, map[string]string{"write": "!"}[c.Effect])
			}
			b.WriteByte('\n')
		case *events.ActionResult:
			fmt.Fprintf(&b, "%s %s %s %s\n", e.Type, d.ToolName, d.Output, d.Code)
		case *events.InputResolved:
			fmt.Fprintf(&b, "%s %s\n", e.Type, d.Decision)
		case *events.TurnFailed:
			fmt.Fprintf(&b, "%s %s %s\n", e.Type, d.Status, d.Code)
		default:
			fmt.Fprintf(&b, "%s\n", e.Type)
		}
	}
	return b.String()
}

// parentOf gives the call whose subagent an event is part of; empty for none.
func parentOf(t *testing.T, e *events.Event) string {
	t.Helper()
	raw, err := json.Marshal(e.Data)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		ParentCallID string `json:"parentCallId"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d.ParentCallID
}

// expect holds the story against the lines that a test wants.
func (h *house) expect(id string, want ...string) {
	h.t.Helper()
	if got := strings.TrimSpace(h.story(id)); got != strings.Join(want, "\n") {
		h.t.Fatalf("the log is\n%s\nexpected\n%s", got, strings.Join(want, "\n"))
	}
}

package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// What the model reads of task: the names are an enum, each with its description.
func TestHost_TaskTool(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	h.rest(h.start("hello").SessionID, "waiting")
	tools := h.requests.to("Test.")[0].Tools
	task := tools[len(tools)-1]
	if task.Name != "task" || !strings.Contains(task.Description, "\n- reader: Reads.\n- writer: Writes.") {
		t.Errorf("task is described as %q", task.Description)
	}
	var schema struct {
		Properties struct{ Subagent struct{ Enum []string } }
		Required   []string
	}
	if err := json.Unmarshal(task.Schema, &schema); err != nil || strings.Join(schema.Properties.Subagent.Enum, " ") != "reader writer" || len(schema.Required) != 2 {
		t.Errorf("its schema is %s, %v", task.Schema, err)
	}
	if _, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "task", Principal: local}); !errors.Is(err, actors.ErrAgentExecution) {
		t.Errorf("called directly: %v", err)
	}
	var unknown *actors.UnknownToolError
	if _, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "tusk", Principal: local}); !errors.As(err, &unknown) || slices.Contains(unknown.Available, "task") {
		t.Errorf("an unknown tool: %+v", err)
	}
}

// "Depth 1": a task call inside is an error result that says so. A name that is none
// of the subagents', or no prompt, does not fit the schema.
func TestHost_WrongDelegations(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	h.script += `
- when: go deep
  steps: [ { call: [ { task: { subagent: reader, prompt: delegate further } } ] }, { say: done } ]
`
	h.restart()
	a := h.start("go deep")
	h.rest(a.SessionID, "waiting")
	r := resultOf(t, h, a.SessionID, "reader: action.result task")
	if !strings.Contains(r, "a subagent cannot delegate its work further: task is not among its tools") || !strings.HasSuffix(r, events.CodeUnknownTool) {
		t.Errorf("the result is %s", r)
	}
	if r := resultOf(t, h, a.SessionID, "reader: action.result tusk"); strings.Contains(r, "task") {
		t.Errorf("a subagent is offered task: %s", r)
	}
	b := h.start("nobody")
	h.rest(b.SessionID, "waiting")
	for _, want := range []string{"subagent: must be one of", "prompt: is required"} {
		if log := h.raw(b.SessionID); !strings.Contains(log, want) || strings.Contains(log, "subagent.called") {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
}

// A tool of the project that is called task takes the place of the host's; faults in
// what subagents are refuse the start.
func TestHost_SubagentsOfAnAgentInGo(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	h.more = []*agent.Tool{newTool(t, "task", func(_ context.Context, in map[string]any, c *agent.Call) (string, error) { return "mine", nil }, nil)}
	h.restart()
	a := h.start("ask the reader")
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"The reader says: mine"` {
		t.Errorf("the result is %s", out.Result)
	}
	for want, subs := range map[string][]*agent.Subagent{
		`subagent "reader": the description is missing`: {{Name: "reader"}},
		`subagent "reader" is there twice`:              {crew[0], crew[0]},
	} {
		j, err := journal.Open(t.TempDir(), &journal.Options{FS: vfs.NewMem()})
		if err != nil {
			t.Fatal(err)
		}
		_, err = actors.Start(t.Context(), &actors.Options{Journal: j, Models: oneModel{}, MinFreeBytes: -1, Agents: []*agent.Agent{{Slug: "a", Subagents: subs}}})
		if err == nil || !strings.Contains(err.Error(), "actors: agent a: "+want) {
			t.Errorf("%v, expected %q", err, want)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A tool knows for which subagent's call it works.
func TestHost_ToolsOfASubagentKnowIt(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	h.more = []*agent.Tool{newTool(t, "whose", func(_ context.Context, in map[string]any, c *agent.Call) (string, error) { return c.ParentCallID, nil },
		&agent.ToolOptions[map[string]any]{NeedsApprovalOf: func(_ context.Context, _ map[string]any, c *agent.Call) bool { return c.ParentCallID == "" }})}
	h.script += "\n- when: whose reading\n  steps: [ { call: [ { whose: {} } ] }, { say: done } ]\n"
	h.restart()
	a := h.start("both whose")
	h.rest(a.SessionID, "waiting")
	called := h.until(a.SessionID, "subagent.called").Data.(*events.SubagentCalled)
	if r := resultOf(t, h, a.SessionID, "reader: action.result whose"); r != `reader: action.result whose "`+called.CallID+`"` {
		t.Errorf("the result is %s", r)
	}
}

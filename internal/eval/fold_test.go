package eval

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gobdk/bdk/events"
)

func asked(turn, parent, call, tool, input string) json.RawMessage {
	c := events.Call{CallID: call, ToolName: tool}
	if input != "" {
		c.Args = json.RawMessage(input)
	}
	return line(turn, &events.ActionsRequested{Calls: []events.Call{c}, ParentCallID: parent})
}

// "Tool status is completed, failed, pending, or rejected": denied and expired calls are
// rejected, those without a result pending.
func TestTrace_StatusesOfCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then []events.Payload
		want string
	}{
		"no result yet":           {nil, CallPending},
		"waits":                   {[]events.Payload{&events.InputRequested{CallID: "c"}}, CallPending},
		"answered":                {[]events.Payload{&events.ActionResult{CallID: "c", Output: json.RawMessage(`{"ok":false}`)}}, CallCompleted},
		"failed":                  {[]events.Payload{&events.ActionResult{CallID: "c", IsError: true, Code: events.CodeToolError}}, CallFailed},
		"cancelled":               {[]events.Payload{&events.ActionResult{CallID: "c", IsError: true, Code: events.CodeCancelled}}, CallFailed},
		"denied":                  {[]events.Payload{&events.ActionResult{CallID: "c", IsError: true, Code: events.CodeDenied}}, CallRejected},
		"expired":                 {[]events.Payload{&events.ActionResult{CallID: "c", IsError: true, Code: events.CodeExpired}}, CallRejected},
		"denied, cut off":         {[]events.Payload{&events.InputResolved{CallID: "c", Decision: events.DecisionDeny}}, CallRejected},
		"expired, cut off":        {[]events.Payload{&events.InputResolved{CallID: "c", Decision: events.DecisionExpired}}, CallRejected},
		"approved, no result yet": {[]events.Payload{&events.InputResolved{CallID: "c", Decision: events.DecisionApprove}}, CallPending},
		"approved": {[]events.Payload{&events.InputResolved{CallID: "c", Decision: events.DecisionApprove},
			&events.ActionResult{CallID: "c"}}, CallCompleted},
		"the result of another": {[]events.Payload{&events.ActionResult{CallID: "d", IsError: true}}, CallPending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := []json.RawMessage{line("t1", &events.TurnStarted{}), asked("t1", "", "c", "merge", `{"n":1.10}`)}
			for _, p := range c.then {
				lines = append(lines, line("t1", p))
			}
			calls := traceOf(lines).toolCalls()
			if len(calls) != 1 || calls[0].Status != c.want || string(calls[0].Input) != `{"n":1.10}` {
				t.Errorf("got %+v, want %s", calls, c.want)
			}
		})
	}
}

func TestTrace_NestedStubbedAndTurns(t *testing.T) {
	t.Parallel()
	tr := traceOf([]json.RawMessage{
		line("", &events.SessionStarted{Agent: "a"}),
		line("t1", &events.TurnStarted{}),
		asked("t1", "", "c1", "helper", `{"task":"x"}`),
		asked("t1", "c1", "c2", "search", ""),
		line("t1", &events.MessageCompleted{Text: "of the subagent", ParentCallID: "c1"}),
		line("t1", &events.ActionResult{CallID: "c2", Output: json.RawMessage(`[1]`), Stubbed: true, ParentCallID: "c1"}),
		line("t1", &events.ActionResult{CallID: "c1"}),
		line("t1", &events.MessageCompleted{Text: "first"}),
		line("t2", &events.TurnStarted{}),
		asked("t2", "", "c3", "search", `{}`),
		asked("t2", "", "c3", "search", `{}`), // a line that comes twice
		json.RawMessage(`{"type":"action.result","data":7}`),
		json.RawMessage(`no json`),
		line("t2", &events.MessageCompleted{Text: ""}),
	})
	got := ""
	for _, c := range tr.toolCalls() {
		got += fmt.Sprintf("%s %s in %d of %q %s %s stubbed=%v\n", c.CallID, c.Name, c.Turn, c.ParentCallID, c.Status, c.Output, c.Stubbed)
	}
	want := `c1 helper in 1 of "" completed  stubbed=false
c2 search in 1 of "c1" completed [1] stubbed=true
c3 search in 2 of "" pending  stubbed=false
`
	if got != want {
		t.Errorf("calls:\n%s", got)
	}
	if names := fmt.Sprint(tr.tools()); names != "[helper search]" || len(tr.turns) != 2 || tr.reply != "first" || tr.session != "ses_x" {
		t.Errorf("tools %s, %d turns, reply %q, session %q", names, len(tr.turns), tr.reply, tr.session)
	}
}

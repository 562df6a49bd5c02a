package eval

import (
	"encoding/json"

	"github.com/gobdk/bdk/events"
)

// Statuses of a ToolCall.
const (
	CallCompleted = "completed"
	CallFailed    = "failed"
	CallPending   = "pending"  // it has no result yet
	CallRejected  = "rejected" // it was denied, or nobody decided in time
)

// A trace is what the events of a session say about its calls.
type trace struct {
	calls []*ToolCall
	byID  map[string]*ToolCall
	turns []string
	reply string
	// session is its id; empty: no line told it.
	session string
}

// traceOf folds the lines of a whole session. A line that is no event is passed over.
func traceOf(lines []json.RawMessage) *trace {
	t := &trace{byID: map[string]*ToolCall{}}
	if len(lines) > 0 {
		var e struct {
			SessionID string `json:"sessionId"`
		}
		if json.Unmarshal(lines[0], &e) == nil {
			t.session = e.SessionID
		}
	}
	for _, line := range lines {
		switch events.TypeOf(line) {
		case "turn.started":
			fold(line, func(turn string, _ *events.TurnStarted) { t.turn(turn) })
		case "message.completed":
			fold(line, t.message)
		case "actions.requested":
			fold(line, t.requested)
		case "input.resolved":
			fold(line, t.resolved)
		case "action.result":
			fold(line, t.result)
		}
	}
	return t
}

func fold[T any](line json.RawMessage, f func(turn string, data *T)) {
	var e struct {
		TurnID string `json:"turnId"`
		Data   T      `json:"data"`
	}
	if json.Unmarshal(line, &e) == nil {
		f(e.TurnID, &e.Data)
	}
}

// turn is the number of a turn, from 1; 0: none.
func (t *trace) turn(id string) int {
	if id == "" {
		return 0
	}
	for i, known := range t.turns {
		if known == id {
			return i + 1
		}
	}
	t.turns = append(t.turns, id)
	return len(t.turns)
}

func (t *trace) message(_ string, m *events.MessageCompleted) {
	if m.ParentCallID == "" && m.Text != "" {
		t.reply = m.Text
	}
}

func (t *trace) requested(turn string, r *events.ActionsRequested) {
	for i := range r.Calls {
		c := &r.Calls[i]
		if t.byID[c.CallID] != nil {
			continue
		}
		call := &ToolCall{CallID: c.CallID, Name: c.ToolName, Input: c.Args, Status: CallPending, ParentCallID: c.ParentCallID, Turn: t.turn(turn)}
		if call.ParentCallID == "" {
			call.ParentCallID = r.ParentCallID
		}
		t.byID[c.CallID] = call
		t.calls = append(t.calls, call)
	}
}

// resolved comes before the result of what was denied, which may not come any more.
func (t *trace) resolved(_ string, r *events.InputResolved) {
	if call := t.byID[r.CallID]; call != nil && (r.Decision == events.DecisionDeny || r.Decision == events.DecisionExpired) {
		call.Status = CallRejected
	}
}

func (t *trace) result(_ string, r *events.ActionResult) {
	call := t.byID[r.CallID]
	if call == nil {
		return
	}
	call.Output, call.Stubbed = r.Output, r.Stubbed
	switch {
	case r.Code == events.CodeDenied || r.Code == events.CodeExpired:
		call.Status = CallRejected
	case r.IsError:
		call.Status = CallFailed
	default:
		call.Status = CallCompleted
	}
}

// toolCalls are the calls, those of subagents too, in the order of asking.
func (t *trace) toolCalls() []ToolCall {
	out := make([]ToolCall, len(t.calls))
	for i, c := range t.calls {
		out[i] = *c
	}
	return out
}

// tools are the names that were called, each once, in the order of the first call.
func (t *trace) tools() []string {
	out, seen := []string{}, map[string]bool{}
	for _, c := range t.calls {
		if !seen[c.Name] {
			seen[c.Name] = true
			out = append(out, c.Name)
		}
	}
	return out
}

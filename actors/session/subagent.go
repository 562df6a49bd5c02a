package session

import (
	"slices"

	"github.com/gobdk/bdk/events"
)

// A Sub is a subagent's work inside a turn, from its subagent.called to its
// subagent.completed.
type Sub struct {
	// CallID is the task call that it answers.
	CallID string `json:"callId"`
	Name   string `json:"name"`
	// From is the index of its subagent.called, where its context begins.
	From uint64 `json:"from"`
	Work
	Used
}

// A Delegation is what a task call asks for: the subagent's name and its task.
type Delegation struct {
	Name string
	Task string
}

func (t *Turn) sub(callID string) *Sub {
	if callID == "" {
		return nil
	}
	for _, sub := range t.Subs {
		if sub.CallID == callID {
			return sub
		}
	}
	return nil
}

// applySub folds the start and the end of a subagent's work.
func (t *Turn) applySub(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.SubagentCalled:
		t.Subs = append(t.Subs, &Sub{CallID: d.CallID, Name: d.Name, From: e.Index})
	case *events.SubagentCompleted:
		t.Subs = slices.DeleteFunc(t.Subs, func(sub *Sub) bool { return sub.CallID == d.CallID })
	}
	t.Stalled = 0
}

// delegateAll begins the subagents that a step asks for; one that meets a limit
// may end the turn.
func (s *Session) delegateAll(calls []Prepared) {
	for i := range calls {
		if c := &calls[i]; c.Code == "" && c.Delegation != nil {
			s.delegate(&Delegate{CallID: c.Call.CallID, Delegation: *c.Delegation})
		}
	}
}

// delegate begins the subagent of a task call that has none, unless the call was
// closed meanwhile.
func (s *Session) delegate(in *Delegate) {
	c := s.Turn.call(in.CallID)
	switch {
	case c == nil || c.Status != CallRunning || s.Turn.sub(in.CallID) != nil:
	case c.ParentCallID != "":
		parent := c.ParentCallID
		s.result(in.CallID, failure(events.CodeUnknownTool, "a subagent cannot delegate its work further"))
		s.advance(parent)
	case s.overBudget():
		s.failBudget()
	default:
		s.record(&events.SubagentCalled{CallID: in.CallID, Name: in.Name, Task: in.Task})
		s.nextStep(in.CallID)
	}
}

// breakOff ends a line of work that cannot go on: with it the turn, or the call
// that the subagent should have answered.
func (s *Session) breakOff(parent, code, message string) {
	if parent == "" {
		s.fail(events.StatusError, code, message)
		return
	}
	s.finishSub(parent, code, failure(events.CodeToolError, "the subagent did not finish: "+message))
}

// finishSub ends a subagent and answers the call that it worked for. code is why it did
// not finish, empty where it did.
func (s *Session) finishSub(callID, code string, d *ToolDone) {
	s.closeSub(callID, code, d)
	s.do(&EndSubagent{CallID: callID})
	s.advance("")
}

// closeSub records the end of a subagent and the result of its call.
func (s *Session) closeSub(callID, code string, d *ToolDone) {
	sub := s.Turn.sub(callID)
	s.record(&events.SubagentCompleted{CallID: callID, Name: sub.Name, Output: d.Output, IsError: d.IsError, Code: code, Usage: sub.sum()})
	s.result(callID, d)
}

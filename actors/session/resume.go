package session

import (
	"github.com/gobdk/bdk/events"
)

// maxStalled is how many resumes in a row may pass without progress.
const maxStalled = 3

// resume takes up what was left open.
func (s *Session) resume(in *Resume) {
	s.closeDirect()
	switch {
	case in.Fault != "" && s.Turn != nil:
		s.fail(events.StatusError, events.FailInternal, in.Fault)
	case s.Turn == nil:
		s.startNext(false)
	case s.Parked():
		s.awaitParked()
	default:
		s.resumeTurn()
	}
}

// closeDirect closes direct calls: they are never run again, whatever their effect.
func (s *Session) closeDirect() {
	for len(s.Direct) > 0 {
		c := s.Direct[0]
		f := failure(events.CodeOutcomeUnknown, "the host stopped while this ran: its outcome is unknown")
		s.recordFor("", &events.ActionResult{CallID: c.CallID, ToolName: c.ToolName, Output: f.Output, IsError: true, Code: f.Code})
	}
}

func (s *Session) awaitParked() {
	for i := range s.Turn.Calls {
		if c := s.Turn.Calls[i]; c.Status == CallParked {
			s.do(&AwaitApproval{TurnID: s.Turn.ID, Call: c})
		}
	}
}

func (s *Session) resumeTurn() {
	t := s.Turn
	s.record(&events.TurnResumed{Reason: events.ReasonHostRestart, Attempt: t.Resumes + 1})
	switch {
	case t.Stalled >= maxStalled:
		s.fail(events.StatusError, events.FailResumeLimit, "the turn was resumed three times in a row without progress")
	case t.InStep:
		s.startStep(t.Step, t.Attempt+1)
	case t.Step == 0:
		s.nextStep()
	case t.Replied:
		s.judge()
	default:
		s.resumeCalls()
	}
}

// resumeCalls runs again what may run again, and closes the other calls.
func (s *Session) resumeCalls() {
	for i := range s.Turn.Calls {
		c := &s.Turn.Calls[i]
		if c.Status != CallRunning {
			continue
		}
		if again := c.Effect != events.EffectWrite || c.Idempotent || s.stubs(c.Call); again {
			s.do(&RunTool{TurnID: s.Turn.ID, Call: c.Call, Stub: s.stubs(c.Call)})
			continue
		}
		s.result(c.CallID, failure(events.CodeOutcomeUnknown, "the host stopped while this ran: whether it took effect is unknown"))
	}
	s.awaitParked()
	s.advance()
}

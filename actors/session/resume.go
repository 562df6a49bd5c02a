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
	case in.Cancel != "":
		s.cancelAll(in.Cancel)
	case in.Fault != "" && s.Turn != nil:
		s.fail(events.StatusError, events.FailInternal, in.Fault)
	case s.Turn == nil:
		s.startNext(false)
	case s.Parked():
		s.askAgain()
		if s.Turn == nil {
			return
		}
		for _, parent := range s.Turn.lines() {
			s.awaitParked(s.Turn.work(parent))
		}
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

func (s *Session) awaitParked(w *Work) {
	for i := range w.Calls {
		if c := w.Calls[i]; c.Status == CallParked && !c.Asks() {
			s.do(&AwaitApproval{TurnID: s.Turn.ID, Call: c})
		}
	}
}

func (s *Session) resumeTurn() {
	t := s.Turn
	s.record(&events.TurnResumed{Reason: events.ReasonHostRestart, Attempt: t.Resumes + 1})
	if t.Stalled >= maxStalled {
		s.fail(events.StatusError, events.FailResumeLimit, "the turn was resumed three times in a row without progress")
		return
	}
	if !t.InStep && t.Replied {
		s.judge()
		return
	}
	s.resumeWork("")
	if s.Turn == t {
		s.askAgain()
	}
}

// resumeWork takes a line of work up: its step as the next attempt, or its calls.
func (s *Session) resumeWork(parent string) {
	t, w := s.Turn, s.Turn.work(parent)
	if w.InStep {
		s.startStep(parent, w.Step, w.Attempt+1)
		return
	}
	for i := range w.Calls {
		s.resumeCall(&w.Calls[i])
		if s.Turn != t || w.InStep { // a limit ended the turn, or a subagent that was the last to answer
			return
		}
	}
	s.awaitParked(w)
	s.advance(parent)
}

// resumeCall runs again what may run again, goes on with a subagent, and closes
// another call.
func (s *Session) resumeCall(c *Call) {
	switch {
	case c.Status != CallRunning:
	case s.Turn.sub(c.CallID) != nil:
		s.resumeWork(c.CallID)
	case c.Effect != events.EffectWrite, c.Idempotent, s.harmless(c.Call):
		s.runAgain(c)
	default:
		s.result(c.CallID, failure(events.CodeOutcomeUnknown, "the host stopped while this ran: whether it took effect is unknown"))
	}
}

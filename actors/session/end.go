package session

import (
	"slices"

	"github.com/gobdk/bdk/events"
)

// fail ends the started turn, closing its open calls first.
func (s *Session) fail(status, code, message string) {
	s.endTurn(status, code, message, nil)
	s.afterTurn(&events.SessionFailed{Message: message}, nil)
}

// failOpen fails the started turn if it is the one that is meant.
func (s *Session) failOpen(turn, code, message string) {
	if s.Turn != nil && s.Turn.ID == turn {
		s.fail(events.StatusError, code, message)
	}
}

// cancelOpen cancels the open turn, started or not; it says whether there was one.
func (s *Session) cancelOpen(code, message string, notStarted []string) bool {
	switch {
	case s.Turn != nil:
		s.endTurn(events.StatusCancelled, code, message, notStarted)
	case len(s.Queue) > 0:
		turn := s.Queue[0]
		s.recordFor(turn, &events.TurnFailed{Message: message, Status: events.StatusCancelled, Code: code})
		s.do(&EndTurn{TurnID: turn})
	default:
		return false
	}
	return true
}

// cancelAll cancels every open turn, started or not; the session rests then.
func (s *Session) cancelAll(message string) {
	if !s.cancelOpen(events.FailStopped, message, nil) {
		return
	}
	for s.cancelOpen(events.FailStopped, message, nil) {
		continue
	}
	s.afterTurn(&events.SessionFailed{Message: message}, nil)
}

func (s *Session) endTurn(status, code, message string, notStarted []string) {
	turn := s.Turn.ID
	s.compacting = nil
	s.closeCalls("", notStarted)
	usage, cost := s.bill()
	s.record(&events.TurnFailed{Message: message, Status: status, Code: code, Usage: usage, Cost: cost})
	s.withdraw(turn)
	s.do(&EndTurn{TurnID: turn})
}

// closeCalls gives every open call of a line its one result, those of its subagents
// first: a write that may have started has an unknown outcome, all others were cancelled.
func (s *Session) closeCalls(parent string, notStarted []string) {
	w := s.Turn.work(parent)
	asked := w.asking("")
	for i := range w.Calls {
		c := &w.Calls[i]
		switch {
		case c.Status == CallDone:
		case s.Turn.sub(c.CallID) != nil:
			s.closeCalls(c.CallID, notStarted)
			s.closeSub(c.CallID, "", failure(events.CodeCancelled, "cancelled before it finished"))
		case slices.Contains(asked, c.CallID):
			if c.Asks() { // once for all that wait for the connection
				s.record(&events.AuthorizationCompleted{Connection: c.Grant.Connection, Outcome: events.OutcomeCancelled, ParentCallID: parent})
			}
			s.result(c.CallID, failure(events.CodeCancelled, "cancelled before it ran"))
		case c.Status == CallParked:
			s.resolve(c.RequestID, &Decide{CallID: c.CallID, Decision: events.DecisionCancelled})
			s.result(c.CallID, failure(events.CodeCancelled, "cancelled before it ran"))
		case c.Effect == events.EffectWrite && !s.harmless(c.Call) && !s.pending(c.CallID) && !slices.Contains(notStarted, c.CallID):
			s.result(c.CallID, failure(events.CodeOutcomeUnknown, "cancelled while it ran: whether it took effect is unknown"))
		default:
			s.result(c.CallID, failure(events.CodeCancelled, "cancelled before it finished"))
		}
	}
}

// pending says whether a call's run was decided but not handed out yet.
func (s *Session) pending(callID string) bool {
	return slices.ContainsFunc(s.ready.Effects, func(f Effect) bool {
		r, ok := f.(*RunTool)
		return ok && r.Call.CallID == callID
	})
}

// withdraw takes back what the turn was about to start.
func (s *Session) withdraw(turn string) {
	s.ready.Effects = slices.DeleteFunc(s.ready.Effects, func(f Effect) bool {
		switch f := f.(type) {
		case *CallModel:
			return f.TurnID == turn
		case *Resolve:
			return f.TurnID == turn
		case *Compact:
			return f.TurnID == turn
		case *RunTool:
			return f.TurnID == turn && turn != ""
		case *AwaitApproval:
			return f.TurnID == turn
		case *EndSubagent:
			return true // EndTurn follows
		}
		return false
	})
}

// afterTurn goes on after a turn's end: the next one, or rest. failed is nil for a
// turn that completed with result.
func (s *Session) afterTurn(failed *events.SessionFailed, result events.RawJSON) {
	switch {
	case s.Mode == events.ModeTask && failed != nil:
		s.recordFor("", failed)
	case s.Mode == events.ModeTask:
		s.recordFor("", &events.SessionCompleted{Result: result})
	case len(s.Queue) > 0:
		s.startNext(false)
	default:
		s.recordFor("", &events.SessionWaiting{})
	}
}

package session

import "github.com/gobdk/bdk/events"

// Settle closes what the copied history of a fork left open; it is the first input
// after that history, and the session waits for a message then.
type Settle struct{}

func (*Settle) input() {}

// settle closes calls and turns that stay with the other session, and disarms its
// reminders here.
func (s *Session) settle() {
	for len(s.Direct) > 0 {
		c := s.Direct[0]
		f := failure(events.CodeCancelled, "this call belongs to the session that this one was forked from")
		s.recordFor("", &events.ActionResult{CallID: c.CallID, ToolName: c.ToolName, Output: f.Output, IsError: true, Code: f.Code})
	}
	for len(s.Queue) > 0 {
		s.recordFor(s.Queue[0], &events.TurnFailed{
			Message: "this message waited where the session was forked, and stays with the other one",
			Status:  events.StatusCancelled, Code: events.FailForked,
		})
	}
	for len(s.Reminders) > 0 {
		s.recordFor("", &events.ReminderCancelled{ReminderID: s.Reminders[0].ID})
	}
	s.recordFor("", &events.SessionWaiting{})
}

// disown takes out of the state what a copied event says of the other session alone:
// what it spent, and how its channel knows it.
func (s *Session) disown() {
	s.Spent, s.Tokens = 0, 0
	s.ChannelState, s.ContinuationToken = nil, ""
}

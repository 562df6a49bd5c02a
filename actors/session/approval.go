package session

import (
	"time"

	"github.com/gobdk/bdk/events"
)

// park asks for approval of a call, or denies it at once where nobody can answer.
func (s *Session) park(c *Prepared) {
	req := &events.InputRequested{RequestID: c.RequestID, Kind: events.KindApproval, CallID: c.Call.CallID, ToolName: c.Call.ToolName, Args: c.Call.Args, ParentCallID: c.Call.ParentCallID}
	if s.cfg.NoApprover {
		s.record(req)
		s.resolve(req.RequestID, &Decide{CallID: c.Call.CallID, Decision: events.DecisionDeny, Reason: "nobody can approve a call in this session"})
		s.result(c.Call.CallID, failure(events.CodeDenied, "denied: nobody can approve a call in this session"))
		return
	}
	if s.cfg.ApprovalTimeout > 0 {
		at := s.now.Add(s.cfg.ApprovalTimeout).UTC().Truncate(time.Millisecond) // as every time of the log
		req.ExpiresAt = &at
	}
	s.record(req)
	s.do(&AwaitApproval{TurnID: s.Turn.ID, Call: *s.Turn.call(c.Call.CallID)})
}

func (s *Session) resolve(requestID string, d *Decide) {
	parent := s.Turn.call(d.CallID).ParentCallID
	s.record(&events.InputResolved{RequestID: requestID, CallID: d.CallID, Decision: d.Decision, By: d.By, Reason: d.Reason, Idempotency: d.Idempotency, ParentCallID: parent})
}

// decide applies a person's decision, once. The same one again is no error and
// changes nothing; a call that is not of the newest step is ErrUnknownCall.
func (s *Session) decide(in *Decide) error {
	c := s.Turn.call(in.CallID)
	switch {
	case in.Decision != events.DecisionApprove && in.Decision != events.DecisionDeny:
		return ErrDecision
	case c == nil || c.RequestID == "":
		return ErrUnknownCall
	case c.Decision != "":
		return Settled(c.Decision, in.Decision)
	}
	s.resolve(c.RequestID, in)
	s.do(&CloseApproval{CallID: in.CallID})
	if in.Decision == events.DecisionApprove {
		s.do(&RunTool{TurnID: s.Turn.ID, Call: c.Call, Stub: s.stubs(c.Call)})
		return nil
	}
	message := "denied by a person"
	if in.Reason != "" {
		message += ": " + in.Reason
	}
	parent := c.ParentCallID
	s.result(in.CallID, failure(events.CodeDenied, message))
	s.advance(parent)
	return nil
}

// Settled says what a decision meets when the call was resolved before: nil for the same one again.
func Settled(was, wanted string) error {
	switch was {
	case wanted:
		return nil
	case events.DecisionCancelled:
		return ErrCallCancelled
	case events.DecisionExpired:
		return ErrCallExpired
	}
	return ErrResolved
}

// expire closes the parked calls whose deadline has passed.
func (s *Session) expire() {
	if s.Turn == nil {
		return
	}
	for _, parent := range s.Turn.lines() {
		s.expireIn(parent)
	}
	s.expireGrants()
}

// expireIn does so for one line of work, if it is still there.
func (s *Session) expireIn(parent string) {
	w := s.Turn.work(parent)
	if w == nil {
		return
	}
	expired := false
	for i := range w.Calls {
		c := &w.Calls[i]
		if c.Status != CallParked || c.Asks() || c.ExpiresAt == nil || c.ExpiresAt.After(s.now) {
			continue
		}
		expired = true
		s.resolve(c.RequestID, &Decide{CallID: c.CallID, Decision: events.DecisionExpired})
		s.do(&CloseApproval{CallID: c.CallID})
		s.result(c.CallID, failure(events.CodeExpired, "the approval expired before anybody decided"))
	}
	if expired {
		s.advance(parent)
	}
}

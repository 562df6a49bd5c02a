package session

import (
	"slices"
	"time"

	"github.com/gobdk/bdk/events"
)

// maxGrantWait is how long a call may wait for somebody to authorize its connection.
const maxGrantWait = 10 * time.Minute

// A Grant is what a call waits, or waited, for: that somebody authorizes its connection.
type Grant struct {
	Connection string `json:"connection"`
	URL        string `json:"url,omitempty"`
	// Outcome is how it ended; empty while it is open.
	Outcome string `json:"outcome,omitempty"`
}

// A Link is where a person authorizes a connection, and until when.
type Link struct {
	Connection string
	URL        string
	ExpiresAt  time.Time
}

// Asks says whether the call waits for somebody to authorize its connection.
func (c *Call) Asks() bool { return c.Grant != nil && c.Grant.Outcome == "" }

// Asks says whether a call waits for somebody to authorize its connection.
func (s *State) Asks() bool { return s.Turn.asking("") != nil }

// asking finds a call that waits so; an empty connection means any.
func (t *Turn) asking(connection string) *Call {
	if t == nil {
		return nil
	}
	for c := range t.calls() {
		if c.Asks() && (connection == "" || c.Grant.Connection == connection) {
			return c
		}
	}
	return nil
}

// nobodyGrants says whether nobody could authorize a connection now.
func (s *Session) nobodyGrants() bool {
	return s.cfg.NoApprover || s.Mode == events.ModeTask || s.Eval
}

// askGrant parks a call until its connection is authorized, or fails it where nobody
// can do that, or somebody has and the call still may not run. The calls of a turn
// that wait for one connection share a link.
func (s *Session) askGrant(callID string, l Link) {
	c := s.Turn.call(callID)
	if s.nobodyGrants() || c.Grant != nil && c.Grant.Outcome == events.OutcomeGranted {
		s.result(callID, reconnect(l.Connection))
		return
	}
	at := l.ExpiresAt
	if at.IsZero() || at.Sub(s.now) > maxGrantWait {
		at = s.now.Add(maxGrantWait)
	}
	at = at.UTC().Truncate(time.Millisecond) // as every time of the log
	if first := s.Turn.asking(l.Connection); first != nil && first.ExpiresAt != nil {
		l.URL, at = first.Grant.URL, *first.ExpiresAt
	}
	s.record(&events.AuthorizationRequested{Connection: l.Connection, CallID: callID, URL: l.URL, ExpiresAt: &at, ParentCallID: c.ParentCallID})
	s.do(&AwaitApproval{TurnID: s.Turn.ID, Call: *s.Turn.call(callID)})
}

func reconnect(connection string) *ToolDone {
	return failure(events.CodeToolError, "Reconnect "+connection)
}

// stepGrant takes what a call that waits for a grant, or has waited, comes to.
func (s *Session) stepGrant(in Input) {
	switch in := in.(type) {
	case *NeedGrant:
		s.needGrant(in)
	case *NeedApproval:
		s.needApproval(in)
	case *Granted:
		s.granted(in)
	}
}

// needGrant takes that a call could not begin.
func (s *Session) needGrant(in *NeedGrant) {
	if c := s.Turn.call(in.CallID); c != nil && c.Status == CallRunning && s.Turn.sub(in.CallID) == nil {
		parent := c.ParentCallID
		s.askGrant(in.CallID, in.Link)
		s.advance(parent)
	}
}

// needApproval takes that a call which waited for a grant needs an approval, too.
func (s *Session) needApproval(in *NeedApproval) {
	c := s.Turn.call(in.CallID)
	if c == nil || c.Status != CallRunning || c.Grant == nil || c.Decision != "" {
		return
	}
	parent := c.ParentCallID
	s.park(&Prepared{Call: c.Call, RequestID: in.RequestID})
	s.advance(parent)
}

// granted goes on with the calls that wait for a connection, or ends them.
func (s *Session) granted(in *Granted) {
	var lines []string
	for _, id := range s.settleGrant(in.Connection, in.Outcome) {
		c := s.Turn.call(id)
		if in.Outcome == events.OutcomeGranted {
			s.runAgain(c)
			continue
		}
		if !slices.Contains(lines, c.ParentCallID) {
			lines = append(lines, c.ParentCallID)
		}
		s.result(id, reconnect(in.Connection))
	}
	for _, parent := range lines {
		s.advance(parent)
	}
}

// settleGrant records how the wait for a connection ended, once for each line of
// work, and gives the calls that waited.
func (s *Session) settleGrant(connection, outcome string) (ids []string) {
	if s.Turn == nil {
		return nil
	}
	for _, parent := range s.Turn.lines() {
		if of := s.Turn.work(parent).asking(connection); len(of) > 0 {
			s.record(&events.AuthorizationCompleted{Connection: connection, Outcome: outcome, ParentCallID: parent})
			ids = append(ids, of...)
		}
	}
	for _, id := range ids {
		s.do(&CloseApproval{CallID: id})
	}
	return ids
}

// asking are the calls of a line that wait for a connection; an empty one means any.
func (w *Work) asking(connection string) (ids []string) {
	for i := range w.Calls {
		if c := &w.Calls[i]; c.Asks() && (connection == "" || c.Grant.Connection == connection) {
			ids = append(ids, c.CallID)
		}
	}
	return ids
}

// runAgain runs a call that may have waited for a grant. What holds for it is found
// again then, unless a person has approved it.
func (s *Session) runAgain(c *Call) {
	f := &RunTool{TurnID: s.Turn.ID, Call: c.Call, Stub: s.stubs(c.Call)}
	if c.Grant != nil {
		f.Connection, f.Check = c.Grant.Connection, c.Decision == ""
	}
	s.do(f)
}

// expireGrants ends the waits whose time is over.
func (s *Session) expireGrants() {
	if s.Turn == nil {
		return
	}
	var over []string
	for c := range s.Turn.calls() {
		if c.Asks() && (c.ExpiresAt == nil || !c.ExpiresAt.After(s.now)) {
			over = append(over, c.Grant.Connection)
		}
	}
	for _, connection := range over {
		s.granted(&Granted{Connection: connection, Outcome: events.OutcomeExpired})
	}
}

// askAgain takes up the calls that wait for a grant: their links ended with the host
// that gave them, and they have not begun, so each runs and asks anew.
func (s *Session) askAgain() {
	s.expireGrants()
	for c := s.Turn.asking(""); c != nil; c = s.Turn.asking("") {
		for _, id := range s.settleGrant(c.Grant.Connection, events.OutcomeCancelled) {
			s.runAgain(s.Turn.call(id))
		}
	}
}

// applyGrant folds that a call begins to wait for a grant, and how that ended.
func (t *Turn) applyGrant(p events.Payload) {
	t.Stalled = 0
	switch d := p.(type) {
	case *events.AuthorizationRequested:
		if c := t.call(d.CallID); c != nil {
			c.Status, c.ExpiresAt, c.Grant = CallParked, d.ExpiresAt, &Grant{Connection: d.Connection, URL: d.URL}
		}
	case *events.AuthorizationCompleted:
		w := t.work(d.ParentCallID)
		if w == nil {
			return
		}
		for _, id := range w.asking(d.Connection) {
			c := w.call(id)
			c.Status, c.ExpiresAt, c.Grant = CallRunning, nil, &Grant{Connection: d.Connection, URL: c.Grant.URL, Outcome: d.Outcome}
		}
	}
}

package transport

import (
	"bytes"

	"github.com/gobdk/bdk/events"
)

// rest is a fold that knows whether a session is idle, ended or parked, and no
// more. Its zero value is a session with work to do of which nothing is known.
type rest struct {
	idle  bool
	ended bool
	// turn is the turn that runs, empty when none does.
	turn string
	// scopes of the turn: the agent's own under "", a subagent's under the call that started it.
	scopes map[string]*scope
}

// A scope is one line of work: it steps, or waits for the calls it asked for.
type scope struct {
	stepping bool
	// calls that have no result yet, each with what it waits for: a person's decision, or
	// a connection; empty: nothing.
	calls map[string]string
}

// reached says that nothing goes on until somebody from outside acts.
func (r *rest) reached() bool {
	return r.idle || r.ended || r.turn != "" && r.parked("")
}

// parked says that a scope does nothing but wait for people.
func (r *rest) parked(id string) bool {
	s := r.scopes[id]
	if s == nil || s.stepping || len(s.calls) == 0 {
		return false
	}
	for call, waits := range s.calls {
		if waits == "" && !r.parked(call) {
			return false
		}
	}
	return true
}

// apply folds one recorded line. Lines are decoded only where a call is in them.
func (r *rest) apply(line []byte) {
	switch t := events.TypeOf(line); t {
	case "session.waiting":
		*r = rest{idle: true}
	case "session.completed", "session.failed", "session.deleted":
		r.ended = true
	case "message.received":
		r.idle = false
	case "turn.started", "turn.resumed":
		r.begin(turnOf(line))
	case "turn.completed", "turn.failed":
		if turnOf(line) == r.turn {
			r.begin("")
		}
	case "step.started", "step.completed":
		r.scope(parentOf(line)).stepping = t == "step.started"
	case "actions.requested", "input.requested", "input.resolved", "action.result", "authorization.requested", "authorization.completed":
		if turnOf(line) != "" { // a direct call belongs to no turn
			r.applyCall(line)
		}
	}
}

func (r *rest) begin(turn string) {
	r.idle = false
	if turn != r.turn {
		r.turn, r.scopes = turn, nil
	}
}

func (r *rest) scope(id string) *scope {
	s := r.scopes[id]
	if s == nil {
		s = &scope{}
		if r.scopes == nil {
			r.scopes = map[string]*scope{}
		}
		r.scopes[id] = s
	}
	return s
}

func (r *rest) applyCall(line []byte) {
	e, err := events.Decode(line)
	if err != nil {
		return // a line that this build cannot read says nothing of rest
	}
	switch d := e.Data.(type) {
	case *events.ActionsRequested:
		for _, c := range d.Calls {
			r.scope(d.ParentCallID).set(c.CallID, "")
		}
	case *events.InputRequested:
		r.scope(d.ParentCallID).set(d.CallID, "a decision")
	case *events.InputResolved:
		r.scope(d.ParentCallID).set(d.CallID, "")
	case *events.AuthorizationRequested:
		if d.CallID != "" {
			r.scope(d.ParentCallID).set(d.CallID, connectionOf(d.Connection))
		}
	case *events.AuthorizationCompleted:
		for call, waits := range r.scope(d.ParentCallID).calls {
			if waits == connectionOf(d.Connection) {
				r.scope(d.ParentCallID).set(call, "")
			}
		}
	case *events.ActionResult:
		delete(r.scope(d.ParentCallID).calls, d.CallID)
		delete(r.scopes, d.CallID)
	}
}

func connectionOf(name string) string { return "connection " + name }

func (s *scope) set(call, waits string) {
	if s.calls == nil {
		s.calls = map[string]string{}
	}
	s.calls[call] = waits
}

// turnOf reads the turn of a line from its envelope, where no text of a client stands.
func turnOf(line []byte) string {
	envelope, _, _ := bytes.Cut(line, []byte(`,"data":`))
	_, rest, ok := bytes.Cut(envelope, []byte(`"turnId":"`))
	if !ok {
		return ""
	}
	turn, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(turn)
}

// parentOf reads the call to whose subagent a step belongs.
func parentOf(line []byte) string {
	if !bytes.Contains(line, []byte(`"parentCallId"`)) {
		return ""
	}
	e, err := events.Decode(line)
	if err != nil {
		return ""
	}
	switch d := e.Data.(type) {
	case *events.StepStarted:
		return d.ParentCallID
	case *events.StepCompleted:
		return d.ParentCallID
	}
	return ""
}

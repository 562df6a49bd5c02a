package session_test

import (
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// closing is the order in which an input that ends the turn has to close its calls:
// "for each open call of that turn, in the order of actions.requested …; a subagent's
// own calls come first, then its subagent.completed, then the task call's action.result".
// Nil where the input ends no turn.
func (d *driver) closing(in session.Input) []string {
	t := d.s.Turn
	switch in := in.(type) {
	case *session.Stop:
	case *session.Message:
		if !in.Interrupt {
			return nil
		}
	default:
		return nil
	}
	if t == nil {
		return nil
	}
	order := []string{}
	for _, c := range t.Calls {
		for _, sub := range t.Subs {
			if sub.CallID != c.CallID {
				continue
			}
			for _, inner := range sub.Calls {
				if inner.Status != session.CallDone {
					order = append(order, inner.CallID)
				}
			}
			order = append(order, "end of "+c.CallID)
		}
		if c.Status != session.CallDone {
			order = append(order, c.CallID)
		}
	}
	return order
}

func resultsOf(evs []events.Event) (order []string) {
	for i := range evs {
		switch d := evs[i].Data.(type) {
		case *events.ActionResult:
			order = append(order, d.CallID)
		case *events.SubagentCompleted:
			order = append(order, "end of "+d.CallID)
		}
	}
	return order
}

// A logCheck holds a log against the promises: P03, P14, P15, P18.
type logCheck struct {
	d                *driver
	results, ended   map[string]int
	askedIn, askedBy map[string]string   // call → turn, call → the subagent's call
	open             string              // the turn that runs
	calls            map[string][]string // of the newest step, by line of work
	steps            map[string]int      // the newest step, by line of work
	asks             map[string]string   // call → the connection that it waits for
}

func (d *driver) check() {
	c := &logCheck{d: d, results: map[string]int{}, ended: map[string]int{}, askedIn: map[string]string{}, askedBy: map[string]string{}, asks: map[string]string{}}
	for i := range d.log {
		if d.log[i].Index != uint64(i) {
			d.fatal(i, "index %d", d.log[i].Index)
		}
		c.see(i, &d.log[i])
	}
}

func (c *logCheck) see(i int, e *events.Event) {
	switch p := e.Data.(type) {
	case *events.TurnStarted:
		if c.open != "" {
			c.d.fatal(i, "turn %s starts inside %s", e.TurnID, c.open)
		}
		c.open, c.calls, c.steps = e.TurnID, map[string][]string{}, map[string]int{"": 0}
	case *events.StepStarted:
		c.step(i, p)
	case *events.ActionsRequested:
		for _, call := range p.Calls {
			c.askedIn[call.CallID], c.askedBy[call.CallID] = e.TurnID, p.ParentCallID
			if e.TurnID != "" {
				c.calls[p.ParentCallID] = append(c.calls[p.ParentCallID], call.CallID)
			}
		}
	case *events.AuthorizationRequested:
		if c.asks[p.CallID] != "" || c.results[p.CallID] > 0 || c.askedBy[p.CallID] != p.ParentCallID || c.d.cfg.NoApprover || p.ExpiresAt.Sub(e.At) > 10*time.Minute {
			c.d.fatal(i, "call %s asks for %s", p.CallID, p.Connection)
		}
		c.asks[p.CallID] = p.Connection
		c.d.asks++
	case *events.AuthorizationCompleted:
		c.authorized(i, p)
	case *events.ActionResult:
		c.result(i, e, p)
	case *events.SubagentCalled:
		if c.askedIn[p.CallID] != e.TurnID || c.askedBy[p.CallID] != "" || c.has(p.CallID) || c.results[p.CallID] > 0 {
			c.d.fatal(i, "subagent %s begins", p.CallID)
		}
		c.steps[p.CallID] = 0
		c.d.begun++
	case *events.SubagentCompleted:
		c.completed(i, p)
	case *events.TurnCompleted, *events.TurnFailed:
		c.end(i, e)
	case *events.SessionWaiting:
		if c.open != "" {
			c.d.fatal(i, "waiting inside a turn")
		}
	}
}

func (c *logCheck) has(line string) bool { _, ok := c.steps[line]; return ok }

// step: "Every call in actions.requested gets exactly one action.result before the
// next model step"; "a subagent counts its own steps".
func (c *logCheck) step(i int, p *events.StepStarted) {
	c.answered(i, p.ParentCallID)
	if was := c.steps[p.ParentCallID]; !c.has(p.ParentCallID) || p.Step != was && (p.Step != was+1 || p.Attempt != 1) {
		c.d.fatal(i, "step %d.%d of %q after %d", p.Step, p.Attempt, p.ParentCallID, was)
	}
	c.steps[p.ParentCallID], c.calls[p.ParentCallID] = p.Step, nil
}

func (c *logCheck) answered(i int, line string) {
	for _, call := range c.calls[line] {
		if c.results[call] != 1 {
			c.d.fatal(i, "call %s has %d results", call, c.results[call])
		}
	}
}

// authorized: every authorization.requested is completed before its call's result.
func (c *logCheck) authorized(i int, p *events.AuthorizationCompleted) {
	n := 0
	for call, connection := range c.asks {
		if connection == p.Connection && c.askedBy[call] == p.ParentCallID {
			delete(c.asks, call)
			n++
		}
	}
	if n == 0 {
		c.d.fatal(i, "nothing of %q waits for %s", p.ParentCallID, p.Connection)
	}
	if p.Outcome == events.OutcomeGranted {
		c.d.regained += n
	}
}

func (c *logCheck) result(i int, e *events.Event, p *events.ActionResult) {
	if c.asks[p.CallID] != "" {
		c.d.fatal(i, "call %s is answered while it waits for %s", p.CallID, c.asks[p.CallID])
	}
	if c.results[p.CallID]++; c.results[p.CallID] > 1 || c.askedIn[p.CallID] != e.TurnID || c.askedBy[p.CallID] != p.ParentCallID {
		c.d.fatal(i, "call %s of %q: %d results, asked in %q by %q", p.CallID, p.ParentCallID, c.results[p.CallID], c.askedIn[p.CallID], c.askedBy[p.CallID])
	}
	if c.has(p.CallID) {
		c.d.fatal(i, "call %s is answered while its subagent works", p.CallID)
	}
}

// completed: its own calls are answered, and its call is answered right after it.
func (c *logCheck) completed(i int, p *events.SubagentCompleted) {
	if !c.has(p.CallID) {
		c.d.fatal(i, "subagent %s ends and had not begun", p.CallID)
	}
	if !p.IsError {
		c.d.replied++
	}
	c.answered(i, p.CallID)
	delete(c.steps, p.CallID)
	delete(c.calls, p.CallID)
	if i+1 == len(c.d.log) {
		c.d.fatal(i, "the log ends with subagent.completed")
	}
	if r, ok := c.d.log[i+1].Data.(*events.ActionResult); !ok || r.CallID != p.CallID || r.IsError != p.IsError {
		c.d.fatal(i, "after subagent %s comes %s", p.CallID, c.d.log[i+1].Type)
	}
}

// end: "every opened turn ends exactly once, started or not".
func (c *logCheck) end(i int, e *events.Event) {
	if c.ended[e.TurnID]++; c.ended[e.TurnID] > 1 {
		c.d.fatal(i, "turn %s ends twice", e.TurnID)
	}
	if c.open != e.TurnID {
		return
	}
	c.answered(i, "")
	if len(c.steps) != 1 {
		c.d.fatal(i, "turn %s ends with subagents inside: %v", e.TurnID, c.steps)
	}
	c.open = ""
}

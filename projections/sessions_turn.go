package projections

import (
	"slices"

	"github.com/gobdk/bdk/events"
)

// A turnState is what of a session is open, as far as its status needs it.
// Slices are cloned before they change.
type turnState struct {
	// ended is the status of a session that is over, else empty.
	ended string
	// running is the turn that has started, queued those that have not.
	running string
	queued  []string
	// steps are the model steps that run: "" is the turn's own, another the task
	// call whose subagent thinks.
	steps []string
	calls []openCall
	// grants are the connections that wait for a person without a call.
	grants []string
}

// An openCall is a call of the running turn without a result.
type openCall struct {
	id string
	// waits says that it stands for a person: an approval, or an authorization of connection.
	waits      bool
	connection string
	// subagent says that it stands for the subagent's own steps and calls.
	subagent bool
}

func (t *turnState) open() bool { return t.running != "" || len(t.queued) > 0 }

// parked: an approval or authorization is open and nothing else of the turn runs.
func (t *turnState) parked() bool {
	waits := len(t.grants) > 0
	for _, c := range t.calls {
		if !c.waits && !c.subagent {
			return false
		}
		waits = waits || c.waits
	}
	return waits && len(t.steps) == 0
}

func (t *turnState) fold(e *events.Event) {
	switch data := e.Data.(type) {
	case *events.MessageReceived:
		t.queue(e.TurnID)
	case *events.TurnStarted:
		t.queued = without(t.queued, e.TurnID)
		*t = turnState{ended: t.ended, running: e.TurnID, queued: t.queued}
	case *events.TurnCompleted, *events.TurnFailed:
		t.end(e.TurnID)
	case *events.SessionWaiting, *events.SessionCompleted, *events.SessionFailed:
		*t = turnState{ended: t.ended}
	default:
		if e.TurnID != "" && e.TurnID == t.running {
			t.foldRunning(data)
		}
	}
}

// foldRunning folds what happens inside the running turn; direct calls have no turn.
func (t *turnState) foldRunning(data events.Payload) {
	switch d := data.(type) {
	case *events.StepStarted:
		t.steps = append(without(t.steps, d.ParentCallID), d.ParentCallID)
	case *events.StepCompleted:
		t.steps = without(t.steps, d.ParentCallID)
	case *events.ActionsRequested:
		t.calls = slices.Clone(t.calls)
		for _, c := range d.Calls {
			t.calls = append(t.calls, openCall{id: c.CallID})
		}
	case *events.InputRequested:
		t.change(d.CallID, func(c *openCall) { c.waits = true })
	case *events.InputResolved:
		t.change(d.CallID, func(c *openCall) { c.waits = false })
	case *events.SubagentCalled:
		t.change(d.CallID, func(c *openCall) { c.subagent = true })
	case *events.SubagentCompleted:
		t.steps = without(t.steps, d.CallID)
		t.change(d.CallID, func(c *openCall) { c.subagent = false })
	case *events.ActionResult:
		t.calls = slices.DeleteFunc(slices.Clone(t.calls), func(c openCall) bool { return c.id == d.CallID })
	case *events.AuthorizationRequested:
		t.authorize(d)
	case *events.AuthorizationCompleted:
		t.authorized(d.Connection)
	}
}

// queue keeps a turn that a message opened; coalesced messages share one.
func (t *turnState) queue(turn string) {
	if turn != "" && turn != t.running && !slices.Contains(t.queued, turn) {
		t.queued = append(slices.Clip(t.queued), turn)
	}
}

// end closes a turn, started or not.
func (t *turnState) end(turn string) {
	if turn != t.running {
		t.queued = without(t.queued, turn)
		return
	}
	*t = turnState{ended: t.ended, queued: t.queued}
}

func (t *turnState) authorize(d *events.AuthorizationRequested) {
	if d.CallID == "" {
		t.grants = append(without(t.grants, d.Connection), d.Connection)
		return
	}
	t.change(d.CallID, func(c *openCall) { c.waits, c.connection = true, d.Connection })
}

func (t *turnState) authorized(connection string) {
	t.grants = without(t.grants, connection)
	t.calls = slices.Clone(t.calls)
	for i := range t.calls {
		if c := &t.calls[i]; c.connection == connection {
			c.waits, c.connection = false, ""
		}
	}
}

func (t *turnState) change(call string, f func(*openCall)) {
	i := slices.IndexFunc(t.calls, func(c openCall) bool { return c.id == call })
	if i < 0 {
		return
	}
	t.calls = slices.Clone(t.calls)
	f(&t.calls[i])
}

// without gives a slice of its own that lacks s.
func without(list []string, s string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, x := range list {
		if x != s {
			out = append(out, x)
		}
	}
	return out
}

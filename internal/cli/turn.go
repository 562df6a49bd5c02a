package cli

import (
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// A turn is what the events of one turn have told so far.
type turn struct {
	// id is that of the first message that was seen; empty before.
	id string
	// pending are the calls that wait for a person, oldest first.
	pending []*events.InputRequested
	// links are where people authorize connections that calls wait for, oldest first.
	links []*events.AuthorizationRequested
	// answered are the calls, by id, that were decided here. They stay pending
	// until the log says how they came out.
	answered map[string]bool
	// reply is the text of the turn's last message that asked for nothing more.
	reply  string
	failed *events.TurnFailed
	ended  bool
}

// see folds one event. Those of other turns change nothing.
func (t *turn) see(e client.Event) {
	if m, ok := e.Data.(*events.MessageReceived); ok && t.id == "" && m != nil {
		t.id = e.TurnID
	}
	if e.TurnID == "" || e.TurnID != t.id {
		return
	}
	switch d := e.Data.(type) {
	case *events.MessageCompleted:
		if d.ParentCallID == "" && d.FinishReason != events.FinishToolCalls {
			t.reply = d.Text
		}
	case *events.InputRequested:
		t.pending = append(t.pending, d)
	case *events.InputResolved:
		t.pending = slices.DeleteFunc(t.pending, func(p *events.InputRequested) bool { return p.CallID == d.CallID })
	case *events.AuthorizationRequested:
		t.links = append(t.links, d)
	case *events.AuthorizationCompleted:
		t.links = slices.DeleteFunc(t.links, func(l *events.AuthorizationRequested) bool {
			return l.Connection == d.Connection && l.ParentCallID == d.ParentCallID
		})
	case *events.TurnCompleted:
		t.ended = true
	case *events.TurnFailed:
		t.ended, t.failed = true, d
	}
}

// follow says what a turn does after an event of it.
func (s *status) follow(e client.Event) {
	switch d := e.Data.(type) {
	case *events.StepStarted:
		s.begin("the model is thinking")
	case *events.ActionsRequested:
		names := make([]string, len(d.Calls))
		for i, c := range d.Calls {
			names[i] = c.ToolName
		}
		s.begin("running " + strings.Join(names, ", "))
	case *events.AuthorizationRequested:
		s.begin("waiting for the browser")
	case *events.InputResolved, *events.AuthorizationCompleted:
		s.begin("going on with the turn")
	case *events.TurnCompleted, *events.TurnFailed:
		s.end()
	}
}

// waiting are the calls that nobody here has decided about, oldest first.
func (t *turn) waiting() []*events.InputRequested {
	var list []*events.InputRequested
	for _, r := range t.pending {
		if !t.answered[r.CallID] {
			list = append(list, r)
		}
	}
	return list
}

// answer notes that calls need no more asking.
func (t *turn) answer(calls ...*events.InputRequested) {
	if t.answered == nil {
		t.answered = map[string]bool{}
	}
	for _, r := range calls {
		t.answered[r.CallID] = true
	}
}

// over says whether e, seen after the turn's end, belongs to what comes next.
func (t *turn) over(e client.Event) bool {
	if !t.ended {
		return false
	}
	_, received := e.Data.(*events.MessageReceived)
	return received || e.TurnID != "" && e.TurnID != t.id
}

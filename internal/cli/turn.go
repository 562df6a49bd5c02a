package cli

import (
	"slices"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// A turn is what the events of one turn have told so far.
type turn struct {
	// id is that of the first message that was seen; empty before.
	id string
	// pending are the calls that wait for a person, oldest first.
	pending []*events.InputRequested
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
	case *events.TurnCompleted:
		t.ended = true
	case *events.TurnFailed:
		t.ended, t.failed = true, d
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

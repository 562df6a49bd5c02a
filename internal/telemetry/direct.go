package telemetry

import (
	"strings"

	"github.com/gobdk/bdk/events"
)

// applyDirect folds what belongs to no turn: calls of tools without a model, in the
// log of a session or, bound to none, in that of the agent.
func (t *Traces) applyDirect(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.ToolCalled, *events.ActionsRequested:
		t.beginDirect(e)
	case *events.ToolResult:
		t.endDirect(e, &events.ActionResult{CallID: d.CallID, ToolName: d.ToolName, Output: d.Output, IsError: d.IsError, Code: d.Code})
	case *events.ActionResult:
		t.endDirect(e, d)
	}
}

// beginDirect notes the calls of an event.
func (t *Traces) beginDirect(e *events.Event) {
	var calls []events.Call
	switch d := e.Data.(type) {
	case *events.ToolCalled:
		calls = []events.Call{{CallID: d.CallID, ToolName: d.ToolName, Args: d.Args}}
	case *events.ActionsRequested:
		calls = d.Calls
	}
	for _, c := range calls {
		if t.room() {
			t.direct[e.SessionID+"/"+c.CallID] = &call{Call: c, began: e.At}
		}
	}
}

// endDirect makes the span of a call: a trace of its own.
func (t *Traces) endDirect(e *events.Event, d *events.ActionResult) {
	key := e.SessionID + "/" + d.CallID
	if t.direct[key] == nil && t.o.Before != nil {
		for _, old := range t.o.Before(e.SessionID, e.Index) {
			if old.TurnID == "" {
				t.beginDirect(old)
			}
		}
	}
	k := &turn{session: e.SessionID, id: d.CallID, direct: true, calls: map[string]*call{}}
	if c := t.direct[key]; c != nil {
		k.calls[d.CallID] = c
	}
	delete(t.direct, key)
	if slug, ok := strings.CutPrefix(e.SessionID, events.AgentLogPrefix); ok {
		k.session, k.agent, k.log = "", slug, e.SessionID
	} else {
		k.about = t.aboutOf(e.SessionID)
	}
	t.endCall(k, d, e.At)
}

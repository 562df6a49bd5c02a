package telemetry

import "github.com/gobdk/bdk/events"

// isCopy says whether an event is part of what a fork copied, or closes what that left
// open: its spans are those of the session that it came from.
func (t *Traces) isCopy(e *events.Event) bool {
	if d, ok := e.Data.(*events.SessionStarted); ok {
		if d.ForkedFrom != nil && len(t.copied) < maxTurns {
			t.copied[e.SessionID] = d.Copied()
		}
		return d.ForkedFrom != nil
	}
	n, ok := t.copied[e.SessionID]
	if !ok && t.begins(e) {
		n, ok = t.copiedBefore(e)
	}
	if _, rests := e.Data.(*events.SessionWaiting); ok && rests && e.Index >= n {
		delete(t.copied, e.SessionID)
	}
	return ok
}

// begins says whether an event is the first that is seen of a turn in a session whose
// start was not seen.
func (t *Traces) begins(e *events.Event) bool {
	if _, known := t.sessions[e.SessionID]; known || t.o.Before == nil {
		return false
	}
	if e.TurnID == "" {
		_, call := e.Data.(*events.ActionsRequested)
		return call
	}
	return spanned(e) && t.turns[e.SessionID+"/"+e.TurnID] == nil
}

// copiedBefore looks whether the event lies in what a fork copied whose start lies before
// this process.
func (t *Traces) copiedBefore(e *events.Event) (uint64, bool) {
	for _, first := range t.o.Before(e.SessionID, 1) {
		if d, ok := first.Data.(*events.SessionStarted); ok && e.Index < d.Copied() {
			t.copied[e.SessionID] = d.Copied()
			return d.Copied(), true
		}
	}
	return 0, false
}

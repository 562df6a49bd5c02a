package session

import "github.com/gobdk/bdk/events"

// tick folds the time that the turn has run: between two of its events, unless it
// was parked, or the host stood still. Deltas do not count: a fold skips them.
func (t *Turn) tick(e *events.Event, parked bool) {
	resumed := false
	switch e.Data.(type) {
	case *events.MessageAppended, *events.ReasoningAppended:
		return
	case *events.TurnResumed:
		resumed = true
	}
	at := e.At.UnixMilli()
	if !parked && !resumed && t.Last > 0 && at > t.Last {
		t.Ran += at - t.Last
	}
	t.Last = at
}

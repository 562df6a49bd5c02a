package telemetry

import (
	"testing"

	"github.com/gobdk/bdk/events"
)

// fork adds a copy of a log's turn, and what the fork then does itself.
func (s *shelf) fork(log, of string) {
	s.add(log, "", &events.SessionStarted{Agent: "desk", ChannelID: "http", Purpose: "live", ForkedFrom: &events.ForkRef{SessionID: of, Index: 5}})
	s.turn(log)
	s.add(log, "", &events.ActionsRequested{Calls: []events.Call{{CallID: "call_1", ToolName: "look"}}})
	s.add(log, "turn_2", &events.MessageReceived{Text: "waits"})
	s.add(log, "", &events.ActionResult{CallID: "call_1", ToolName: "look", IsError: true, Code: "cancelled"})
	s.add(log, "turn_2", &events.TurnFailed{Status: "cancelled", Code: "forked"})
	s.add(log, "", &events.SessionWaiting{})
}

// "copied events are marked by forkedFrom and not counted again": their spans are those
// of the session that they came from, also where the copying went on after a restart.
func TestFollow_Forks(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	s.fork("ses_1", "ses_0")
	s.add("ses_1", "turn_3", &events.MessageReceived{Text: "x"})
	s.add("ses_1", "turn_3", &events.TurnCompleted{})
	for live := range uint64(6) {
		s.has = false
		spans := s.follow(t, live, false)
		if len(spans) != 1 || spans[0].SpanContext.TraceID() != traceID("ses_1", "turn_3") {
			t.Errorf("from %d on there are %d spans", live, len(spans))
		}
	}
}

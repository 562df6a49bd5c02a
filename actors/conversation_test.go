package actors_test

import (
	"errors"
	"testing"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
)

// sessions.md: "Unique keys that its events carry … a taken one writes nothing and names
// the holder"; "(agent, channel, token) names one open conversation". A caller that comes
// second is told so; no fault of the host's is logged.
func TestHost_ConversationIsTaken(t *testing.T) {
	t.Parallel()
	var log diary
	h := newHouse(t, actors.Options{Logger: zerolog.New(&log)})
	room := actors.NewSession{Agent: "tester", Principal: local, Message: "hello", ChannelID: "chat", ContinuationToken: "room:1"}
	first := h.startWith(room)
	h.rest(first.SessionID, "waiting")
	var taken *actors.ConversationError
	if _, err := h.host.StartSession(t.Context(), room); !errors.As(err, &taken) || taken.SessionID != first.SessionID {
		t.Errorf("the second start gives %v, expected the session %s", err, first.SessionID)
	}
	if lines := log.all(); len(lines) > 0 {
		t.Errorf("the host logged %q", lines)
	}
}

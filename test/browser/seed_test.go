package browser

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// again writes the log of a session a second time while the host is down, as it would
// have been at another time, and gives the new session's id. change may alter the events.
func (h *host) again(id string, ago time.Duration, change func([]events.Event) []events.Event) string {
	h.t.Helper()
	lines := h.read(id, func(line string) bool { return typeOf(h.t, line) == "session.waiting" })
	h.kill()
	var all []events.Event
	for _, line := range lines {
		e, err := events.Decode([]byte(line))
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, events.Event{Type: e.Type, TurnID: e.TurnID, At: e.At.Add(-ago), Data: e.Data})
	}
	if change != nil {
		all = change(all)
	}
	copied, err := events.NewID("ses_", time.Now().Add(-ago), rand.Reader)
	if err != nil {
		h.t.Fatal(err)
	}
	record(h.t, h.root, copied, all)
	h.start()
	return copied
}

func record(t *testing.T, root, id string, all []events.Event) {
	t.Helper()
	j, err := journal.Open(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(all); {
		n := min(500, len(all)-at)
		if _, err := j.Append(t.Context(), journal.Append{Stream: id, Expect: uint64(at), Events: all[at : at+n]}); err != nil {
			t.Fatal(err)
		}
		at += n
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// titled gives the session another title.
func titled(title string) func([]events.Event) []events.Event {
	return func(all []events.Event) []events.Event {
		for i, e := range all {
			if s, ok := e.Data.(*events.SessionStarted); ok {
				renamed := *s
				renamed.Title = title
				all[i].Data = &renamed
			}
		}
		return all
	}
}

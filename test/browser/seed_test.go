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
	turn := h.turn(id)
	h.kill()
	copied := h.copy(turn, ago, change)
	h.start()
	return copied
}

// turn gives the events of a session up to the end of its turn.
func (h *host) turn(id string) []events.Event {
	h.t.Helper()
	var all []events.Event
	for _, line := range h.read(id, func(line string) bool { return typeOf(h.t, line) == "session.waiting" }) {
		e, err := events.Decode([]byte(line))
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, *e)
	}
	return all
}

// copy writes the events into the log of a new session. The host is down.
func (h *host) copy(turn []events.Event, ago time.Duration, change func([]events.Event) []events.Event) string {
	h.t.Helper()
	all := make([]events.Event, len(turn))
	for i, e := range turn {
		all[i] = events.Event{Type: e.Type, TurnID: e.TurnID, At: e.At.Add(-ago), Data: e.Data}
	}
	if change != nil {
		all = change(all)
	}
	id, err := events.NewID("ses_", time.Now().Add(-ago), rand.Reader)
	if err != nil {
		h.t.Fatal(err)
	}
	record(h.t, h.root, id, all)
	return id
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

// billed gives the session's turns a model, tokens and a price; no price where usd is 0.
func billed(model string, tokens int64, usd float64) func([]events.Event) []events.Event {
	usage := &events.Usage{InputTokens: tokens, CacheReadTokens: tokens / 2, CacheWriteTokens: tokens / 9, OutputTokens: tokens / 7}
	return func(all []events.Event) []events.Event {
		for i, e := range all {
			switch d := e.Data.(type) {
			case *events.TurnStarted:
				all[i].Data = &events.TurnStarted{Model: model}
			case *events.TurnCompleted:
				dear := *d
				dear.Usage, dear.Cost = usage, nil
				if usd > 0 {
					dear.Cost = &events.Cost{TotalUSD: usd, Model: model}
				}
				all[i].Data = &dear
			}
		}
		return all
	}
}

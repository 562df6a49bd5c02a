package browser

import (
	"cmp"
	"crypto/rand"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A past is a session of another time, which nobody ran then.
type past struct {
	// id is the session's; a new one where it is empty.
	id string
	// like are the events of the session, or of one in whose form it is, so long ago.
	like []events.Event
	ago  time.Duration
	// What was otherwise in it than in like, where it is not empty.
	title, said, reply, model string
	tokens                    int64
	usd                       float64
}

// turn gives the events of a session up to where it waits.
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

// remember writes sessions of other times into the journal, and gives their ids. A host that
// runs is killed for that, and started again.
func (h *host) remember(all ...past) []string {
	h.t.Helper()
	if h.cmd != nil && h.cmd.ProcessState == nil {
		h.kill()
		defer h.start()
	}
	j, err := journal.Open(h.root, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	ids := make([]string, len(all))
	for i, p := range all {
		if ids[i] = p.id; p.id == "" {
			ids[i] = newSession(h.t, p.like[0].At.Add(-p.ago))
		}
		log := p.events()
		for at := 0; at < len(log); {
			n := min(500, len(log)-at)
			if _, err := j.Append(h.t.Context(), journal.Append{Stream: ids[i], Expect: uint64(at), Events: log[at : at+n]}); err != nil {
				h.t.Fatal(err)
			}
			at += n
		}
	}
	if err := j.Close(); err != nil {
		h.t.Fatal(err)
	}
	return ids
}

// newSession makes an id of a session that began at a time.
func newSession(t *testing.T, at time.Time) string {
	t.Helper()
	id, err := events.NewID("ses_", at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// events are those of the session.
func (p past) events() []events.Event {
	all := make([]events.Event, len(p.like))
	for i, e := range p.like {
		all[i] = events.New(e.TurnID, e.At.Add(-p.ago), p.told(e.Data))
	}
	return all
}

// told is what an event of like says in this past.
func (p past) told(data events.Payload) events.Payload {
	switch d := data.(type) {
	case *events.SessionStarted:
		c := *d
		c.Title = cmp.Or(p.title, c.Title)
		return &c
	case *events.MessageReceived:
		c := *d
		c.Text = cmp.Or(p.said, c.Text)
		return &c
	case *events.TurnStarted:
		return &events.TurnStarted{Model: cmp.Or(p.model, d.Model)}
	case *events.StepStarted:
		c := *d
		c.Model = cmp.Or(p.model, c.Model)
		return &c
	case *events.MessageCompleted:
		c := *d
		c.Text = cmp.Or(p.reply, c.Text)
		return &c
	case *events.StepCompleted:
		c := *d
		c.Usage = p.usage(c.Usage)
		return &c
	case *events.TurnCompleted:
		c := *d
		c.Usage = p.usage(c.Usage)
		if p.tokens > 0 {
			c.Cost = nil
		}
		if p.usd > 0 {
			c.Cost = &events.Cost{TotalUSD: p.usd, Model: p.model}
		}
		return &c
	}
	return data
}

// usage is that of a past with tokens, and otherwise what it was.
func (p past) usage(was *events.Usage) *events.Usage {
	if p.tokens == 0 {
		return was
	}
	return &events.Usage{InputTokens: p.tokens, CacheReadTokens: p.tokens * 2, CacheWriteTokens: p.tokens / 9, OutputTokens: p.tokens / 8}
}

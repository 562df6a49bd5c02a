package slack

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// How often a thread is told what goes on.
const (
	growEvery   = time.Second // Slack takes about one edit a second
	statusEvery = 90 * time.Second
)

// A throttle remembers what threads show, by session. It is a memory of this life alone.
type throttle struct {
	mu    sync.Mutex
	shows map[string]*showing
}

type showing struct {
	status string
	since  time.Time
	// turn has said something in the message ts, last at grown.
	turn, ts string
	grown    time.Time
}

const maxShown = 10_000

// of needs the lock.
func (t *throttle) of(session string) *showing {
	if t.shows == nil || len(t.shows) >= maxShown {
		t.shows = map[string]*showing{}
	}
	s := t.shows[session]
	if s == nil {
		s = &showing{}
		t.shows[session] = s
	}
	return s
}

func (t *throttle) message(session, turn string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.of(session); s.turn == turn {
		return s.ts
	}
	return ""
}

func (t *throttle) forget(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.shows, session)
}

// due says whether a status is news.
func (t *throttle) due(session, status string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.of(session)
	if s.status == status && (status == "" || now.Sub(s.since) < statusEvery) {
		return false
	}
	s.status, s.since = status, now
	return true
}

// grows says whether a message may be edited now.
func (t *throttle) grows(session string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.of(session)
	if now.Sub(s.grown) < growEvery {
		return false
	}
	s.grown = now
	return true
}

func (t *throttle) posted(session, turn, ts string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.of(session)
	s.turn, s.ts = turn, ts
}

// thinks shows that the model works.
func (c *channel) thinks(ctx context.Context, v *visit) error {
	if d, ok := v.e.Data.(*events.StepStarted); !ok || d.ParentCallID != "" {
		return nil
	}
	c.status(ctx, v, c.o.Reply.Status.Reasoning)
	return nil
}

// works shows which tool runs.
func (c *channel) works(ctx context.Context, v *visit) error {
	d, ok := v.e.Data.(*events.ActionsRequested)
	if !ok || d.ParentCallID != "" || len(d.Calls) == 0 {
		return nil
	}
	name := d.Calls[0].ToolName
	text := either(c.o.Reply.Status.Tools[name], c.o.Reply.Status.Tools["*"])
	if text != "" {
		c.status(ctx, v, surface.OneLine(strings.ReplaceAll(text, "{tool}", name), 200))
	}
	return nil
}

// rests shows that nothing goes on.
func (c *channel) rests(ctx context.Context, v *visit) error {
	c.status(ctx, v, "")
	return nil
}

// status is a nicety: what goes wrong is logged, and the turn goes on.
func (c *channel) status(ctx context.Context, v *visit, text string) {
	if c.o.Reply.Status.Off || v.at.thread == "" || !c.shown.due(v.e.SessionID, text, c.o.Clock.Now()) {
		return
	}
	params := map[string]any{"channel_id": v.at.channel, "thread_ts": v.at.thread, "status": text}
	if idle := c.o.Reply.Status.Idle; len(idle) > 0 && text != "" {
		params["loading_messages"] = idle
	}
	if err := c.o.Client.ask(ctx, "assistant.threads.setStatus", params, nil); err != nil {
		v.Log.Debug().Err(err).Msg("showing a status on Slack")
	}
}

// grows posts the beginning of a reply, and edits it as it grows. What goes wrong is
// logged: the end of the turn posts the whole.
func (c *channel) grows(ctx context.Context, v *visit) error {
	d, ok := v.e.Data.(*events.MessageAppended)
	if !ok || d.ParentCallID != "" || !c.shown.grows(v.e.SessionID, c.o.Clock.Now()) {
		return nil
	}
	text, err := surface.Since(v.Call, v.e, "", func(text string, e *events.Event) string {
		switch d := e.Data.(type) {
		case *events.StepStarted:
			if d.ParentCallID == "" {
				return "" // what an attempt before it said is void
			}
		case *events.MessageAppended:
			if d.ParentCallID == "" {
				return text + d.Text
			}
		}
		return text
	})
	parts := surface.Split(text+d.Text, maxMessage, maxParts)
	if err != nil || len(parts) == 0 {
		return err
	}
	p := post{key: v.replyKey(0), text: parts[0]}
	ts := c.shown.message(v.e.SessionID, v.e.TurnID)
	if ts != "" {
		err = c.edit(ctx, v.at, ts, &p)
	} else if ts, err = c.put(ctx, v, p); err == nil {
		c.shown.posted(v.e.SessionID, v.e.TurnID, ts)
	}
	if err != nil {
		v.Log.Warn().Err(err).Msg("showing a reply that grows on Slack")
	}
	return nil
}

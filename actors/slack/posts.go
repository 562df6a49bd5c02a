package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A held record is what waits of one channel or thread, in the agent's store: posts that follow
// each other become one message. It is on disk before the event counts as handled, and
// taken up at the next start, so that a crash loses none.
type held struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	// Thread is empty for posts that begin one.
	Thread string    `json:"thread,omitempty"`
	First  time.Time `json:"first"`
	Due    time.Time `json:"due"`
	// Posts wait. So many of them as Frozen says are on their way: a message that may have
	// been sent is not changed.
	Posts  []heldPost `json:"posts,omitempty"`
	Frozen int        `json:"frozen,omitempty"`
	// Done are the newest that were sent, for events that come again.
	Done []string `json:"done,omitempty"`
}

type heldPost struct {
	TS    string           `json:"ts"`
	Text  string           `json:"text"`
	Title string           `json:"title"`
	Auth  events.Principal `json:"auth"`
}

const (
	// maxHold bounds, in times of the debounce, how long a row of posts holds back the first.
	maxHold = 10
	// maxHeld is how many posts become one message at most.
	maxHeld  = 20
	maxDone  = 100
	heldLife = 7 * 24 * time.Hour
	// storeRetries is how often a lost race for a key is run again.
	storeRetries = 20
	// heldAgain is when posts that could not be sent are tried again.
	heldAgain = 15 * time.Second
)

// posts tells the one that sends held posts of new ones.
type posts struct {
	mu    sync.Mutex
	keys  []string
	ended bool
	news  chan struct{} // has room for one
}

// add says whether somebody will see to the key.
func (p *posts) add(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return false
	}
	p.keys = append(p.keys, key)
	select {
	case p.news <- struct{}{}:
	default: // it was told, and has not looked yet
	}
	return true
}

func (p *posts) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	keys := p.keys
	p.keys = nil
	return keys
}

func (p *posts) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

func (c *channel) heldKeys() string { return "slack:posts:" + c.o.ID + ":" }

// hold keeps a post until no other has followed it for a while.
func (c *channel) hold(ctx context.Context, d *Delivery, m *Message, p heldPost) (*agent.Response, error) {
	if d.KV == nil {
		return nil, errors.New("slack: posts cannot be held: the agent has no store")
	}
	thread := ""
	if m.ThreadTS != "" && m.ThreadTS != m.TS {
		thread = m.ThreadTS
	}
	key := c.heldKeys() + d.Team + ":" + m.Channel + ":" + thread
	now, wait := c.o.Clock.Now().UTC(), c.o.Engagement.ChannelPosts.Debounce
	err := changeHeld(ctx, d.KV, key, func(h *held) bool {
		if slices.Contains(h.Done, p.TS) || slices.ContainsFunc(h.Posts, func(o heldPost) bool { return o.TS == p.TS }) {
			return false
		}
		h.Team, h.Channel, h.Thread = d.Team, m.Channel, thread
		if len(h.Posts) == h.Frozen {
			h.First = now
		}
		h.Posts = append(h.Posts, p)
		h.Due = earlier(now.Add(wait), h.First.Add(maxHold*wait))
		if len(h.Posts)-h.Frozen >= maxHeld {
			h.Due = now
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if !c.posts.add(key) { // this channel was replaced meanwhile
		if err := c.hurry(ctx, d.Call, key); err != nil {
			return nil, err
		}
	}
	return said(http.StatusOK, map[string]any{"ok": true, "held": true}), nil
}

// hurry sends what is held under a key now.
func (c *channel) hurry(ctx context.Context, call *agent.Call, key string) error {
	err := changeHeld(ctx, call.KV, key, func(h *held) bool {
		h.Due = c.o.Clock.Now().UTC()
		return true
	})
	if err == nil {
		_, err = c.flush(ctx, call, key)
	}
	return err
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// changeHeld changes what is held under a key, unless change says that it did not.
func changeHeld(ctx context.Context, kv agent.KV, key string, change func(h *held) bool) error {
	for range storeRetries {
		entry, _, err := kv.Get(ctx, key)
		if err != nil {
			return fmt.Errorf("reading held posts: %w", err)
		}
		var h held
		_ = json.Unmarshal(entry.Value, &h) // nothing yet, or what somebody else put there
		if !change(&h) {
			return nil
		}
		value, err := json.Marshal(h)
		if err != nil {
			return err
		}
		_, err = kv.Put(ctx, key, value, agent.PutOptions{IfVersion: &entry.Version, TTL: heldLife})
		if !errors.Is(err, agent.ErrVersionConflict) {
			return err
		}
	}
	return errors.New("held posts are written all the time")
}

// serveHeld sends held posts when they are due, until ctx ends: those of an earlier life first.
func (c *channel) serveHeld(ctx context.Context, call *agent.Call) {
	defer c.posts.end()
	due := map[string]time.Time{}
	for cursor := ""; ; {
		list, next, err := call.KV.List(ctx, agent.ListOptions{Prefix: c.heldKeys(), Cursor: cursor})
		if err != nil {
			call.Log.Error().Err(err).Msg("reading the posts that an earlier life held")
			break
		}
		for _, e := range list {
			due[e.Key] = c.o.Clock.Now()
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	for ctx.Err() == nil {
		for key, at := range due {
			if at.After(c.o.Clock.Now()) {
				continue
			}
			next, err := c.flush(ctx, call, key)
			if err != nil {
				call.Log.Error().Err(err).Str("posts", key).Msg("sending held posts")
				next = c.o.Clock.Now().Add(heldAgain)
			}
			if due[key] = next; next.IsZero() {
				delete(due, key)
			}
		}
		c.rest(ctx, due)
	}
}

// rest waits for the next that is due, or for news.
func (c *channel) rest(ctx context.Context, due map[string]time.Time) {
	ring := make(chan struct{})
	var next time.Time
	for _, at := range due {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	if !next.IsZero() {
		timer := c.o.Clock.AfterFunc(max(0, next.Sub(c.o.Clock.Now())), func() { close(ring) })
		defer timer.Stop()
	}
	select {
	case <-ring:
	case <-c.posts.news:
		for _, key := range c.posts.take() {
			due[key] = c.o.Clock.Now() // flush says when
		}
	case <-ctx.Done():
	}
}

// flush sends what is due under a key, and says when the rest is; zero: there is none.
func (c *channel) flush(ctx context.Context, call *agent.Call, key string) (next time.Time, err error) {
	var now held
	err = changeHeld(ctx, call.KV, key, func(h *held) bool {
		if next = h.Due; len(h.Posts) == 0 {
			next = time.Time{}
		}
		frozen := h.Frozen
		if len(h.Posts) > 0 && h.Frozen == 0 && !h.Due.After(c.o.Clock.Now()) {
			h.Frozen = min(len(h.Posts), maxHeld)
		}
		now = *h
		return h.Frozen != frozen
	})
	if err != nil || now.Frozen == 0 {
		return next, err
	}
	if err := c.sendHeld(ctx, call, &now); err != nil {
		return next, err
	}
	err = changeHeld(ctx, call.KV, key, func(h *held) bool {
		for _, p := range h.Posts[:min(now.Frozen, len(h.Posts))] {
			h.Done = append(h.Done, p.TS)
		}
		h.Done = h.Done[max(0, len(h.Done)-maxDone):]
		h.Posts, h.Frozen = h.Posts[min(now.Frozen, len(h.Posts)):], 0
		if next = h.Due; len(h.Posts) == 0 {
			next = time.Time{}
		}
		return true
	})
	return next, err
}

// sendHeld gives the frozen posts to their session as one message, once.
func (c *channel) sendHeld(ctx context.Context, call *agent.Call, h *held) error {
	var texts []string
	for _, p := range h.Posts[:h.Frozen] {
		texts = append(texts, p.Text)
	}
	first := h.Posts[0]
	at := place{h.Team, h.Channel, either(h.Thread, first.TS)}
	_, err := call.Sessions.Send(ctx, strings.Join(texts, "\n\n"), agent.SendOptions{
		ContinuationToken: at.token(), Title: first.Title, Auth: first.Auth, Shared: true, DeliveryID: "slack:" + h.Team + ":" + h.Channel + ":" + first.TS,
	})
	return err
}

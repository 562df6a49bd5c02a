package slack

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
)

// ownMetadata begins the type of what the channel keeps with its messages.
const ownMetadata = "bdk_"

const postType = ownMetadata + "message"

// A post is one message of the bot's.
type post struct {
	// key is the same when the message is posted again.
	key string
	// at is when its reason happened.
	at time.Time
	// text is Markdown, raw Slack's own form.
	text, raw string
	blocks    []any
}

func (p *post) id() string { return surface.Digest(p.key) }

func (p *post) body() string {
	if p.raw != "" {
		return p.raw
	}
	return mrkdwn(p.text)
}

// once posts a message and gives its ts. One that an earlier try, or an earlier life of
// the host, may have posted is looked for by its id first: so it is posted at least
// once, and twice only where Slack does not let the bot read.
func (c *channel) once(ctx context.Context, call *agent.Call, at place, p post) (string, error) {
	if !c.seen.first(p.key) || p.at.Before(c.began) {
		ts, err := c.find(ctx, call, at, &p)
		if err != nil || ts != "" {
			return ts, err
		}
	}
	ts, err := c.send(ctx, at, &p)
	if err == nil {
		c.seen.forget(p.key)
	}
	return ts, err
}

func (c *channel) send(ctx context.Context, at place, p *post) (string, error) {
	params := map[string]any{
		"channel": at.channel, "text": p.body(), "unfurl_links": false, "unfurl_media": false, // a preview would fetch what the model wrote
		"metadata": map[string]any{"event_type": postType, "event_payload": map[string]string{"id": p.id()}},
	}
	if at.thread != "" {
		params["thread_ts"] = at.thread
	}
	if p.blocks != nil {
		params["blocks"] = p.blocks
	}
	var made struct {
		TS string `json:"ts"`
	}
	if err := c.o.Client.ask(ctx, "chat.postMessage", params, &made); err != nil {
		return "", err
	}
	return made.TS, nil
}

// edit replaces a message.
func (c *channel) edit(ctx context.Context, at place, ts string, p *post) error {
	params := map[string]any{"channel": at.channel, "ts": ts, "text": p.body()}
	if p.blocks != nil {
		params["blocks"] = p.blocks
	}
	return c.o.Client.ask(ctx, "chat.update", params, nil)
}

// Pages that are searched for a message.
const (
	pageSize = 200
	maxPages = 10
)

// find gives the ts of a message that was posted before; empty for none. The time is
// taken wide, since clocks differ.
func (c *channel) find(ctx context.Context, call *agent.Call, at place, p *post) (string, error) {
	method := "conversations.history"
	params := map[string]any{"channel": at.channel, "oldest": strconv.FormatInt(p.at.Add(-time.Hour).Unix(), 10), "limit": pageSize, "include_all_metadata": true}
	if at.thread != "" {
		method, params["ts"] = "conversations.replies", at.thread
	}
	for range maxPages {
		var page struct {
			Messages []struct {
				TS       string       `json:"ts"`
				Metadata wireMetadata `json:"metadata"`
			} `json:"messages"`
			Next struct {
				Cursor string `json:"next_cursor"`
			} `json:"response_metadata"`
		}
		err := c.o.Client.ask(ctx, method, params, &page)
		var refused *Error
		if errors.As(err, &refused) && refused.Code != "" && refused.Wait == 0 {
			call.Log.Warn().Err(err).Msg("a message cannot be looked for on Slack, so it may be posted twice")
			return "", nil
		}
		if err != nil {
			return "", fmt.Errorf("looking for a message: %w", err)
		}
		for _, m := range page.Messages {
			if m.Metadata.Type == postType && m.Metadata.Payload.ID == p.id() {
				return m.TS, nil
			}
		}
		if page.Next.Cursor == "" {
			break
		}
		params["cursor"] = page.Next.Cursor
	}
	return "", nil
}

// seen are the messages that this life of the host has begun to post.
type seen struct {
	mu   sync.Mutex
	keys map[string]bool
}

const maxSeen = 10_000

func (s *seen) first(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || len(s.keys) >= maxSeen {
		s.keys = map[string]bool{}
	}
	first := !s.keys[key]
	s.keys[key] = true
	return first
}

func (s *seen) forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.keys, key)
}

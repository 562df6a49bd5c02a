package slack

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// watched says whether the posts of a channel are looked at. Slack sends ids, so where
// names are allowed it is asked what the channel is called.
func (c *channel) watched(ctx context.Context, w *wireEvent) (bool, error) {
	allow := c.o.Engagement.ChannelPosts.Allow
	if slices.Contains(allow, w.Channel) {
		return true, nil
	}
	if !named(allow) || w.Type != "message" || w.ChannelType == "im" || w.Channel == "" {
		return false, nil
	}
	name, err := c.o.Client.channelName(ctx, w.Channel)
	return name != "" && slices.Contains(allow, "#"+name), err
}

// named says whether channels are allowed by their names.
func named(allow []string) bool {
	return slices.ContainsFunc(allow, func(s string) bool { return strings.HasPrefix(s, "#") })
}

// A channelCache holds names of channels for a time, since a channel can be renamed.
type channelCache struct {
	mu    sync.Mutex
	names map[string]channelName
}

type channelName struct {
	name  string
	until time.Time
}

// nameHolds is how long a channel's name is believed.
const nameHolds = 10 * time.Minute

// channelName is what a channel is called; empty where Slack says that it knows none.
func (c *Client) channelName(ctx context.Context, id string) (string, error) {
	now := c.clock.Now()
	c.channels.mu.Lock()
	known, ok := c.channels.names[id]
	c.channels.mu.Unlock()
	if ok && now.Before(known.until) {
		return known.name, nil
	}
	var out struct {
		Channel struct {
			Name string `json:"name"`
		} `json:"channel"`
	}
	if err := c.ask(ctx, "conversations.info", map[string]string{"channel": id}, &out); err != nil && codeOf(err) != "channel_not_found" {
		return "", err
	}
	c.channels.mu.Lock()
	defer c.channels.mu.Unlock()
	if c.channels.names == nil || len(c.channels.names) >= maxNames {
		c.channels.names = map[string]channelName{}
	}
	c.channels.names[id] = channelName{out.Channel.Name, now.Add(nameHolds)}
	return out.Channel.Name, nil
}

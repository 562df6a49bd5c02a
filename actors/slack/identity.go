package slack

import (
	"context"
	"sync"
	"time"
)

// An identity is who the client is on Slack, once that was asked.
type identity struct {
	mu  sync.Mutex
	who whoami
	// again is when to ask anew after nobody could say.
	again time.Time
}

// whoami is the bot: its user, its bot id, and its workspace.
type whoami struct {
	User string `json:"user_id"`
	Bot  string `json:"bot_id"`
	Team string `json:"team_id"`
}

// askAgain is how long a failed question is not put again.
const askAgain = time.Minute

// self is who the client is; zero where that cannot be known now.
func (c *Client) self(ctx context.Context) whoami {
	c.me.mu.Lock()
	defer c.me.mu.Unlock()
	now := c.clock.Now()
	if c.me.who.User != "" || now.Before(c.me.again) {
		return c.me.who
	}
	c.me.again = now.Add(askAgain)
	var who whoami
	if c.ask(ctx, "auth.test", struct{}{}, &who) == nil {
		c.me.who = who
	}
	return c.me.who
}

// nameCache holds names of users.
type nameCache struct {
	mu    sync.Mutex
	names map[string]string
}

const maxNames = 10_000

// userName is what a user is called; empty where Slack does not say.
func (c *Client) userName(ctx context.Context, id string) string {
	c.names.mu.Lock()
	name, ok := c.names.names[id]
	c.names.mu.Unlock()
	if ok || id == "" {
		return name
	}
	var out struct {
		User struct {
			Name    string `json:"name"`
			Real    string `json:"real_name"`
			Profile struct {
				Display string `json:"display_name"`
			} `json:"profile"`
		} `json:"user"`
	}
	err := c.ask(ctx, "users.info", map[string]string{"user": id}, &out)
	if code := codeOf(err); err != nil && (code == "" || code == "ratelimited") {
		return "" // it may say so later
	}
	for _, name = range []string{out.User.Profile.Display, out.User.Real, out.User.Name} {
		if name != "" {
			break
		}
	}
	c.names.mu.Lock()
	defer c.names.mu.Unlock()
	if c.names.names == nil || len(c.names.names) >= maxNames {
		c.names.names = map[string]string{}
	}
	c.names.names[id] = name
	return name
}

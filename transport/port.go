package transport

import (
	"context"

	"github.com/gobdk/bdk/actors/agent"
)

// A channelPort is the way to one channel of an agent. It holds the agent as it was,
// over a reload, until it is closed.
type channelPort interface {
	Definition() *agent.Channel
	Handle(ctx context.Context, route *agent.Route, r *agent.Request) (*agent.Response, error)
	Close()
}

// findChannel finds the channel and its route that the path names.
func (c *call) findChannel() error {
	if c.port = c.h.openPort(c.agent.Slug, c.vars["channelId"]); c.port == nil {
		return refuse("not_found", "this agent has no such channel")
	}
	at := c.h.mounts.channel(c.agent.Slug, c.port.Definition()).find(c.vars[channelRest], c.r.Method)
	if at.allow == "" {
		return refuse("not_found", "this channel has no such path")
	}
	if at.route == nil {
		c.take(nil, at.allow)
		return nil
	}
	c.mounted, c.vars = at.route, at.params
	c.take(&at.route.route, at.allow)
	return nil
}

func (c *call) closePort() {
	if c.port != nil {
		c.port.Close()
	}
}

type directPort struct{ ch *agent.Channel }

func (h *handler) openPort(slug, id string) channelPort {
	for _, ch := range h.host.Agent(slug).Channels {
		if ch.ID == id {
			return directPort{ch}
		}
	}
	return nil
}

func (p directPort) Definition() *agent.Channel { return p.ch }
func (p directPort) Close()                     {}
func (p directPort) Handle(ctx context.Context, route *agent.Route, r *agent.Request) (*agent.Response, error) {
	return route.Handle(ctx, &agent.Call{Request: r})
}

package actors

import (
	"context"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A visit is one request to a route on its way to the handler.
type visit struct {
	route    *agent.Route
	request  *agent.Request
	sessions *channelSessions
	// delivery is the stable id of a request that was recorded first; empty for others.
	delivery string
}

// answer runs the route's handler within its time limit. The body may take longer.
func (p *ChannelPort) answer(ctx context.Context, limit time.Duration, v *visit) (*agent.Response, error) {
	after := p.agent.trail(p.h.life, true)
	defer after.end()
	c := p.call(v.request.Principal)
	c.Request, c.Sessions, c.DeliveryID, c.WaitUntil = v.request, v.sessions, v.delivery, func(work func(ctx context.Context)) { after.run(work) }
	c.Log = c.Log.With().Str("route", v.route.Method+" "+v.route.Path).Logger()
	return limited(ctx, p.agent, limit, func(ctx context.Context) (*agent.Response, error) { return v.route.Handle(ctx, c) })
}

// call describes what code of the channel may use outside of a session.
func (p *ChannelPort) call(by events.Principal) *agent.Call {
	start := &events.SessionStarted{Agent: p.agent.Slug, ChannelID: p.def.ID, Mode: events.ModeChat, Purpose: events.PurposeLive, Principal: by}
	j := &job{h: p.h, agent: p.agent, info: infoOf("", start), start: start, unbound: true}
	c := j.callFor("")
	c.Log = p.h.o.Logger.With().Str("agent", p.agent.Slug).Str("channel", p.def.ID).Logger()
	return c
}

// forWork lets what was admitted end what it does while the host drains.
func (s *channelSessions) forWork() *channelSessions {
	s.admitted = true
	return s
}

// sessions gives those of the channel, for messages of a principal.
func (p *ChannelPort) sessions(by events.Principal) *channelSessions {
	return &channelSessions{h: p.h, slug: p.agent.Slug, channel: p.def, principal: by, from: events.FromChannel}
}

package actors

import (
	"context"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// beginChannels takes up what the inboxes of agents hold and runs what their channels
// do at the start. Its caller is counted.
func (h *Host) beginChannels(agents map[string]*agentRuntime) {
	if h.o.NoChannels {
		return
	}
	for _, r := range agents {
		r.log.inbox.takeUp()
		h.startChannels(r)
	}
}

// startChannels runs the onStart of an agent's channels, each on a goroutine of its
// own. What it leaves behind ends with the agent, when a Reload replaces it.
func (h *Host) startChannels(r *agentRuntime) {
	for _, c := range r.Channels {
		if c.OnStart == nil || !r.hold() {
			continue
		}
		p := &ChannelPort{h: h, agent: r, def: c}
		h.effects.Add(1)
		h.spawnEffect(func() {
			defer p.Close()
			p.start()
		}, func(any) {})
	}
}

// start runs a channel's onStart. Nobody calls it: what it sends is the channel's own.
func (p *ChannelPort) start() {
	by := events.Principal{Kind: events.AgentPrincipal.Kind, ID: "channel:" + p.def.ID}
	after := p.agent.trail(p.agent.live, false)
	defer after.end()
	c := p.call(by)
	c.Receive = p.take
	c.Sessions, c.WaitUntil = p.sessions(by), func(work func(ctx context.Context)) { after.run(work) }
	_, err := guarded(func() (struct{}, error) { return struct{}{}, p.def.OnStart(p.agent.live, c) })
	if err == nil || p.agent.live.Err() != nil {
		return
	}
	message := fmt.Sprintf("channel %q onStart failed: %v", p.def.ID, err)
	logPanic(p.h.o.Logger.Error().Str("agent", p.agent.Slug), err).Msg(message)
	p.h.found(p.agent.Slug, agent.Diagnostic{Rule: "channel/start-failed", Message: message, Fix: "see the host's log, mend onStart, and start the host again"})
}

// take is agent.Receiver.
func (p *ChannelPort) take(ctx context.Context, route *agent.Route, r *agent.Request) error {
	if err := p.h.enter(); err != nil {
		return err
	}
	defer p.h.effects.Done()
	_, err := p.acknowledge(ctx, route, r)
	return err
}

package transport

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
)

// mounts are what the edge makes of agents: whom they admit, and where their channels
// stand. They are made when they are first asked for, and again after a reload.
type mounts struct {
	policies *policyMaker
	// otherwise is the chain of what has none of its own.
	otherwise *chain

	mu       sync.Mutex
	agents   map[string]*mountedAgent
	channels map[string]*mountedChannel
}

func newMounts(p *policyMaker, otherwise *chain) *mounts {
	return &mounts{policies: p, otherwise: otherwise, agents: map[string]*mountedAgent{}, channels: map[string]*mountedChannel{}}
}

// A mountedAgent is the chain of an agent's built-in routes.
type mountedAgent struct {
	*agent.Agent
	chain *chain
	err   error
}

// A mountedChannel is a channel with its routes, the most specific first. It is never changed.
type mountedChannel struct {
	*agent.Channel
	chain  *chain
	routes []*mountedRoute
	err    error
}

// A mountedRoute is a route of a channel's as the edge serves it.
type mountedRoute struct {
	route
	channel *mountedChannel
	authors *agent.Route
	pattern pattern
	// told keeps what a handler may not do from being logged each time.
	told sync.Once
}

// agent gives the mount of an agent.
func (m *mounts) agent(a *agent.Agent) *mountedAgent {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.agents[a.Slug]
	if at == nil || at.Agent != a {
		at = &mountedAgent{Agent: a}
		at.chain, at.err = m.chain(a.Auth, a.Slug, "")
		m.agents[a.Slug] = at
	}
	return at
}

// channel gives the mount of a channel of an agent.
func (m *mounts) channel(slug string, ch *agent.Channel) *mountedChannel {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := slug + "/" + ch.ID
	at := m.channels[key]
	if at == nil || at.Channel != ch {
		at = m.mount(slug, ch)
		m.channels[key] = at
	}
	return at
}

// mount makes the mount of a channel, which the host has checked.
func (m *mounts) mount(slug string, ch *agent.Channel) *mountedChannel {
	mc := &mountedChannel{Channel: ch}
	mc.chain, mc.err = m.chain(ch.Auth, slug, ch.ID)
	for _, r := range ch.Routes {
		at := "/v1/channels/" + ch.ID + strings.TrimSuffix(r.Path, "/")
		mc.routes = append(mc.routes, &mountedRoute{
			route:   route{method: r.Method, path: at, access: byChannel, work: r.Method != "GET", serve: (*call).channel, about: r.Description},
			channel: mc, authors: r, pattern: newPattern(r.Path),
		})
	}
	slices.SortStableFunc(mc.routes, func(a, b *mountedRoute) int { return a.pattern.compare(b.pattern) })
	return mc
}

// chain makes the chain of authored policies. One that cannot be judged admits nobody.
func (m *mounts) chain(list []agent.AuthPolicy, slug, channel string) (*chain, error) {
	if list == nil {
		return m.otherwise, nil
	}
	policies := *m.policies
	policies.logger = policies.logger.With().Str("agent", slug).Logger()
	if channel != "" {
		policies.logger = policies.logger.With().Str("channel", channel).Logger()
	}
	c, err := policies.chain(list)
	if err != nil {
		policies.logger.Error().Err(err).Msg("auth cannot be used, so nobody is admitted")
		return policies.closed(), err
	}
	policies.warnShort(list)
	return c, nil
}

// warnShort logs which secrets can be guessed.
func (m *policyMaker) warnShort(list []agent.AuthPolicy) {
	for i := range list {
		if n := list[i].Short(); n > 0 {
			m.logger.Warn().Str("policy", list[i].Kind).Int("secrets", n).
				Msgf("auth has secrets of fewer than %d characters, which can be guessed: they admit nobody where others than this machine reach the host", agent.MinSecret)
		}
	}
}

// check mounts what a host begins with, and says what of it cannot be served.
func (m *mounts) check(agents []*agent.Agent) error {
	var errs []error
	for _, a := range agents {
		if err := m.agent(a).err; err != nil {
			errs = append(errs, fmt.Errorf("transport: agent %s: auth: %w", a.Slug, err))
		}
		for _, ch := range a.Channels {
			if err := m.channel(a.Slug, ch).err; err != nil {
				errs = append(errs, fmt.Errorf("transport: agent %s: %w", a.Slug, err))
			}
		}
	}
	return errors.Join(errs...)
}

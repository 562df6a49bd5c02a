package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// Reload puts agents in the place of those that the host runs. A turn that runs, or
// is parked in memory, ends on the agent that it began with; every other turn, call
// and description is of the new one from now on, and so is a parked turn that comes
// back from the log. An agent that is no longer among them starts no new sessions
// and is not listed; those that it has go on.
//
// An agent that is given again as it was goes on as it is. Each one that is replaced
// or missing is the host's from now on, which closes it when nothing uses it any
// more, at the latest in Close; the agents of the last Reload are the caller's. On
// an error nothing has changed.
func (h *Host) Reload(ctx context.Context, agents []*agent.Agent) error {
	if err := checkAgents(agents, h.o.Lenient); err != nil {
		return err
	}
	if err := h.enter(); err != nil {
		return err
	}
	defer h.effects.Done()
	h.reloading.Lock()
	defer h.reloading.Unlock()
	before := h.agents.newest.Load()
	next, added, err := h.nextLineup(before, agents)
	if err != nil {
		return fmt.Errorf("actors: reloading: %w", err)
	}
	if len(added) > 0 {
		h.warnOfRecovery(h.recoverLogs(ctx, added))
	}
	h.places.resize(agents)
	h.agents.newest.Store(next)
	for slug, r := range before.bySlug {
		if next.bySlug[slug] != r {
			h.findings.forget(slug)
			h.agents.retire(r)
		}
	}
	h.eng.send(h.sup, &sweep{before: h.now().Add(time.Hour), settled: true})
	if len(added) > 0 {
		h.warnOfRecovery(h.recoverSessions(ctx, added))
		h.warnOfRecovery(h.recoverFirings(ctx, added))
	}
	fresh := map[string]*agentRuntime{}
	for slug, r := range next.bySlug {
		if before.bySlug[slug] != r {
			fresh[slug] = r
		}
	}
	h.warnOfCircles()
	h.beginChannels(fresh)
	h.schedules.kick()
	return nil
}

func (h *Host) warnOfRecovery(err error) {
	if err != nil {
		h.o.Logger.Warn().Err(err).Msg("what was left open of the new agents is taken up at the next start")
	}
}

// nextLineup makes the runtimes of the agents that have none yet, and gives those
// whose slugs are new to the host.
func (h *Host) nextLineup(before *lineup, agents []*agent.Agent) (next *lineup, added map[string]*agentRuntime, err error) {
	next = &lineup{listed: agents, bySlug: map[string]*agentRuntime{}}
	added = map[string]*agentRuntime{}
	for slug, r := range before.bySlug {
		next.bySlug[slug] = r
	}
	for _, a := range agents {
		old := before.bySlug[a.Slug]
		if old != nil && old.Agent == a {
			continue
		}
		if next.bySlug[a.Slug], err = h.newAgentRuntime(a, old); err != nil {
			return nil, nil, err
		}
		if old == nil {
			added[a.Slug] = next.bySlug[a.Slug]
		}
	}
	return next, added, nil
}

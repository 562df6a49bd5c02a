package actors

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
)

// A lineup is the agents that a host runs. It is immutable: Reload puts another in its place.
type lineup struct {
	// listed are the agents in the order in which they were given.
	listed []*agent.Agent
	// bySlug has those, and those that an earlier lineup listed and this one does
	// not: their sessions go on, and no new ones start.
	bySlug map[string]*agentRuntime
}

// lineups hold the newest lineup, and close agents of earlier ones when nothing
// uses them any more.
type lineups struct {
	h      *Host
	newest atomic.Pointer[lineup]

	mu sync.Mutex
	// retired are the host's to close.
	retired map[*agentRuntime]bool
	// closing counts those that are being closed; ended says that no more begin.
	closing sync.WaitGroup
	ended   bool
}

// of gives the runtime of a slug, nil when there is none. It may be retired at any
// time: what lasts longer than a look takes it.
func (l *lineups) of(slug string) *agentRuntime { return l.newest.Load().bySlug[slug] }

// take gives the runtime of a slug, held until the caller releases it.
func (l *lineups) take(slug string) *agentRuntime {
	for {
		if r := l.of(slug); r == nil || r.hold() {
			return r
		}
	}
}

// lists says whether new sessions of the agent may start.
func (l *lineups) lists(slug string) bool {
	for _, a := range l.newest.Load().listed {
		if a.Slug == slug {
			return true
		}
	}
	return false
}

// hold keeps the agent open until release; false when it was closed already.
func (r *agentRuntime) hold() bool {
	for {
		n := r.uses.Load()
		if n == 0 {
			return false
		}
		if r.uses.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release takes back a hold. With the last one a retired agent is closed.
func (r *agentRuntime) release() {
	if r.uses.Add(-1) == 0 {
		r.h.agents.closeSoon(r)
	}
}

// retire makes an agent the host's to close, when nothing uses it.
func (l *lineups) retire(r *agentRuntime) {
	l.mu.Lock()
	l.retired[r] = true
	l.mu.Unlock()
	r.expire()
	r.release()
}

// closeSoon closes a retired agent on a goroutine of its own: closing may wait.
func (l *lineups) closeSoon(r *agentRuntime) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || !l.retired[r] {
		return
	}
	delete(l.retired, r)
	l.closing.Go(func() { l.closeAgent(r) })
}

// close closes what is the host's to close, in use or not, and waits for it.
func (l *lineups) close() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.closing.Wait()
	for r := range l.retired { // nobody else writes it any more
		l.closeAgent(r)
	}
	for slug, r := range l.newest.Load().bySlug {
		if l.lists(slug) {
			r.connections.Close() // the rest of the agent is the caller's
		} else {
			l.closeAgent(r)
		}
	}
}

func (l *lineups) closeAgent(r *agentRuntime) {
	defer func() {
		if fault := recover(); fault != nil {
			l.h.o.Logger.Error().Str("agent", r.Slug).Str("fault", fmt.Sprint(fault)).Msg("a panic was contained")
		}
	}()
	r.connections.Close()
	if r.Close == nil {
		return
	}
	if err := r.Close(); err != nil {
		l.h.o.Logger.Warn().Str("agent", r.Slug).Err(err).Msg("an agent that was replaced did not close well")
	}
}

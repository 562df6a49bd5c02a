package actors

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
)

// places bounds how many turns run at once, for each agent and for the host; later
// turns wait in the order in which they asked.
type places struct {
	// unbounded: nobody waits and nothing is counted.
	unbounded atomic.Bool

	mu      sync.Mutex
	host    int            // free places of the host; meaningless when max is 0
	hostMax int            // 0: no bound
	max     map[string]int // agent → its places; absent: no bound
	used    map[string]int // agent → places that turns hold
	waiting []*ticket
}

// A ticket is one turn's place in the line.
type ticket struct {
	agent string
	grant func() // called once, without the lock
	given bool
	taken bool
}

func newPlaces(o *Options) *places {
	p := &places{hostMax: o.MaxRunningTurns, host: o.MaxRunningTurns, used: map[string]int{}}
	p.resize(o.Agents)
	return p
}

// resize takes the bounds that these agents set. Turns that run keep their places;
// those that began without a bound are not counted.
func (p *places) resize(agents []*agent.Agent) {
	p.mu.Lock()
	p.max = map[string]int{}
	for _, a := range agents {
		if n := a.Concurrency.MaxRunningTurns; n > 0 {
			p.max[a.Slug] = n
		}
	}
	p.unbounded.Store(p.hostMax <= 0 && len(p.max) == 0)
	p.mu.Unlock()
	p.serve()
}

// tryLocked takes a place when one is free.
func (p *places) tryLocked(agent string) bool {
	n, bounded := p.max[agent]
	if p.hostMax > 0 && p.host == 0 || bounded && p.used[agent] >= n {
		return false
	}
	if p.hostMax > 0 {
		p.host--
	}
	p.used[agent]++
	return true
}

// try takes a place at once, unless another turn of the agent waits for one.
func (p *places) try(agent string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.ContainsFunc(p.waiting, func(t *ticket) bool { return t.agent == agent || p.hostMax > 0 }) {
		return false
	}
	return p.tryLocked(agent)
}

// wait stands in line; grant is called when a place is there.
func (p *places) wait(agent string, grant func(*ticket)) *ticket {
	t := &ticket{agent: agent}
	t.grant = func() { grant(t) }
	p.mu.Lock()
	p.waiting = append(p.waiting, t)
	p.mu.Unlock()
	p.serve()
	return t
}

// take accepts a granted place; false when the ticket was dropped meanwhile.
func (p *places) take(t *ticket) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !t.given || t.taken {
		return false
	}
	t.taken = true
	return true
}

// drop leaves the line, and gives back a place that was granted and not taken.
func (p *places) drop(t *ticket) {
	p.mu.Lock()
	p.waiting = slices.DeleteFunc(p.waiting, func(x *ticket) bool { return x == t })
	unused := t.given && !t.taken
	t.taken = true
	p.mu.Unlock()
	if unused {
		p.release(t.agent)
	}
}

// release gives a place back; the first in line that fits gets it.
func (p *places) release(agent string) {
	p.mu.Lock()
	if p.hostMax > 0 {
		p.host++
	}
	if p.used[agent]--; p.used[agent] == 0 {
		delete(p.used, agent)
	}
	p.mu.Unlock()
	p.serve()
}

func (p *places) serve() {
	p.mu.Lock()
	var given []*ticket
	p.waiting = slices.DeleteFunc(p.waiting, func(t *ticket) bool {
		if !p.tryLocked(t.agent) {
			return false
		}
		t.given = true
		given = append(given, t)
		return true
	})
	p.mu.Unlock()
	for _, t := range given {
		t.grant()
	}
}

// A placeState is where a session's turn stands with its place.
type placeState struct {
	held   bool
	ticket *ticket
}

// hasPlace takes a place for a turn that may start now, if one is free.
func (a *sessionActor) hasPlace() bool {
	if a.h.places.unbounded.Load() || a.place.held {
		return true
	}
	if a.place.ticket == nil && a.h.places.try(a.info.Agent) {
		a.place.held = true
	}
	return a.place.held
}

// settlePlace asks for a place when a turn runs without one, and gives it back
// when none runs: a parked turn holds none, nor does one that waits for peers.
func (a *sessionActor) settlePlace() {
	if a.h.places.unbounded.Load() && !a.place.held {
		return
	}
	runs := a.core.Turn != nil && !a.core.Parked() && !a.waitsForPeers()
	switch {
	case runs && !a.hasPlace():
		a.askPlace()
	case !runs && a.place.held:
		a.place.held = false
		a.h.places.release(a.info.Agent)
	}
}

// waitsForPeers says whether all the calls that run wait for other agents, which may
// need the place.
func (a *sessionActor) waitsForPeers() bool {
	for _, c := range a.calls {
		if !c.peer {
			return false
		}
	}
	return len(a.calls) > 0
}

func (a *sessionActor) askPlace() {
	if a.place.ticket != nil {
		return
	}
	eng, pid := a.h.eng, a.pid
	a.place.ticket = a.h.places.wait(a.info.Agent, func(t *ticket) { eng.send(pid, &granted{t}) })
}

// granted starts what waited for the place.
func (a *sessionActor) granted(t *ticket) {
	if !a.h.places.take(t) {
		return
	}
	a.place = placeState{held: true}
	if a.core.Turn == nil && len(a.core.Queue) > 0 {
		a.outcome(&session.Place{TurnID: a.core.Queue[0]})
	}
	queued := a.queued
	a.queued = nil
	for _, f := range queued {
		a.do(f)
	}
}

func (a *sessionActor) leavePlace() {
	if a.place.ticket != nil {
		a.h.places.drop(a.place.ticket)
	}
	if a.place.held {
		a.h.places.release(a.info.Agent)
	}
	a.place = placeState{}
}

package actors

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/gobdk/bdk/events"
)

// A deliveryChild gives what its session records to the handlers of the session's
// channel: one event at a time, in the order of the log, on a goroutine on which
// nobody waits. Where it is lies in the session's open mark, so that the next start
// goes on from there: an event is given once, or more often where a crash came between
// its handler and the mark.
//
// It outlives a session actor that panics: the next one takes it over.
type deliveryChild struct {
	h      *Host
	id     string // of the session
	ctx    context.Context
	cancel context.CancelFunc
	waits  atomic.Int64 // pieces of work that handlers left behind

	mu       sync.Mutex
	job      job    // as of the newest event that was told
	from, to uint64 // what is subscribed in it is still to be given
	running  bool
	stopped  bool // the host stops: the rest is given after its next start
	absent   bool // the agent has no such channel now: the rest waits for it
}

// deliverable gives the indexes from the first event that the session's channel has a
// handler for, to after the last.
func (a *sessionActor) deliverable(evs []events.Event) (from, to uint64, ok bool) {
	c := a.h.delivering(a.info)
	if c == nil {
		return 0, 0, false
	}
	for i := range evs {
		if len(deliverersOf(c, evs[i].Type)) == 0 {
			continue
		}
		if !ok {
			from, ok = evs[i].Index, true
		}
		to = evs[i].Index + 1
	}
	return from, to, ok
}

// tellChannel says what was recorded, if the channel has a handler for some of it.
func (a *sessionActor) tellChannel(evs []events.Event) {
	from, to, ok := a.deliverable(evs)
	if n := len(evs); a.owed != nil && n > 0 && a.h.delivering(a.info) != nil { // it is back
		from, to, ok = *a.owed, evs[n-1].Index+1, true
		a.owed = nil
	}
	if ok {
		a.deliver(from, to)
	}
}

// deliver has what lies in [from, to) given, after what is still to be given.
func (a *sessionActor) deliver(from, to uint64) {
	if a.delivery == nil {
		a.delivery = &deliveryChild{h: a.h, id: a.id}
		a.delivery.ctx, a.delivery.cancel = context.WithCancel(a.h.life)
	}
	c := a.delivery
	if c.extend(a.job(), from, to) {
		a.h.effects.Add(1) // here, before Close can wait
		a.h.spawnEffect(c.drain, func(any) { c.rest() })
	}
}

// extend takes more to be given; it says whether somebody must begin to.
func (c *deliveryChild) extend(j job, from, to uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.job, c.absent = j, false
	if c.from == c.to {
		c.from = from // nothing between was subscribed
	}
	c.to = max(to, c.to)
	begin := !c.running && !c.stopped && c.from < c.to
	c.running = c.running || begin
	return begin
}

// pending gives the first index that is still to be given; false when there is none:
// then all before it was given.
func (c *deliveryChild) pending() (from uint64, ok bool) {
	if c == nil {
		return 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.from, c.from < c.to
}

// busy says whether a handler runs, or waits for its turn.
func (c *deliveryChild) busy() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}

// waited says whether work that handlers left behind goes on.
func (c *deliveryChild) waited() bool { return c != nil && c.waits.Load() > 0 }

// end cancels the handler that runs. Only the owner calls it, once.
func (c *deliveryChild) end() {
	if c != nil {
		c.cancel()
	}
}

// rest lets a later event begin anew, and has the session look at its mark.
func (c *deliveryChild) rest() {
	c.mu.Lock()
	c.running = false
	c.mu.Unlock()
	c.h.tell(&command{id: c.id, reply: make(chan reply, 1)})
}

// drain gives everything that was told, and ends when nothing is left.
func (c *deliveryChild) drain() {
	for {
		j, from, to := c.next()
		if from == to { // from here on another may run
			c.h.tell(&command{id: c.id, reply: make(chan reply, 1)})
			return
		}
		c.give(&j, from, to)
	}
}

// next is the backlog; with nothing left, or at the end of the child, it counts as
// not running.
func (c *deliveryChild) next() (j job, from, to uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped || c.absent || c.ctx.Err() != nil || c.from == c.to {
		c.running = false
		return j, 0, 0
	}
	return c.job, c.from, c.to
}

// give gives the next part of a backlog to the handlers of the newest agent.
func (c *deliveryChild) give(j *job, from, to uint64) {
	j.agent = c.h.agents.take(j.agent.Slug)
	defer j.agent.release()
	lines, err := c.h.journal.ReadSome(c.id, from, min(to, from+hookRead))
	if err != nil || len(lines) == 0 {
		c.h.o.Logger.Error().Str("session", c.id).Uint64("from", from).Uint64("to", to).Err(err).Msg("events could not be read and were not delivered to their channel")
		c.skip(to)
		return
	}
	for i := range lines {
		c.renew(j)
		if !c.event(j, from+uint64(i), lines[i].Data) {
			return
		}
		c.skip(from + uint64(i) + 1)
	}
}

// renew makes a job that of the session's actor of now, on the agent of the job.
func (c *deliveryChild) renew(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	newest := c.job
	newest.agent = j.agent
	*j = newest
}

// skip counts what lies before an index as given.
func (c *deliveryChild) skip(to uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = to
}

// stop leaves what is still to be given to the next start.
func (c *deliveryChild) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

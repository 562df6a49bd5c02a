package actors

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// A hookChild gives what its session records to the hooks of the agent: one event
// at a time, in the order of the log, on a goroutine on which nobody waits. It
// keeps no events: those that a slow handler holds up are read from the log.
//
// It outlives a session actor that panics: the next one takes it over.
type hookChild struct {
	h      *Host
	id     string // of the session
	pid    *actor.PID
	ctx    context.Context
	cancel context.CancelFunc

	told uint64        // the end of what was told; of the session's goroutine alone
	done atomic.Uint64 // all before it was handled

	mu       sync.Mutex
	job      job    // as of the newest event that was told
	from, to uint64 // what is subscribed in it is still to be given
	running  bool
	own      map[uint64]string // index of an event that is to be given → the hook that caused it
}

// A hookRun says that some of the events [from, to) are subscribed.
type hookRun struct {
	job      job
	from, to uint64
}

// tellHooks says what was recorded, if somebody subscribed to some of it.
func (a *sessionActor) tellHooks(evs []events.Event) {
	from, to, ok := a.agent.hooks.wanted(evs)
	if !ok {
		return
	}
	c := a.hookChild()
	c.told = to
	a.h.effects.Add(1) // here, before Close can wait
	a.h.hooking.Add(1)
	a.h.eng.send(c.pid, &hookRun{job: a.job(), from: from, to: to})
}

func (a *sessionActor) hookChild() *hookChild {
	if a.hooks == nil {
		c := &hookChild{h: a.h, id: a.id}
		c.ctx, c.cancel = context.WithCancel(a.h.life)
		c.pid = a.h.eng.spawn("hook", a.h.childName(), c)
		a.hooks = c
	}
	return a.hooks
}

// caused remembers that a hook caused the events from an index on, which still wait
// to be recorded: they are not given to that hook.
func (a *sessionActor) caused(hook string, from uint64) {
	if hook == "" || a.agent.hooks == nil {
		return
	}
	evs := a.core.Decided(from)
	for i := range evs {
		if len(a.agent.hooks.of(evs[i].Type)) > 0 {
			a.hookChild().owns(evs[i].Index, hook)
		}
	}
}

func (c *hookChild) owns(index uint64, hook string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own == nil {
		c.own = map[uint64]string{}
	}
	c.own[index] = hook
}

// busy says whether something that was told is still to be handled.
func (c *hookChild) busy() bool { return c != nil && c.done.Load() < c.told }

// end cancels the handler that runs. Only the owner calls it, once.
func (c *hookChild) end() {
	if c != nil {
		c.cancel()
		c.h.eng.end(c.pid)
	}
}

func (c *hookChild) crashed(fault any) { c.h.logFault(c.id, fmt.Sprint(fault)) }

func (c *hookChild) receive(msg any) {
	m, ok := msg.(*hookRun)
	if !ok {
		return
	}
	if c.ctx.Err() != nil || !c.extend(m) {
		c.h.hooking.Add(-1)
		c.h.effects.Done()
		return
	}
	c.h.spawnEffect(c.drain, func(any) {})
}

// extend takes more to be given; it says whether somebody must begin to.
func (c *hookChild) extend(m *hookRun) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.job = m.job
	if c.from == c.to {
		c.from = m.from // nothing between was subscribed
	}
	c.to = m.to
	begin := !c.running
	c.running = true
	return begin
}

// hookRead is how many lines of a backlog are in memory at once, at most.
const hookRead = 32

// drain gives everything that was told, and ends when nothing is left.
func (c *hookChild) drain() {
	defer c.h.hooking.Add(-1)
	rested := false
	defer func() {
		if !rested {
			c.rest()
		}
	}()
	for {
		j, from, to := c.next()
		if from == to { // from here on another may run
			rested = true
			return
		}
		c.give(&j, from, to)
	}
}

// give gives the next part of a backlog to the hooks of the newest agent.
func (c *hookChild) give(j *job, from, to uint64) {
	j.agent = c.h.agents.take(j.agent.Slug)
	defer j.agent.release()
	lines, err := c.h.journal.ReadSome(c.id, from, min(to, from+hookRead))
	if err != nil || len(lines) == 0 {
		c.h.o.Logger.Error().Str("session", c.id).Uint64("from", from).Uint64("to", to).Err(err).Msg("events could not be read and were not given to hooks")
		c.skip(to)
		return
	}
	for i := range lines {
		c.event(j, from+uint64(i), lines[i].Data)
	}
}

// next is the backlog; with nothing left, or at the end of the child, it counts as
// not running.
func (c *hookChild) next() (j job, from, to uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from == c.to {
		c.done.Store(c.to)
	}
	if c.ctx.Err() != nil || c.from == c.to {
		c.running = false
		return j, 0, 0
	}
	return c.job, c.from, c.to
}

// rest lets a later event begin anew where a fault ended the goroutine.
func (c *hookChild) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = false
}

// skip counts what lies before an index as given.
func (c *hookChild) skip(to uint64) (own string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = to
	own = c.own[to-1]
	delete(c.own, to-1)
	return own
}

// event gives one event to its handlers. It counts as given before the first runs:
// no fault gives it twice.
func (c *hookChild) event(j *job, index uint64, line []byte) {
	own := c.skip(index + 1)
	handlers := j.agent.hooks.of(events.TypeOf(line))
	if len(handlers) == 0 {
		return
	}
	failpoint.Hit("hook.before")
	for i := range handlers {
		if x := &handlers[i]; x.hook != own && c.ctx.Err() == nil {
			c.handle(j, x, line)
		}
	}
}

// handle runs one handler on a copy of its own. What it throws is logged.
func (c *hookChild) handle(j *job, x *hookHandler, line []byte) {
	e, err := copyEvent(line)
	if err != nil {
		c.threw(x, events.TypeOf(line), err.Error(), nil)
		return
	}
	name := e.Type // the event is the handler's: it may write to it
	defer func() {
		if fault := recover(); fault != nil {
			c.threw(x, name, fmt.Sprint(fault), debug.Stack())
		}
	}()
	if err := x.fn(c.ctx, e, j.hookCall(x.hook, e.TurnID)); err != nil {
		c.threw(x, name, err.Error(), nil)
	}
}

func (c *hookChild) threw(x *hookHandler, event, message string, stack []byte) {
	line := c.h.o.Logger.Error().Str("session", c.id)
	if stack != nil {
		line = line.Bytes("stack", stack)
	}
	line.Msgf("hook %q handler for %s threw: %s", x.hook, event, message)
}

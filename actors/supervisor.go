package actors

import (
	"fmt"
	"time"

	"github.com/anthdm/hollywood/actor"
)

// The supervisor alone starts and ends session actors, and every command passes
// through it: so none meets an actor that is stopping.
type supervisor struct {
	h       *Host
	live    map[string]*entry // session id → its actor
	gen     uint64            // numbers actors: a name is never used twice
	closing chan struct{}     // closed when the last actor is gone; nil until then
	closed  bool              // no actor is started any more
	inHand  *command          // answered if routing it panics
}

// An entry is one session actor.
type entry struct {
	pid      *actor.PID
	last     time.Time
	stopping bool
	waiting  []*command // came while it was stopping
	fault    string     // why it is stopping, when it panicked
	faults   int        // how many actors of the session panicked before it, none with a use
}

// kept is what goes on to the next actor of a session: its children, nil where there
// are none, whether Close waits for it, and whether what is open is to end.
type kept struct {
	hooks    *hookChild
	delivery *deliveryChild
	handed   bool
	orphan   bool
}

func (k kept) end(h *Host) {
	k.hooks.end()
	k.delivery.end()
	if k.handed {
		h.hooking.Add(-1)
	}
}

// Messages of the supervisor.
type (
	sweep struct {
		before time.Time
		// settled spares the sessions that are parked.
		settled bool
	}
	closeAll struct{ done chan struct{} }
	// leaving: the actor panicked; what comes from now on waits for the next one.
	leaving struct {
		id    string
		pid   *actor.PID
		fault string
		// fruitless says that it recorded nothing in its life.
		fruitless bool
	}
	// left: the actor gave the session up.
	left struct {
		id  string
		pid *actor.PID
		// again says that something is open and wants the next actor now.
		again bool
		kept  kept
	}
	// stayed: the actor was asked to sleep and is busy.
	stayed struct{ id string }
)

func (s *supervisor) crashed(fault any) {
	s.h.o.Logger.Error().Str("fault", fmt.Sprint(fault)).Msg("the supervisor panicked")
	if s.inHand != nil {
		s.inHand.answer(reply{err: ErrFault})
	}
}

func (s *supervisor) receive(msg any) {
	s.inHand, _ = msg.(*command)
	switch m := msg.(type) {
	case *command:
		s.route(m)
	case *sweep:
		s.sweep(m)
	case *leaving:
		if e := s.live[m.id]; e != nil && e.pid == m.pid {
			e.stopping, e.fault = true, m.fault
			if !m.fruitless {
				e.faults = 0
			}
		}
	case *stayed:
		s.stayed(m.id)
	case *left:
		s.left(m)
	case *closeAll:
		s.closing, s.closed = m.done, true
		for _, e := range s.live {
			s.askToSleep(e, &sleep{force: true})
		}
		s.finish()
	}
}

// route hands a command to its session's actor, a new one if need be.
func (s *supervisor) route(c *command) {
	if s.closed {
		c.answer(reply{err: ErrDraining})
		return
	}
	e := s.live[c.id]
	if e == nil {
		e = s.spawn(c.id, "", kept{})
	}
	e.last = s.h.now()
	if e.stopping {
		e.waiting = append(e.waiting, c)
		return
	}
	s.h.eng.send(e.pid, c)
}

func (s *supervisor) spawn(id, fault string, k kept) *entry {
	s.gen++
	a := &sessionActor{h: s.h, id: id, fault: fault, hooks: k.hooks, delivery: k.delivery, handed: k.handed, orphan: k.orphan}
	a.pid = s.h.eng.spawn("session", fmt.Sprintf("%s#%d", id, s.gen), a)
	e := &entry{pid: a.pid, last: s.h.now()}
	s.live[id] = e
	return e
}

func (s *supervisor) sweep(m *sweep) {
	for _, e := range s.live {
		if e.last.Before(m.before) {
			s.askToSleep(e, &sleep{settled: m.settled})
		}
	}
}

func (s *supervisor) askToSleep(e *entry, m *sleep) {
	if !e.stopping || m.force {
		e.stopping = true
		s.h.eng.send(e.pid, m)
	}
}

func (s *supervisor) stayed(id string) {
	e := s.live[id]
	if e == nil || s.closed {
		return
	}
	e.stopping = false
	e.last = s.h.now()
	for _, c := range e.waiting {
		s.h.eng.send(e.pid, c)
	}
	e.waiting = nil
}

// left ends the actor; commands that waited meet the next one.
func (s *supervisor) left(m *left) {
	e := s.live[m.id]
	if e == nil || e.pid != m.pid {
		return
	}
	delete(s.live, m.id)
	s.h.eng.end(e.pid)
	if !m.again || s.closed || !s.again(m.id, e, m.kept) {
		m.kept.end(s.h)
	}
	for _, c := range e.waiting {
		s.route(c)
	}
	s.finish()
}

// maxFaults is how many actors of a session may panic in a row without having
// recorded anything, before it is left alone until somebody asks for it.
const maxFaults = 5

// again starts the next actor of a session that has something open, unless it
// panics over and over.
func (s *supervisor) again(id string, before *entry, k kept) bool {
	if before.faults >= maxFaults {
		s.h.degraded.Store(true)
		s.h.o.Logger.Error().Str("session", id).Msg("a session panics again and again: it is left alone until somebody asks for it")
		return false
	}
	next := s.spawn(id, before.fault, k)
	if before.fault != "" {
		next.faults = before.faults + 1
	}
	s.h.eng.send(next.pid, &command{id: id, reply: make(chan reply, 1)})
	return true
}

func (s *supervisor) finish() {
	if s.closing != nil && len(s.live) == 0 {
		close(s.closing)
		s.closing = nil
	}
}

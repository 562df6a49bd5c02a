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
	closing chan struct{}     // closed when the last actor is gone
}

// An entry is one session actor.
type entry struct {
	pid      *actor.PID
	last     time.Time
	stopping bool
	waiting  []*command // came while it was stopping
	fault    string     // why it is stopping, when it panicked
}

// Messages of the supervisor.
type (
	sweep    struct{ before time.Time }
	closeAll struct{ done chan struct{} }
	// leaving: the actor panicked; what comes from now on waits for the next one.
	leaving struct {
		id    string
		pid   *actor.PID
		fault string
	}
	// left: the actor gave the session up.
	left struct {
		id  string
		pid *actor.PID
		// again says that something is open and wants the next actor now.
		again bool
	}
	// stayed: the actor was asked to sleep and is busy.
	stayed struct{ id string }
)

func (s *supervisor) crashed(fault any) {
	s.h.o.Logger.Error().Str("fault", fmt.Sprint(fault)).Msg("the supervisor panicked")
}

func (s *supervisor) receive(msg any) {
	switch m := msg.(type) {
	case *command:
		s.route(m)
	case *sweep:
		s.sweep(m.before)
	case *leaving:
		if e := s.live[m.id]; e != nil && e.pid == m.pid {
			e.stopping, e.fault = true, m.fault
		}
	case *stayed:
		s.stayed(m.id)
	case *left:
		s.left(m)
	case *closeAll:
		s.closing = m.done
		for _, e := range s.live {
			s.askToSleep(e, true)
		}
		s.finish()
	}
}

// route hands a command to its session's actor, a new one if need be.
func (s *supervisor) route(c *command) {
	if s.closing != nil {
		c.answer(reply{err: ErrDraining})
		return
	}
	e := s.live[c.id]
	if e == nil {
		e = s.spawn(c.id, "")
	}
	e.last = time.Now()
	if e.stopping {
		e.waiting = append(e.waiting, c)
		return
	}
	s.h.eng.send(e.pid, c)
}

func (s *supervisor) spawn(id, fault string) *entry {
	s.gen++
	a := &sessionActor{h: s.h, id: id, fault: fault}
	a.pid = s.h.eng.spawn("session", fmt.Sprintf("%s#%d", id, s.gen), a)
	e := &entry{pid: a.pid, last: time.Now()}
	s.live[id] = e
	return e
}

func (s *supervisor) sweep(before time.Time) {
	for _, e := range s.live {
		if e.last.Before(before) {
			s.askToSleep(e, false)
		}
	}
}

func (s *supervisor) askToSleep(e *entry, force bool) {
	if !e.stopping || force {
		e.stopping = true
		s.h.eng.send(e.pid, &sleep{force: force})
	}
}

func (s *supervisor) stayed(id string) {
	e := s.live[id]
	if e == nil || s.closing != nil {
		return
	}
	e.stopping = false
	e.last = time.Now()
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
	if m.again && s.closing == nil {
		next := s.spawn(m.id, e.fault)
		s.h.eng.send(next.pid, &command{id: m.id, reply: make(chan reply, 1)})
	}
	for _, c := range e.waiting {
		s.route(c)
	}
	s.finish()
}

func (s *supervisor) finish() {
	if s.closing != nil && len(s.live) == 0 {
		close(s.closing)
		s.closing = nil
	}
}

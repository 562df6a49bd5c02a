package actors

import (
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// alarms wake sleeping sessions whose parked calls expire. What they know is in
// the sessions' open marks, so a restart sets them again.
type alarms struct {
	h *Host

	mu     sync.Mutex
	timers map[string]clock.Timer // session id → its alarm
	over   bool
}

// set wakes a session at an instant; waking it makes it look at its deadlines.
func (a *alarms) set(id string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return
	}
	if a.timers == nil {
		a.timers = map[string]clock.Timer{}
	}
	if t := a.timers[id]; t != nil {
		t.Stop()
	}
	a.timers[id] = a.h.o.Clock.AfterFunc(max(at.Sub(a.h.now()), 0), func() { a.ring(id) })
}

func (a *alarms) ring(id string) {
	a.mu.Lock()
	delete(a.timers, id)
	over := a.over
	a.mu.Unlock()
	if !over {
		a.h.tell(&command{id: id, reply: make(chan reply, 1)})
	}
}

func (a *alarms) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for id, t := range a.timers {
		t.Stop()
		delete(a.timers, id)
	}
}

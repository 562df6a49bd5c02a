package actors

import (
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// alarms wake sessions at the times of their reminders, and sleeping ones where a
// parked call expires. What they know is in the sessions' open marks, so a restart
// sets them again.
type alarms struct {
	h *Host

	mu    sync.Mutex
	at    map[string]time.Time // session id → when it is woken
	timer clock.Timer          // nil while nothing is set
	rings time.Time            // when the timer does
	over  bool
}

// lookAgain is how long a jump of the wall clock, or a machine's sleep, can go unnoticed.
const lookAgain = 30 * time.Second

// set wakes a session at an instant; waking it makes it look at what is due.
func (a *alarms) set(id string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return
	}
	if a.at == nil {
		a.at = map[string]time.Time{}
	}
	a.at[id] = at
	if a.timer == nil || at.Before(a.rings) {
		a.arm(at)
	}
}

// drop takes an alarm back.
func (a *alarms) drop(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.at, id)
}

// arm lets the timer ring at an instant of the wall clock, or look again before. mu is held.
func (a *alarms) arm(at time.Time) {
	if a.timer != nil {
		a.timer.Stop()
	}
	now := a.h.now()
	wait := min(max(at.Sub(now), 0), lookAgain)
	a.rings = now.Add(wait)
	a.timer = a.h.o.Clock.AfterFunc(wait, a.ring)
}

// ring wakes the sessions whose time has come.
func (a *alarms) ring() {
	for _, id := range a.due() {
		a.h.tell(&command{id: id, reply: make(chan reply, 1)})
	}
}

func (a *alarms) due() (ids []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return nil
	}
	a.timer = nil
	now := a.h.now()
	var next time.Time
	for id, at := range a.at {
		switch {
		case !at.After(now):
			ids = append(ids, id)
			delete(a.at, id)
		case next.IsZero() || at.Before(next):
			next = at
		}
	}
	if !next.IsZero() {
		a.arm(next)
	}
	return ids
}

func (a *alarms) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.timer != nil {
		a.timer.Stop()
	}
}

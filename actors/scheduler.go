package actors

import (
	"errors"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/clock"
	"github.com/gobdk/bdk/internal/cron"
)

// A scheduler fires the schedules of the newest agents at their instants. What it
// fired, or skipped, is in the agents' logs.
type scheduler struct {
	h *Host

	looking sync.Mutex // one look at a time

	mu     sync.Mutex
	states map[string]*scheduleState // by the key of the schedule
	timer  clock.Timer
	over   bool
}

func newScheduler(h *Host) scheduler { return scheduler{h: h, states: map[string]*scheduleState{}} }

// kick looks at all schedules soon, and from then on when something is due.
func (s *scheduler) kick() {
	if !s.h.o.Manual {
		s.arm(0)
	}
}

// arm sets when the next look is: at the latest when a jump of the wall clock is to be noticed.
func (s *scheduler) arm(wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = s.h.o.Clock.AfterFunc(min(max(wait, 0), lookAgain), s.wake)
}

func (s *scheduler) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.timer != nil {
		s.timer.Stop()
	}
}

// wake runs on the timer's goroutine, which waits for the look before, if there is one.
func (s *scheduler) wake() {
	if s.h.enter() != nil {
		return
	}
	s.looking.Lock()
	s.h.spawnEffect(func() {
		defer s.looking.Unlock()
		s.look()
	}, func(any) { s.arm(lookAgain) })
}

// look fires what is due and waits for what comes next.
func (s *scheduler) look() {
	var next time.Time
	some := false
	for _, a := range s.h.agents.newest.Load().listed {
		for _, sched := range a.Schedules {
			some = true
			at, err := s.consider(a.Slug, sched)
			if err != nil && !errors.Is(err, ErrDraining) {
				s.h.o.Logger.Warn().Str("agent", a.Slug).Str("schedule", sched.ID).Err(err).Msg("a schedule is looked at again in a while")
			}
			if !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	if !some {
		return
	}
	wait := lookAgain
	if !next.IsZero() {
		wait = next.Sub(s.h.now())
	}
	s.arm(wait)
}

// consider fires a schedule if it is due, and gives its next instant; zero: none is known.
func (s *scheduler) consider(slug string, sched *agent.Schedule) (time.Time, error) {
	c, err := cron.Parse(sched.Cron, sched.TimeZone)
	if err != nil {
		return time.Time{}, err
	}
	st, err := s.state(slug, sched)
	if err != nil {
		return time.Time{}, err
	}
	now := s.h.now()
	floor := st.passed()
	if last, ok := c.Last(floor, now); ok {
		if err := s.due(slug, sched, st, c, last); err != nil {
			return time.Time{}, err
		}
		floor = last
	}
	next, _ := c.Next(floor)
	return next, nil
}

// due deals with the instants that passed up to last: that one fires, late if need be.
// Those before it, and all that passed while no host ran, were missed.
func (s *scheduler) due(slug string, sched *agent.Schedule, st *scheduleState, c *cron.Schedule, last time.Time) error {
	down := !last.After(st.from)
	switch {
	case down && !sched.CatchUp:
		return s.skip(slug, sched, st, last, skipMissed)
	case !down:
		before, ok := c.Last(st.passed(), last.Add(-time.Nanosecond))
		if !ok {
			break
		}
		if err := s.skip(slug, sched, st, before, skipMissed); err != nil {
			return err
		}
	}
	if sched.Overlap != agent.OverlapAllow && s.runs(st) {
		return s.skip(slug, sched, st, last, skipOverlap)
	}
	if err := s.h.Admit(); err != nil {
		return err
	}
	_, err := s.h.fire(slug, sched, st, last, nil)
	return err
}

package actors

import (
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/internal/clock"
)

// A turnClock measures the time that a turn runs, for its limit: it stands still
// while the turn is parked, and while no host runs. What the turn ran before the
// session was loaded is folded from the log, up to the newest event.
type turnClock struct {
	turn  string
	left  time.Duration
	since time.Time
	timer clock.Timer // nil while it stands still
}

// run lets the clock of the open turn run or stand still.
func (c *turnClock) run(a *sessionActor, running bool) {
	limit := a.agent.Limits.TurnTimeout
	if limit <= 0 {
		return
	}
	turn := ""
	if a.core.Turn != nil {
		turn = a.core.Turn.ID
	}
	if turn != c.turn {
		c.stop(a.h.now())
		*c = turnClock{turn: turn, left: limit}
		if t := a.core.Turn; t != nil {
			c.left -= time.Duration(t.Ran) * time.Millisecond
		}
	}
	switch {
	case turn == "" || running == (c.timer != nil):
	case !running:
		c.stop(a.h.now())
	default:
		c.since = a.h.now()
		eng, pid := a.h.eng, a.pid
		c.timer = a.h.o.Clock.AfterFunc(max(c.left, time.Millisecond), func() { eng.send(pid, &session.TurnTimeout{TurnID: turn}) })
	}
}

func (c *turnClock) stop(now time.Time) {
	if c.timer == nil {
		return
	}
	c.timer.Stop()
	c.timer = nil
	c.left -= now.Sub(c.since)
}

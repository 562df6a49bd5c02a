package actors_test

import (
	"slices"
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// A jumpClock has a wall time that can be set, as people and servers of time do, apart
// from the time that passes, by which timers ring.
type jumpClock struct {
	mu     sync.Mutex
	wall   time.Time
	passed time.Duration
	timers []*jumpTimer
}

type jumpTimer struct {
	c  *jumpClock
	at time.Duration
	f  func()
}

func newJumpClock(wall string) *jumpClock {
	at, err := time.Parse(time.RFC3339, wall)
	if err != nil {
		panic(err)
	}
	return &jumpClock{wall: at}
}

func (c *jumpClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wall
}

func (c *jumpClock) AfterFunc(d time.Duration, f func()) clock.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &jumpTimer{c: c, at: c.passed + max(d, 0), f: f}
	c.timers = append(c.timers, t)
	return t
}

func (t *jumpTimer) Stop() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	n := len(t.c.timers)
	t.c.timers = slices.DeleteFunc(t.c.timers, func(x *jumpTimer) bool { return x == t })
	return len(t.c.timers) < n
}

// jump sets the wall clock; no time passes.
func (c *jumpClock) jump(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall = c.wall.Add(d)
}

// pass lets time go by, and runs what rings meanwhile at its time.
func (c *jumpClock) pass(d time.Duration) {
	c.mu.Lock()
	end := c.passed + d
	for {
		var next *jumpTimer
		for _, t := range c.timers {
			if t.at <= end && (next == nil || t.at < next.at) {
				next = t
			}
		}
		if next == nil {
			break
		}
		c.timers = slices.DeleteFunc(c.timers, func(x *jumpTimer) bool { return x == next })
		c.wall, c.passed = c.wall.Add(next.at-c.passed), next.at
		c.mu.Unlock()
		next.f()
		c.mu.Lock()
	}
	c.wall, c.passed = c.wall.Add(end-c.passed), end
	c.mu.Unlock()
}

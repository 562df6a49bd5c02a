package mcp

import (
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// A testTime stands still until it is advanced.
type testTime struct {
	mu     sync.Mutex
	now    time.Time
	timers []*testTimer
}

type testTimer struct {
	t    *testTime
	at   time.Time
	f    func()
	done bool
}

func newTime() *testTime { return &testTime{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (t *testTime) Now() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

func (t *testTime) AfterFunc(d time.Duration, f func()) clock.Timer {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := &testTimer{t: t, at: t.now.Add(d), f: f}
	t.timers = append(t.timers, x)
	return x
}

func (x *testTimer) Stop() bool {
	x.t.mu.Lock()
	defer x.t.mu.Unlock()
	was := !x.done
	x.done = true
	return was
}

func (t *testTime) advance(d time.Duration) {
	t.mu.Lock()
	t.now = t.now.Add(d)
	var due []func()
	for _, x := range t.timers {
		if !x.done && !x.at.After(t.now) {
			x.done = true
			due = append(due, x.f)
		}
	}
	t.mu.Unlock()
	for _, f := range due {
		f()
	}
}

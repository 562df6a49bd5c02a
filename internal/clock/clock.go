// Package clock is the seam to wall time and timers, so that what depends on
// time can be tested without waiting for it.
package clock

import (
	"context"
	"time"
)

// A Clock tells the time and calls back later. It is safe for concurrent use.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f on a goroutine of its own after d.
	AfterFunc(d time.Duration, f func()) Timer
}

// A Timer is one call that is still to come.
type Timer interface {
	// Stop says whether it kept the call from happening.
	Stop() bool
}

// System is the machine's clock.
type System struct{}

// Now is time.Now.
func (System) Now() time.Time { return time.Now() }

// AfterFunc is time.AfterFunc.
func (System) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// Wait lets time pass; what it gives is why ctx ended meanwhile.
func Wait(ctx context.Context, on Clock, d time.Duration) error {
	over := make(chan struct{})
	timer := on.AfterFunc(d, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

package actors

import (
	"context"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// pauseFor waits; false: ctx ended meanwhile.
func pauseFor(ctx context.Context, on clock.Clock, d time.Duration) bool {
	over := make(chan struct{})
	timer := on.AfterFunc(d, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return true
	case <-ctx.Done():
		return false
	}
}

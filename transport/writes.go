package transport

import (
	"context"
	"sync"
	"time"

	"github.com/gobdk/bdk/events"
)

const (
	// ownWriteWait is how long a list waits for the caller's own last write.
	ownWriteWait = 2 * time.Second
	// freshWait is how long it waits for what is in the log by now.
	freshWait = 200 * time.Millisecond
	// maxWriters is how many principals are remembered one by one.
	maxWriters = 10_000
)

// writes remembers the position of each principal's last write.
type writes struct {
	mu   sync.Mutex
	last map[events.Principal]uint64
	// floor is at least the position of every principal that was forgotten.
	floor uint64
}

func newWrites() *writes { return &writes{last: map[events.Principal]uint64{}} }

func (w *writes) note(p events.Principal, position uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.last[p]; !known && len(w.last) >= maxWriters {
		for other, at := range w.last {
			w.floor = max(w.floor, at)
			delete(w.last, other)
			break
		}
	}
	w.last[p] = max(w.last[p], position)
}

func (w *writes) of(p events.Principal) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(w.last[p], w.floor)
}

// wrote remembers what the caller's command produced.
func (c *call) wrote(position uint64) { c.h.writes.note(c.principal, position) }

// caughtUp returns when the views show the caller's own last write. For a moment
// it waits for all that is in the log, so that a reader who saw an event on a
// stream finds it in a list; that is a courtesy and no promise.
func (c *call) caughtUp() error {
	own := c.h.writes.of(c.principal)
	ctx, cancel := context.WithTimeout(c.r.Context(), freshWait)
	defer cancel()
	if c.h.views.WaitFor(ctx, max(own, c.h.journal.Position())) == nil {
		return nil
	}
	ctx, cancelOwn := context.WithTimeout(c.r.Context(), ownWriteWait-freshWait)
	defer cancelOwn()
	if err := c.h.views.WaitFor(ctx, own); err != nil {
		return refuse("view_behind", "the list does not show your last write yet; ask again")
	}
	return nil
}

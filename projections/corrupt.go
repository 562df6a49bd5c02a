package projections

import (
	"errors"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// fetch gives events from a position on, or instead the damage that stands there,
// where it can be told how far it goes; else that is an error like another.
func (c *crew) fetch(from uint64) (evs []*events.Event, next uint64, damage *journal.CorruptError, err error) {
	evs, next, err = c.log.Range(from, rangeEvents)
	if errors.As(err, &damage) && next > from {
		return nil, next, damage, nil
	}
	return evs, next, nil, err
}

// pass lets a projection get past an event that cannot be read: a built-in one
// leaves it out, a custom one stops.
func (r *runner) pass(damage *journal.CorruptError, next uint64) error {
	at := &eventError{session: damage.Stream, index: damage.Index, err: damage}
	if !r.builtin {
		return r.halt(nil, at)
	}
	r.leaveOut(at)
	return r.commit(next, r.skipped+1)
}

package projections

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/gobdk/bdk/events"
)

// rangeEvents is how many events are folded at a time.
const rangeEvents = 256

// An eventLog is what of the journal a crew reads.
type eventLog interface {
	Range(from uint64, max int) (evs []*events.Event, next uint64, err error)
}

// A crew folds the same ranges of the log, one after the other. The built-in
// projections are one crew, so that each range is decoded once and fetched once
// for all of them; each custom one is a crew of its own, so that a slow or a
// failing one keeps nobody up. (One crew for all that stand at one position was
// thought of: it saves a message per range, and then a custom projection's
// slowness is the session list's.)
type crew struct {
	name string
	log  eventLog
	// guarded is handle with the guards of the router around it.
	guarded message.NoPublishHandlerFunc
	// changed is told after each step, with mu held.
	changed func(*crew)

	// mu is held while a range is folded.
	mu      sync.Mutex
	runners []*runner
}

// from is where the crew's subscription begins; a member that is ahead of it
// leaves out what it has.
func (c *crew) from() (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	from := c.runners[0].position
	for _, r := range c.runners {
		from = min(from, r.position)
	}
	return from, nil
}

// handle folds what the message of a Ranges subscriber names.
func (c *crew) handle(msg *message.Message) error {
	if len(msg.Payload) != 16 {
		return fmt.Errorf("projections: a range of %d bytes", len(msg.Payload))
	}
	return c.advance(msg.Context(), binary.BigEndian.Uint64(msg.Payload[8:]))
}

// advance folds range after range until every member that runs has folded
// everything below to. It lets others in between two ranges.
func (c *crew) advance(ctx context.Context, to uint64) error {
	for ctx.Err() == nil {
		if more, err := c.step(to); err != nil || !more {
			return err
		}
	}
	return ctx.Err()
}

// step folds one range for those that are furthest behind. more is false when
// there is none below to.
func (c *crew) step(to uint64) (more bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	from := to
	for _, r := range c.runners {
		if r.stop == nil {
			from = min(from, r.position)
		}
	}
	if from >= to {
		return false, nil
	}
	defer c.changed(c)
	evs, next, damage, err := c.fetch(from)
	if err != nil {
		return true, err
	}
	var faults []error
	for _, r := range c.runners {
		switch {
		case r.stop != nil:
		case damage != nil && r.position == from:
			faults = append(faults, r.pass(damage, next))
		case damage == nil && r.position < next:
			faults = append(faults, r.fold(evs[r.position-from:]))
		}
	}
	return next > from, errors.Join(faults...)
}

// poison is the end of the tries: who could not go on stops, and the message is
// taken as done, for the router would bring it again for ever.
func (c *crew) poison(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.changed(c)
	anyFault := false
	for _, r := range c.runners {
		anyFault = anyFault || r.fault != nil
	}
	for _, r := range c.runners {
		switch {
		case r.fault != nil:
			r.leave(r.fault)
		case !anyFault:
			r.leave(err)
		}
	}
}

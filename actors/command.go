package actors

import (
	"context"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A command goes to one session and carries its own way back. Without inputs it
// only wakes the session.
type command struct {
	id string
	// inputs are stepped in order and recorded in one append: one of them, or the
	// start of a session with its first message.
	inputs []session.Input
	// hook is the one through whose call the command came; empty for every other.
	hook string
	// orphan says that nobody waits for the session any more: what is open of it ends.
	orphan bool
	// result asks for the result of this call instead of the command's own answer.
	result string
	// compacts asks for the end of the compaction instead.
	compacts bool
	asked    time.Time  // when that call was recorded
	reply    chan reply // capacity 1: answering never blocks
}

// A reply is what a command led to, given when that is on disk.
type reply struct {
	err       error
	index     uint64 // of the message.received or artifact.tagged, where there is one
	turn      string // of the message
	followUps int
	position  uint64
	stopped   bool
	artifact  *events.ArtifactTagged // as it was recorded
	result    *events.ActionResult
	compacted *session.EndCompact
	took      time.Duration // from the call to its result, by the log's times
}

func (c *command) answer(r reply) {
	select {
	case c.reply <- r:
	default: // answered before
	}
}

// tell hands a command over without waiting.
func (h *Host) tell(c *command) { h.eng.send(h.sup, c) }

// ask hands inputs to a session and waits for the durable answer. When ctx ends
// first, the command may or may not be carried out.
func (h *Host) ask(ctx context.Context, c *command) (reply, error) {
	if h.refuses(ctx) && c.hook == "" { // hooks that run may end what they do
		return reply{}, ErrDraining
	}
	return h.exchange(ctx, c)
}

// exchange is ask for what is part of work that was admitted: it goes on while the
// host drains.
func (h *Host) exchange(ctx context.Context, c *command) (reply, error) {
	c.reply = make(chan reply, 1)
	h.tell(c)
	select {
	case r := <-c.reply:
		return r, refusal(r.err)
	case <-ctx.Done():
		return reply{}, ctx.Err()
	case <-h.closed:
		return reply{}, ErrDraining
	}
}

package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
	"github.com/gobdk/bdk/internal/failpoint"
)

// A deliverer is one handler of a channel. What it is given has an id of its own, so
// that two of one event can be told apart by whoever they deliver to.
type deliverer struct {
	suffix string
	fn     agent.DeliverFunc
}

// deliverersOf gives the handlers of a channel for events of a type, that of the type
// before that of every type. What the channel itself did is not delivered: a handler
// that keeps state would call itself for ever.
func deliverersOf(c *agent.Channel, typ string) (out []deliverer) {
	if typ == channelUpdated {
		return nil
	}
	if fn := c.On[typ]; fn != nil {
		out = append(out, deliverer{"", fn})
	}
	if fn := c.On[agent.AnyEvent]; fn != nil {
		out = append(out, deliverer{":" + agent.AnyEvent, fn})
	}
	return out
}

// deliverPauses are the waits before a handler that failed is tried again.
var deliverPauses = []time.Duration{500 * time.Millisecond, 2 * time.Second, 8 * time.Second}

// event gives one event to its handlers. False: it is to be given again, by another
// life of the host, or when the agent has the channel again.
func (c *deliveryChild) event(j *job, index uint64, line []byte) bool {
	def := j.agent.channel(j.info.ChannelID)
	if def == nil || len(def.On) == 0 {
		c.await(j)
		return false
	}
	for _, d := range deliverersOf(def, events.TypeOf(line)) {
		if !c.insist(j, def, d, fmt.Sprintf("%s:%d%s", c.id, index, d.suffix), line) {
			return false
		}
	}
	return c.ctx.Err() == nil
}

// insist runs a handler, again where it fails, and skips it in the end. False: the
// host stopped meanwhile.
func (c *deliveryChild) insist(j *job, def *agent.Channel, d deliverer, id string, line []byte) bool {
	for tried := 0; ; tried++ {
		err := c.attempt(j, def, d.fn, id, line)
		switch {
		case c.ctx.Err() != nil:
			return false
		case err == nil:
			failpoint.Hit("channel.sent_before_mark")
			return true
		case c.h.Draining(): // it may have failed for that reason
			c.stop()
			return false
		case tried == len(deliverPauses):
			c.failed(j, def.ID, events.TypeOf(line), err)
			return true
		}
		c.h.o.Logger.Warn().Str("session", c.id).Str("channel", def.ID).Str("delivery", id).Err(err).Msg("a delivery failed and is tried again")
		if clock.Wait(c.ctx, c.h.o.Clock, deliverPauses[tried]) != nil {
			return false
		}
	}
}

// attempt runs a handler once, on an event of its own.
func (c *deliveryChild) attempt(j *job, def *agent.Channel, fn agent.DeliverFunc, id string, line []byte) error {
	e, err := copyEvent(line)
	if err != nil {
		return err
	}
	after := j.agent.trail(c.h.life, true)
	defer after.end()
	call := j.callFor(e.TurnID)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	call.DeliveryID, call.Conversation = id, newConversation(c.ctx, j, def)
	call.WaitUntil = func(work func(ctx context.Context)) { c.leave(after, work) }
	call.Log = call.Log.With().Str("channel", def.ID).Str("delivery", id).Logger()
	_, err = limited(ctx, j.agent, c.h.o.HandlerTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, fn(ctx, e, call) })
	return err
}

// leave begins work that a handler leaves behind; the session stays awake for it.
func (c *deliveryChild) leave(after *trail, work func(ctx context.Context)) {
	c.waits.Add(1)
	begun := after.run(func(ctx context.Context) {
		defer c.waits.Add(-1)
		work(ctx)
	})
	if !begun {
		c.waits.Add(-1)
	}
}

func (c *deliveryChild) failed(j *job, channel, typ string, err error) {
	message := fmt.Sprintf("channel %q handler for %s failed %d times and was skipped: %v", channel, typ, len(deliverPauses)+1, err)
	logPanic(c.h.o.Logger.Error().Str("session", c.id), err).Msg(message)
	c.h.found(j.agent.Slug, agent.Diagnostic{Rule: "channel/delivery-failed", Message: message, Fix: "see the host's log, and mend the handler: the event is not delivered again"})
}

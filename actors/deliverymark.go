package actors

import (
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// undelivered is where delivery stands once an append with these events is on disk:
// nil when nothing is still to be given.
func (a *sessionActor) undelivered(evs []events.Event) *uint64 {
	if a.owed != nil {
		return a.owed
	}
	from, ok := a.delivery.pending()
	if !ok {
		from, _, ok = a.deliverable(evs)
	}
	if !ok {
		return nil
	}
	return &from
}

// quiet says whether the session waits for somebody, so that no append may follow soon.
func (a *sessionActor) quiet() bool {
	return a.core.OpenTurn() == "" || a.core.Parked()
}

// settleMark writes the open mark where it has changed and no append will take it
// along: so a session that delivers pays one more append for a turn.
func (a *sessionActor) settleMark() {
	if !a.quiet() || a.appending || !a.markStale() {
		return
	}
	a.foresee()
	a.append(journal.Append{Stream: a.id, Expect: a.core.Next, Mark: a.markOp(nil), Now: a.h.now()})
}

func (a *sessionActor) markStale() bool {
	return string(markOf(a.info, &a.core.State, a.undelivered(nil))) != a.mark
}

// markOnDisk gives a session's open mark: the fold tells it but for what a channel of
// an author's was given.
func (h *Host) markOnDisk(info *SessionInfo, st *session.State) ([]byte, error) {
	if info.builtIn() {
		return markOf(info, st, nil), nil
	}
	return h.journal.Mark(info.ID)
}

// takeUpDelivery goes on where the open mark, or the child of the actor before, stands.
func (a *sessionActor) takeUpDelivery(mark []byte, head uint64) {
	from, ok := a.delivery.pending()
	if !ok {
		at := readMark(mark).Undelivered
		if at == nil {
			return
		}
		from = max(*at, from) // what the child has given is given
	}
	switch {
	case from >= head:
	case a.h.delivering(a.info) != nil:
		a.deliver(from, head)
	default:
		a.owed = &from
		a.h.deliveryWaits(a.info)
	}
}

// delivering gives the channel of a session, where it has handlers of events now.
func (h *Host) delivering(info *SessionInfo) *agent.Channel {
	if info.builtIn() {
		return nil
	}
	if r := h.agents.of(info.Agent); r != nil {
		if c := r.channel(info.ChannelID); c != nil && len(c.On) > 0 {
			return c
		}
	}
	return nil
}

// deliveryWaits says that events of a session wait for its channel.
func (h *Host) deliveryWaits(info *SessionInfo) {
	message := fmt.Sprintf("events of sessions wait for the channel %q: the agent has no such channel now, or one without handlers", info.ChannelID)
	h.o.Logger.Warn().Str("agent", info.Agent).Str("session", info.ID).Msg(message)
	h.found(info.Agent, agent.Diagnostic{Rule: "channel/delivery-waits", Message: message, Fix: "see why the channel is not there, such as a variable that is not set: when it is back they are delivered"})
}

// await leaves what is still to be given until the agent has the channel again.
func (c *deliveryChild) await(j *job) {
	c.mu.Lock()
	c.absent = true
	c.mu.Unlock()
	c.h.deliveryWaits(j.info)
}

// countDelivery keeps the host's count of sessions that deliver, or whose mark is
// behind: Close waits for them.
func (a *sessionActor) countDelivery(owes bool) {
	if owes == a.owing {
		return
	}
	a.owing = owes
	if owes {
		a.h.hooking.Add(1)
		return
	}
	a.h.hooking.Add(-1)
}

// owesDelivery says whether something is being given, or recorded of it.
func (a *sessionActor) owesDelivery() bool {
	return a.delivery != nil && (a.delivery.busy() || a.appending || a.markStale())
}

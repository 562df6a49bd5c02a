package actors

import (
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// undelivered is where delivery stands once an append with these events is on disk:
// nil when nothing is still to be given.
func (a *sessionActor) undelivered(evs []events.Event) *uint64 {
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
	return string(markOf(&a.core.State, a.undelivered(nil))) != a.mark
}

// markOnDisk gives a session's open mark: the fold tells it but for what a channel of
// an author's was given.
func (h *Host) markOnDisk(info *SessionInfo, st *session.State) ([]byte, error) {
	if info.builtIn() {
		return markOf(st, nil), nil
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
	if r := a.h.agents.of(a.info.Agent); from < head && r != nil {
		if c := r.channel(a.info.ChannelID); c != nil && len(c.On) > 0 {
			a.deliver(from, head)
		}
	}
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

package actors

import (
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/session"
)

// sleep gives the session up when nothing of it runs; forced, in any case.
func (a *sessionActor) sleep(m *sleep) {
	if !m.force && (a.awake() || m.settled && a.core.Turn != nil) {
		a.h.eng.send(a.h.sup, &stayed{id: a.id})
		return
	}
	if !a.appending && !a.core.HasReady() && a.core.Next-a.snapAt >= snapshotEvery {
		a.snapshot()
	}
	a.sleepUntil()
	a.giveUp(ErrDraining)
}

// awake says whether something of the session runs or waits in memory.
func (a *sessionActor) awake() bool {
	running := a.core.Turn != nil && !a.core.Parked()
	return running || a.core.Asks() || a.appending || a.core.HasReady() || len(a.core.Queue) > 0 ||
		len(a.core.Direct) > 0 || len(a.calls) > 0 || len(a.results) > 0 || len(a.waiting) > 0 ||
		a.compaction != nil || len(a.compacts) > 0 || a.hooks.busy() || a.delivery.busy() || a.delivery.waited() || a.markStale()
}

// giveUp stops owning the session. Answers that are owed are given; ownership
// lasts until the append in flight has ended.
func (a *sessionActor) giveUp(err error) {
	if !a.gone && a.agent != nil {
		defer a.agent.release()
	}
	a.gone = true
	a.again = errors.Is(err, ErrFault) && (a.mark != "" || a.nextMark != "" || a.core == nil) ||
		isTaken(err) && a.mark != "" // nothing was written
	if a.inHand != nil {
		a.inHand.answer(reply{err: err})
	}
	for _, x := range a.waiting {
		x.to.answer(reply{err: err})
	}
	a.waiting, a.reason = nil, err
	a.endChildren()
	if errors.Is(err, ErrFault) || isTaken(err) {
		a.handOver()
	} else {
		a.endHooks()
	}
	a.countDelivery(false)
	a.clock.stop(a.h.now())
	a.leavePlace()
	a.setBusy(false)
	a.h.infos.Delete(a.id)
	if !a.appending {
		a.refuseSent()
		a.leave()
	}
}

// refuseSent answers those whose append did not come about.
func (a *sessionActor) refuseSent() {
	for _, x := range a.sent {
		x.to.answer(reply{err: a.reason})
	}
	for _, cs := range a.results {
		for _, c := range cs {
			c.answer(reply{err: a.reason})
		}
	}
	for _, c := range a.compacts {
		c.answer(reply{err: a.reason})
	}
	a.sent, a.results, a.compacts = nil, nil, nil
}

func (a *sessionActor) leave() {
	if a.held {
		a.held = false
		a.h.journal.Release(a.id)
	}
	again := a.again || a.hooks.busy() || a.delivery.busy()
	a.h.eng.send(a.h.sup, &left{id: a.id, pid: a.pid, again: again, kept: kept{a.hooks, a.delivery, a.handed, a.orphan}})
	a.handed = false
}

// handOver leaves the rest to the next actor of the session: Close waits until that
// has taken it over.
func (a *sessionActor) handOver() {
	if !a.handed {
		a.handed = true
		a.h.hooking.Add(1)
	}
}

// tookOver says that what the actor before left is taken up, and on disk.
func (a *sessionActor) tookOver() {
	if a.handed {
		a.handed = false
		a.h.hooking.Add(-1)
	}
}

func (a *sessionActor) endHooks() {
	a.hooks.end()
	a.delivery.end()
	a.hooks, a.delivery = nil, nil
}

// refer gives back what comes after the session was given up.
func (a *sessionActor) refer(msg any) {
	switch m := msg.(type) {
	case *command:
		a.h.tell(m)
	case *recorded: // what was under way when the session was given up
		a.appending = false
		if m.err == nil {
			a.position = m.at.Position
			a.info.followUps.Store(a.nextToken)
			a.info.place.Store(a.nextPlace)
			if errors.Is(a.reason, ErrFault) {
				a.tellHooks(a.inflight.Events)
			}
			a.answer()
			a.answerResults(a.inflight.Events)
		}
		a.refuseSent()
		a.leave()
	case *retry:
		a.appending = false
		a.refuseSent()
		a.leave()
	}
}

func (a *sessionActor) snapshot() {
	if err := a.h.putSnapshot(a.id, a.core); err != nil { // the log is enough: a later wake folds more
		a.h.o.Logger.Warn().Str("session", a.id).Err(err).Msg("a snapshot was not written")
		return
	}
	a.snapAt = a.core.Next
}

func (h *Host) putSnapshot(id string, core *session.Session) error {
	state, err := json.Marshal(&core.State)
	if err != nil {
		return err
	}
	return h.journal.PutSnapshot(id, core.Next, state)
}

func (a *sessionActor) endChildren() {
	if a.turn != nil {
		a.turn.end()
		a.turn = nil
	}
	a.endSubs("")
	if a.compaction != nil {
		a.compaction.end()
		a.compaction = nil
	}
	for id, c := range a.calls {
		c.end()
		delete(a.calls, id)
	}
	for id, c := range a.approvals {
		c.end()
		delete(a.approvals, id)
	}
}

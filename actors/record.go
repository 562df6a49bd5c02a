package actors

import (
	"errors"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events/journal"
)

// kick records what waits, one append at a time; what comes meanwhile goes in with the next.
func (a *sessionActor) kick() {
	a.settlePlace()
	switch {
	case a.appending || a.gone:
	case a.core.HasReady():
		a.record()
	default:
		a.inflight = session.Ready{}
		a.sent, a.waiting = a.waiting, nil
		a.answer()
		a.settleMark()
	}
	if !a.gone {
		a.countDelivery(a.owesDelivery())
	}
	if !a.gone && !a.appending {
		a.tookOver()
	}
}

// foresee keeps what will hold once the append in hand is on disk.
func (a *sessionActor) foresee() {
	a.nextToken, a.nextPlace, a.nextConversation = tokenNumber(&a.core.State), placeOf(&a.core.State), a.conversation
}

func (a *sessionActor) record() {
	a.inflight = a.core.Ready()
	a.foresee()
	a.sent, a.waiting = a.waiting, nil
	if len(a.inflight.Events) == 0 {
		a.act()
		return
	}
	now := a.h.now()
	ap := journal.Append{Stream: a.id, Expect: a.inflight.First, Events: a.inflight.Events, Mark: a.markOp(a.inflight.Events), Claims: a.claims(now), Now: now}
	ap.Frees = artifactKeys(ap.Events)
	a.claimConversation(&ap)
	a.append(ap)
}

// appendAgain is how long a full disk is waited for between two tries.
const appendAgain = 200 * time.Millisecond

func (a *sessionActor) append(ap journal.Append) {
	a.appending, a.pending = true, ap
	pid, eng := a.pid, a.h.eng
	a.h.journal.AppendAsync(ap, func(at journal.Appended, err error) { eng.send(pid, &recorded{at, err}) })
}

// recorded lets go what had to wait for the disk.
func (a *sessionActor) recorded(m *recorded) {
	a.appending = false
	switch {
	case m.err == nil:
		a.position, a.mark, a.progressed, a.conversation, a.orphan = m.at.Position, a.nextMark, true, a.nextConversation, false
		a.act()
	case errors.Is(m.err, journal.ErrFull): // it passes: nothing was written, nothing is lost
		a.appending = true
		a.h.o.Clock.AfterFunc(appendAgain, func() { a.h.eng.send(a.pid, &retry{}) })
	case errors.Is(m.err, journal.ErrClosed), errors.Is(m.err, journal.ErrFailed), isTaken(m.err):
		a.giveUp(m.err)
	default: // what cannot be written was ours: the next actor folds the log and fails the turn
		a.crashed(m.err)
	}
}

// isTaken says whether an append was refused because somebody else holds one of its keys.
func isTaken(err error) bool {
	var taken *journal.TakenError
	return errors.As(err, &taken)
}

// act answers, then starts effects: their facts are on disk. What Close waits for is
// counted before an answer leaves, whose receiver may close the host at once.
func (a *sessionActor) act() {
	done := a.inflight
	a.inflight, a.pending = session.Ready{}, journal.Append{}
	hitRecorded(done.Events)
	a.info.followUps.Store(a.nextToken)
	a.info.place.Store(a.nextPlace)
	if n := len(done.Events); n > 0 {
		a.next = done.Events[n-1].Index + 1
	}
	a.keepFresh(done.Events)
	a.tellHooks(done.Events)
	a.tellChannel(done.Events)
	a.countBusy() // last, so that a turn that ends is followed by its hooks without a gap
	a.answer()
	a.answerResults(done.Events)
	for _, f := range done.Effects {
		a.do(f)
	}
	a.countBusy()
	a.setAlarm()
	a.snapshotSometimes()
}

func (a *sessionActor) answer() {
	for _, x := range a.sent {
		x.r.position = a.position
		x.to.answer(x.r)
	}
	a.sent = nil
}

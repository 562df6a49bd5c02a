package actors

import (
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// do starts an effect whose facts are on disk. What needs a place waits for it.
func (a *sessionActor) do(f session.Effect) {
	switch f := f.(type) {
	case *session.CallModel:
		if a.runs(f.TurnID, f) {
			a.callModel(f)
		}
	case *session.RunTool:
		if f.TurnID == "" || a.runs(f.TurnID, f) {
			failpoint.Hit("tool.recorded_before_start")
			a.runTool(f)
		}
	case *session.Resolve:
		if a.runs(f.TurnID, f) {
			a.resolveReply(f)
		}
	case *session.Compact:
		if f.TurnID == "" || a.runs(f.TurnID, f) {
			a.compact(f)
		}
	case *session.EndCompact:
		a.endCompact(f)
	case *session.AwaitApproval:
		a.awaitApproval(f)
	case *session.CloseApproval:
		a.closeApproval(f.CallID)
	case *session.AwaitPlace:
		a.askPlace()
	case *session.EndSubagent:
		a.endSub(f.CallID)
	case *session.EndTurn:
		a.endTurn(f.TurnID)
	}
}

// runs says whether the turn is still the one that runs and has its place.
func (a *sessionActor) runs(turn string, f session.Effect) bool {
	if a.core.Turn == nil || a.core.Turn.ID != turn {
		return false
	}
	if a.h.places.unbounded.Load() || a.place.held {
		return true
	}
	a.queued = append(a.queued, f)
	a.askPlace()
	return false
}

// endTurn cancels what still runs of a turn. What its tools report later is dropped
// by the session.
func (a *sessionActor) endTurn(turn string) {
	if a.turn != nil && a.turn.id == turn {
		a.turn.end()
		a.turn = nil
	}
	a.endSubs(turn)
	for id, c := range a.calls {
		if c.turn == turn {
			c.end()
			delete(a.calls, id)
		}
	}
	for id, c := range a.approvals {
		if c.turn == turn {
			c.end()
			delete(a.approvals, id)
		}
	}
	a.queued = slices.DeleteFunc(a.queued, func(f session.Effect) bool { return placeFor(f) == turn })
	if ticket := a.place.ticket; ticket != nil && a.core.OpenTurn() == "" {
		a.h.places.drop(ticket)
		a.place.ticket = nil
	}
}

// placeFor is the turn whose place an effect needs.
func placeFor(f session.Effect) string {
	switch f := f.(type) {
	case *session.CallModel:
		return f.TurnID
	case *session.Resolve:
		return f.TurnID
	case *session.Compact:
		return f.TurnID
	case *session.RunTool:
		return f.TurnID
	}
	return ""
}

func (a *sessionActor) dropCall(id string) {
	if c := a.calls[id]; c != nil {
		c.end()
		delete(a.calls, id)
	}
}

// A fresh run of events is what the turn's next model step has to add to its
// transcript: complete from one index to another but for deltas, which are no part of it.
type fresh struct {
	from, to uint64
	events   []events.Event
}

// maxFresh is how many events are kept for a step; more are read from the log.
const maxFresh = 1024

// keepFresh gathers recorded events while a turn is open.
func (a *sessionActor) keepFresh(evs []events.Event) {
	if a.core.Turn == nil {
		a.fresh = fresh{}
		return
	}
	if len(evs) == 0 {
		return
	}
	if len(a.fresh.events) == 0 || len(a.fresh.events) > maxFresh {
		a.fresh = fresh{from: evs[0].Index}
	}
	for i := range evs {
		if !strings.HasSuffix(evs[i].Type, ".appended") {
			a.fresh.events = append(a.fresh.events, evs[i])
		}
	}
	a.fresh.to = evs[len(evs)-1].Index + 1
}

// countBusy keeps the host's count of sessions whose turn runs, and the turn's clock.
func (a *sessionActor) countBusy() {
	running := a.core.Turn != nil && !a.core.Parked()
	a.setBusy(running || len(a.core.Direct) > 0 || a.compaction != nil)
	a.clock.run(a, running)
}

func (a *sessionActor) setBusy(busy bool) {
	if busy == a.counted {
		return
	}
	a.counted = busy
	if busy {
		a.h.busy.Add(1)
		return
	}
	a.h.busy.Add(-1)
}

// await keeps a command until its call has a result on disk.
func (a *sessionActor) await(c *command) {
	if a.results == nil {
		a.results = map[string][]*command{}
	}
	a.results[c.result] = append(a.results[c.result], c)
}

func (a *sessionActor) answerResults(evs []events.Event) {
	if len(a.results) == 0 {
		return
	}
	for i := range evs {
		d, ok := evs[i].Data.(*events.ActionResult)
		if !ok {
			continue
		}
		for _, c := range a.results[d.CallID] {
			c.answer(reply{result: d, took: logTime(evs[i].At).Sub(logTime(c.asked)), position: a.position})
		}
		delete(a.results, d.CallID)
	}
}

// logTime is a time as the log keeps it: what is computed from the log later must
// be equal.
func logTime(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

// hitRecorded passes the fail points of what was just recorded.
func hitRecorded(evs []events.Event) {
	if !failpoint.Enabled {
		return
	}
	for i := range evs {
		switch d := evs[i].Data.(type) {
		case *events.StepCompleted:
			failpoint.Hit("step.recorded")
		case *events.ReminderFired:
			failpoint.Hit("reminder.recorded")
		case *events.InputResolved:
			if d.Decision == events.DecisionApprove {
				failpoint.Hit("approval.recorded_before_resume")
			}
		case *events.TurnFailed:
			if d.Status == events.StatusCancelled {
				failpoint.Hit("turn.cancel_recorded")
			}
		}
	}
}

package actors

import (
	"encoding/json"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// An openMark is what a restart finds of a session that has something to do.
type openMark struct {
	// Parked says that nothing of it runs, nor has to be asked for anew: it sleeps until
	// one of the times.
	Parked bool `json:"parked,omitempty"`
	// Deadline is when the first parked call expires, Reminder when the first reminder is due.
	Deadline *time.Time `json:"deadline,omitempty"`
	Reminder *time.Time `json:"reminder,omitempty"`
	// Undelivered is the first event that the session's channel may not have been given.
	Undelivered *uint64 `json:"undelivered,omitempty"`
	// Eval says that an eval waits for it, which ends with its host.
	Eval bool `json:"eval,omitempty"`
	// Fork says that its history is still to be copied.
	Fork bool `json:"fork,omitempty"`
}

// forkMark is the mark of a fork until it is whole.
var forkMark = []byte(`{"fork":true}`)

// markedTimes has the times of a state alone.
func markedTimes(s *session.State) (m openMark) {
	if at, ok := s.Deadline(); ok {
		m.Deadline = &at
	}
	if r := s.NextReminder(); r != nil {
		at := r.At
		m.Reminder = &at
	}
	return m
}

// wake is the first of the times at which a sleeping session is woken; zero: none.
// Where reminders are fired by hand, theirs is none.
func (m *openMark) wake(manual bool) (at time.Time) {
	if m.Deadline != nil {
		at = *m.Deadline
	}
	if m.Reminder != nil && !manual && (at.IsZero() || m.Reminder.Before(at)) {
		at = *m.Reminder
	}
	return at
}

// markOf gives the open mark of a state; nil when there is nothing to take up.
func markOf(info *SessionInfo, s *session.State, undelivered *uint64) []byte {
	m := markedTimes(s)
	if !s.Open() && m.Reminder == nil && undelivered == nil {
		return nil
	}
	m.Eval = info.ChannelID == evalChannel
	m.Parked, m.Undelivered = (s.Parked() || !s.Open()) && len(s.Direct) == 0 && !s.Asks(), undelivered
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a bool and times always encode
	}
	return b
}

// readMark reads an open mark; one that cannot be read counts as running.
func readMark(value []byte) (m openMark) {
	if json.Unmarshal(value, &m) != nil {
		return openMark{}
	}
	return m
}

// markOp is the change of the open mark that goes with the next append, of these events.
func (a *sessionActor) markOp(evs []events.Event) journal.MarkOp {
	mark := markOf(a.info, &a.core.State, a.undelivered(evs))
	a.nextMark = string(mark)
	if a.nextMark == a.mark {
		return journal.MarkOp{}
	}
	if mark == nil {
		return journal.MarkOp{Clear: true}
	}
	return journal.MarkOp{Set: true, Value: mark}
}

// How long unique keys are held.
const (
	idempotencyTime = 24 * time.Hour
	deliveryTime    = 7 * 24 * time.Hour
)

// claims are the unique keys that the events of the append in hand carry.
func (a *sessionActor) claims(now time.Time) []journal.Claim {
	var out []journal.Claim
	for i := range a.inflight.Events {
		e := &a.inflight.Events[i]
		switch d := e.Data.(type) {
		case *events.MessageReceived:
			out = appendIdempotency(out, d.Idempotency, a.id, e.Index, now)
			if d.DeliveryID != "" {
				out = append(out, journal.Claim{Key: deliveryKey(a.start.Agent, a.start.ChannelID, d.DeliveryID), Value: holder(a.id, e.Index, ""), Until: now.Add(deliveryTime)})
			}
		case *events.ActionsRequested:
			out = appendIdempotency(out, d.Idempotency, a.id, e.Index, now)
		case *events.InputResolved:
			out = appendIdempotency(out, d.Idempotency, a.id, e.Index, now)
		case *events.ArtifactTagged:
			out = append(out, artifactClaim(a.id, e.Index, d))
		}
	}
	return out
}

func deliveryKey(agent, channel, id string) string {
	return "delivery/" + agent + "/" + channel + "/" + id
}

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
	Parked   bool       `json:"parked,omitempty"`
	Deadline *time.Time `json:"deadline,omitempty"`
}

// markOf gives the open mark of a state; nil when there is nothing to take up.
func markOf(s *session.State) []byte {
	if !s.Open() {
		return nil
	}
	m := openMark{Parked: s.Parked() && len(s.Direct) == 0}
	if at, ok := s.Deadline(); ok {
		m.Deadline = &at
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a bool and a time always encode
	}
	return b
}

// readMark reads an open mark; one that cannot be read counts as running.
func readMark(value []byte) (parked bool, deadline time.Time) {
	var m openMark
	if json.Unmarshal(value, &m) != nil {
		return false, deadline
	}
	if m.Deadline != nil {
		deadline = *m.Deadline
	}
	return m.Parked, deadline
}

// markOp is the change of the open mark that goes with the next append.
func (a *sessionActor) markOp() journal.MarkOp {
	mark := markOf(&a.core.State)
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

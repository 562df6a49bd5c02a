package actors

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// Values of schedule.skipped's reason.
const (
	skipMissed  = "missed"
	skipOverlap = "overlap"
)

// An openFiring is a firing that was recorded and has not ended.
type openFiring struct {
	ID      string    `json:"id"`
	Instant time.Time `json:"instant"`
	// SessionID is the session that it opens; empty where it runs a function.
	SessionID string `json:"sessionId,omitempty"`
	// At is the event's index, which tells apart what has one instant.
	At uint64 `json:"at"`
}

// skip records that an instant passed unused.
func (s *scheduler) skip(slug string, sched *agent.Schedule, st *scheduleState, at time.Time, reason string) error {
	r := s.h.agents.take(slug)
	if r == nil {
		return ErrUnknownAgent
	}
	defer r.release()
	at = at.UTC()
	s.h.o.Logger.Info().Str("agent", slug).Str("schedule", sched.ID).Time("instant", at).Str("reason", reason).Msg("a schedule was skipped")
	d := &events.ScheduleSkipped{ID: sched.ID, Instant: at, Reason: reason}
	return r.log.schedule(s.h.life, st, d, nil, nil, func(t *scheduleTold) {
		t.Passed, t.Skipped = at, scheduleAt{at, reason}
	})
}

// fired records a firing before anything of it happens. By hand it has no instant of
// the clock's.
func (l *agentLog) fired(ctx context.Context, st *scheduleState, f *openFiring, byHand bool, i *events.Idempotency) error {
	d := &events.ScheduleFired{ID: f.ID, Instant: f.Instant, SessionIDs: []string{}}
	if f.SessionID != "" {
		d.SessionIDs = append(d.SessionIDs, f.SessionID)
	}
	keys := func(ap *journal.Append) {
		f.At = ap.Expect
		ap.Claims = appendIdempotency(ap.Claims, i, l.stream, ap.Expect, ap.Now)
		if !byHand {
			ap.Claims = append(ap.Claims, journal.Claim{Key: instantKey(st.key, f.Instant), Value: holder(l.stream, ap.Expect, ""), Until: ap.Now.Add(deliveryTime)})
		}
	}
	open := func(open []openCall) []openCall {
		return append(open[:len(open):len(open)], openCall{Firing: f})
	}
	return l.schedule(ctx, st, d, open, keys, func(t *scheduleTold) {
		t.Fired, t.SessionIDs = f.Instant, d.SessionIDs
		if !byHand {
			t.Passed = f.Instant
		}
	})
}

// ended records the end of a firing: why it failed, or nothing but that it is over.
func (l *agentLog) ended(ctx context.Context, st *scheduleState, f *openFiring, failed string) error {
	open := func(open []openCall) []openCall {
		return slices.DeleteFunc(slices.Clone(open), func(c openCall) bool { return c.Firing != nil && c.Firing.ID == f.ID && c.Firing.At == f.At })
	}
	if failed == "" {
		return l.schedule(ctx, st, nil, open, nil, func(*scheduleTold) {})
	}
	d := &events.ScheduleFailed{ID: f.ID, Instant: f.Instant, Message: failed}
	return l.schedule(ctx, st, d, open, nil, func(t *scheduleTold) { t.Failed = scheduleAt{f.Instant, failed} })
}

// schedule records an event of a schedule, nil for none, with what is told of its past.
func (l *agentLog) schedule(ctx context.Context, st *scheduleState, d events.Payload, open func([]openCall) []openCall, keys func(*journal.Append), tell func(*scheduleTold)) error {
	var ds []events.Payload
	if d != nil {
		ds = append(ds, d)
	}
	if open == nil {
		open = func(open []openCall) []openCall { return open }
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	told := st.told
	tell(&told)
	value, err := json.Marshal(told)
	if err != nil {
		panic(err) // strings and times always encode
	}
	_, err = l.record(context.WithoutCancel(ctx), ds, func(calls []openCall) ([]openCall, error) { return open(calls), nil }, func(ap *journal.Append) {
		ap.Claims, ap.Frees = append(ap.Claims, journal.Claim{Key: toldKey(st.key), Value: value}), append(ap.Frees, toldKey(st.key))
		if keys != nil {
			keys(ap)
		}
	})
	if err == nil {
		st.told = told
	}
	return refusal(err)
}

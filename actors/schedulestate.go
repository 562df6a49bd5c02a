package actors

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
)

// A scheduleState is what is known of one schedule of an agent.
type scheduleState struct {
	key string
	// from is when this host began to look at it: what passed before was missed.
	from time.Time

	mu sync.Mutex
	// since is when its expression was first seen.
	since time.Time
	told  scheduleTold
	// running counts firings that have not ended; sessions are those that the newest opened.
	running  int
	sessions []string
}

// scheduleTold is what the log tells of a schedule's past. It is kept with a unique key,
// in the batch of each event of the schedule, so that no log must be searched for it.
type scheduleTold struct {
	// Passed is the newest instant that fired or was skipped by the clock.
	Passed time.Time `json:"passed,omitzero"`
	// Fired is the newest firing, by hand as well, and SessionIDs what it opened.
	Fired      time.Time  `json:"fired,omitzero"`
	SessionIDs []string   `json:"sessionIds,omitempty"`
	Skipped    scheduleAt `json:"skipped,omitzero"`
	Failed     scheduleAt `json:"failed,omitzero"`
}

// A scheduleAt is an instant and what was with it.
type scheduleAt struct {
	Instant time.Time `json:"instant"`
	Why     string    `json:"why"`
}

// passed is the newest instant that needs nothing any more.
func (st *scheduleState) passed() time.Time {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.told.Passed.After(st.since) {
		return st.told.Passed
	}
	return st.since
}

// A seenSchedule is kept of each schedule: what it was, and since when.
type seenSchedule struct {
	Cron     string    `json:"cron"`
	TimeZone string    `json:"timeZone,omitempty"`
	Since    time.Time `json:"since"`
}

const schedulesSpace = "schedules"

func scheduleKey(slug, id string) string { return slug + "/" + id }

func toldKey(key string) string { return "schedule/" + key }

func instantKey(key string, at time.Time) string {
	return "instant/" + key + "/" + at.UTC().Format(time.RFC3339)
}

// state gives what is known of a schedule that the clock is to fire.
func (s *scheduler) state(slug string, sched *agent.Schedule) (*scheduleState, error) {
	st, err := s.stateOf(slug, sched.ID)
	if err != nil || s.h.o.Manual {
		return st, err
	}
	return st, s.h.see(st, sched)
}

// stateOf gives what is known of a schedule, read when it is first asked for.
func (s *scheduler) stateOf(slug, id string) (*scheduleState, error) {
	key := scheduleKey(slug, id)
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.states[key]
	if st == nil {
		st = &scheduleState{key: key, from: s.h.now()}
		if err := s.h.readTold(st); err != nil {
			return nil, err
		}
		st.sessions = st.told.SessionIDs
		s.states[key] = st
	}
	return st, nil
}

func (h *Host) readTold(st *scheduleState) error {
	value, ok, err := h.journal.Lookup(h.life, toldKey(st.key), h.now())
	if err != nil || !ok {
		return refusal(err)
	}
	if err := json.Unmarshal(value, &st.told); err != nil {
		return fmt.Errorf("actors: reading the past of schedule %s: %w", st.key, err)
	}
	return nil
}

// see finds since when the schedule is there with its expression: a new one, or one
// that was changed, has missed nothing.
func (h *Host) see(st *scheduleState, sched *agent.Schedule) error {
	space, now := h.journal.Space(schedulesSpace), h.now().UTC()
	value, ok, err := space.Get([]byte(st.key))
	if err != nil {
		return refusal(err)
	}
	var seen seenSchedule
	known := ok && json.Unmarshal(value, &seen) == nil && seen.Cron == sched.Cron && seen.TimeZone == sched.TimeZone
	st.mu.Lock()
	defer st.mu.Unlock()
	if known && !seen.Since.After(now) {
		st.since = seen.Since
		return nil
	}
	st.since = now
	b, err := json.Marshal(seenSchedule{sched.Cron, sched.TimeZone, now})
	if err != nil {
		panic(err) // strings and a time always encode
	}
	batch := space.NewBatch()
	defer func() { _ = batch.Close() }()
	batch.Set([]byte(st.key), b)
	return refusal(batch.Commit(true))
}

// runs says whether something of the firing before goes on.
func (s *scheduler) runs(st *scheduleState) bool {
	st.mu.Lock()
	running, sessions := st.running, st.sessions
	st.mu.Unlock()
	if running > 0 {
		return true
	}
	for _, id := range sessions {
		head, err := s.h.journal.Head(id)
		if err != nil || head == 0 {
			continue
		}
		now, err := s.h.StateAt(id, head)
		if err == nil && (now.Status() == session.StatusRunning || now.Status() == session.StatusParked) {
			return true
		}
	}
	return false
}

package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/cron"
)

// An UnknownScheduleError names the schedules that there are.
type UnknownScheduleError struct {
	ID        string
	Available []string
}

// Error names the schedule.
func (e *UnknownScheduleError) Error() string {
	if len(e.Available) == 0 {
		return "there is no schedule " + e.ID + ": the agent has none"
	}
	return "there is no schedule " + e.ID + ": there are " + strings.Join(e.Available, ", ")
}

// A ScheduleError says why a firing failed.
type ScheduleError struct {
	ID  string
	Err error
}

// Error names the schedule.
func (e *ScheduleError) Error() string { return "schedule " + e.ID + " failed: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *ScheduleError) Unwrap() error { return e.Err }

// FireSchedule fires a schedule of an agent now, whatever its clock and its overlap
// say, and gives the sessions that the firing opened when it has ended. A repeated
// idempotency key gives the sessions that the first firing was recorded with.
func (h *Host) FireSchedule(ctx context.Context, slug, id string, i *events.Idempotency) ([]string, error) {
	r := h.agents.of(slug)
	if r == nil {
		return nil, ErrUnknownAgent
	}
	var ids []string
	var sched *agent.Schedule
	for _, s := range r.Schedules {
		if ids = append(ids, s.ID); s.ID == id {
			sched = s
		}
	}
	if sched == nil {
		return nil, &UnknownScheduleError{ID: id, Available: ids}
	}
	if err := h.Admit(); err != nil {
		return nil, err
	}
	return once(ctx, h, i, func(ctx context.Context) ([]string, error) { return h.fireByHand(ctx, slug, sched, i) },
		func(e *events.Event) ([]string, error) {
			d, ok := e.Data.(*events.ScheduleFired)
			if !ok {
				return nil, ErrCorrupt
			}
			return d.SessionIDs, nil
		})
}

func (h *Host) fireByHand(ctx context.Context, slug string, sched *agent.Schedule, i *events.Idempotency) ([]string, error) {
	st, err := h.schedules.state(slug, sched)
	if err != nil {
		return nil, err
	}
	if err := h.enter(); err != nil {
		return nil, err
	}
	defer h.effects.Done()
	f, err := h.fire(slug, sched, st, time.Time{}, i)
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.closed:
		return nil, ErrDraining
	}
	if f.err != nil {
		return nil, &ScheduleError{ID: sched.ID, Err: f.err}
	}
	return f.opened(), nil
}

// errCutOff is why a firing failed whose function ran when the host stopped.
var errCutOff = errors.New("the host stopped while it ran: whether it took effect is unknown, and it is not run again")

// recoverFirings takes up what a restart cut off: a session that was recorded and not
// opened is opened; a function is not run again.
func (h *Host) recoverFirings(ctx context.Context, agents map[string]*agentRuntime) error {
	for slug, r := range agents {
		for _, f := range r.log.cut {
			if err := h.takeUpFiring(ctx, slug, r, &f); err != nil {
				return err
			}
		}
		r.log.cut = nil
	}
	return nil
}

func (h *Host) takeUpFiring(ctx context.Context, slug string, r *agentRuntime, f *openFiring) error {
	at := slices.IndexFunc(r.Schedules, func(s *agent.Schedule) bool { return s.ID == f.ID })
	sched := &agent.Schedule{ID: f.ID}
	if at >= 0 {
		sched = r.Schedules[at]
	}
	st, err := h.schedules.stateOf(slug, f.ID)
	if err != nil {
		return err
	}
	failed := h.resumeFiring(ctx, slug, sched, f)
	if failed != "" {
		h.o.Logger.Warn().Str("agent", slug).Str("schedule", f.ID).Time("instant", f.Instant).Str("error", failed).Msg("a schedule failed")
	}
	return r.log.ended(ctx, st, f, failed)
}

// resumeFiring gives why the firing failed; empty when it did not.
func (h *Host) resumeFiring(ctx context.Context, slug string, sched *agent.Schedule, f *openFiring) string {
	if f.SessionID == "" {
		return errCutOff.Error()
	}
	if head, err := h.journal.Head(f.SessionID); err != nil || head > 0 {
		return ""
	}
	if sched.Markdown == "" {
		return "the host stopped before its session started, and the schedule has no prompt any more"
	}
	if err := h.openScheduled(ctx, slug, sched, f); err != nil {
		return err.Error()
	}
	return ""
}

// A ScheduleStatus is what became of a schedule so far. Zero times are unknown.
type ScheduleStatus struct {
	// Next is the instant that comes; zero where nothing fires by itself.
	Next time.Time
	// LastFired is the newest firing.
	LastFired time.Time
}

// ScheduleStatus tells of a schedule of an agent, and what is to be known of its
// newest instant: that it failed, or was skipped.
func (h *Host) ScheduleStatus(slug string, sched *agent.Schedule) (s ScheduleStatus, found []agent.Diagnostic) {
	st, err := h.schedules.stateOf(slug, sched.ID)
	if err != nil {
		return s, nil
	}
	st.mu.Lock()
	told := st.told
	st.mu.Unlock()
	s.LastFired = told.Fired
	if c, err := cron.Parse(sched.Cron, sched.TimeZone); err == nil && !h.o.Manual {
		s.Next, _ = c.Next(h.now())
	}
	s.newest(sched.ID, &told, &found)
	return s, found
}

// newest tells of what became of the newest instant.
func (*ScheduleStatus) newest(id string, told *scheduleTold, found *[]agent.Diagnostic) {
	is := func(at scheduleAt) bool { return !at.Instant.IsZero() && !at.Instant.Before(told.Fired) }
	if at := told.Failed; is(at) {
		*found = append(*found, agent.Diagnostic{Rule: "schedule/failed", Severity: agent.SeverityWarning,
			Message: fmt.Sprintf("schedule %s failed at %s: %s", id, at.Instant.Format(time.RFC3339), at.Why), Fix: "the log of the host has the details"})
	}
	if at := told.Skipped; is(at) {
		*found = append(*found, agent.Diagnostic{Rule: "schedule/skipped", Severity: agent.SeverityWarning,
			Message: fmt.Sprintf("schedule %s was skipped at %s: %s", id, at.Instant.Format(time.RFC3339), skipReasons[at.Why]), Fix: skipFixes[at.Why]})
	}
}

// What skips say to people.
var (
	skipReasons = map[string]string{skipMissed: "no host ran, or its clock jumped", skipOverlap: "the firing before still ran"}
	skipFixes   = map[string]string{skipMissed: "with catchUp: true the newest missed instant fires at the next start", skipOverlap: "let it fire less often, or set overlap: \"allow\""}
)

package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// A firing is one firing of a schedule that is under way.
type firing struct {
	h     *Host
	agent *agentRuntime // held until it ended
	sched *agent.Schedule
	st    *scheduleState
	openFiring

	mu    sync.Mutex
	sent  []string   // the sessions that it sent messages to
	left  int        // pieces of work that go on after Run
	ended *sync.Cond // of mu: one of them has ended
	late  error      // faults of those
	over  bool       // all have ended: no more begin

	done chan struct{} // closed when it ended
	err  error         // why it failed; read after done
}

// fire records a firing, then lets it go on a goroutine of its own. By hand there is no
// instant of the clock: at is zero.
func (h *Host) fire(slug string, sched *agent.Schedule, st *scheduleState, at time.Time, i *events.Idempotency) (*firing, error) {
	r := h.agents.take(slug)
	if r == nil {
		return nil, ErrUnknownAgent
	}
	f := &firing{h: h, agent: r, sched: sched, st: st, done: make(chan struct{})}
	f.ended = sync.NewCond(&f.mu)
	f.ID, f.Instant = sched.ID, at.UTC()
	byHand := at.IsZero()
	if byHand {
		f.Instant = logTime(h.now().UTC())
	}
	if sched.Run == nil {
		f.SessionID = h.newID(events.SessionPrefix)
	}
	if err := r.log.fired(h.life, st, &f.openFiring, byHand, i); err != nil {
		r.release()
		return nil, err
	}
	failpoint.Hit("schedule.recorded")
	h.o.Logger.Info().Str("agent", slug).Str("schedule", sched.ID).Time("instant", f.Instant).Msg("a schedule fired")
	f.begin()
	return f, nil
}

// begin lets the firing go. The caller is counted among the effects.
func (f *firing) begin() {
	f.st.mu.Lock()
	f.st.running++
	f.st.sessions = nil
	f.st.mu.Unlock()
	f.h.busy.Add(1)
	f.h.effects.Add(1)
	f.h.spawnEffect(func() { f.end(f.act()) }, func(fault any) { f.end(fmt.Errorf("a fault ended it: %v", fault)) })
}

// act does what the schedule is for.
func (f *firing) act() error {
	ctx, cancel := context.WithCancel(f.h.life)
	defer cancel()
	if f.sched.Run == nil {
		return f.h.openScheduled(ctx, f.agent.Slug, f.sched, &f.openFiring)
	}
	_, err := limited(ctx, f.agent, f.h.o.ScheduleTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.run(ctx) })
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	return err
}

// run runs the schedule's function and waits for what it leaves behind.
func (f *firing) run(ctx context.Context) error {
	c := f.call()
	c.WaitUntil = func(work func(ctx context.Context)) { f.waitUntil(ctx, work) }
	_, err := guarded(func() (struct{}, error) { return struct{}{}, f.sched.Run(ctx, c) })
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.left > 0 {
		f.ended.Wait()
	}
	f.over = true
	return errors.Join(err, f.late)
}

// end records how it ended. What the end of the host cut off is left for recovery.
func (f *firing) end(err error) {
	defer close(f.done)
	defer f.agent.release()
	defer f.h.busy.Add(-1)
	f.err = err
	failed := ""
	if err != nil {
		failed = cutEnd(f.h.redact(err.Error()), maxFailure)
		logPanic(f.h.o.Logger.Warn().Str("agent", f.agent.Slug).Str("schedule", f.ID), err).Msg("a schedule failed")
	}
	if f.h.life.Err() == nil && !errors.Is(err, ErrDraining) {
		if err := f.agent.log.ended(f.h.life, f.st, &f.openFiring, failed); err != nil {
			f.h.o.Logger.Warn().Str("agent", f.agent.Slug).Str("schedule", f.ID).Err(err).Msg("the end of a firing was not recorded")
		}
	}
	f.st.mu.Lock()
	f.st.running--
	f.st.sessions = f.opened()
	f.st.mu.Unlock()
}

// maxFailure is how much of a failure is recorded; the log has it whole.
const maxFailure = 4 << 10

// opened are the sessions that it opened, or sent a message to.
func (f *firing) opened() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := []string{}
	if f.SessionID != "" {
		ids = append(ids, f.SessionID)
	}
	for _, id := range f.sent {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// SchedulePrincipal is who a schedule acts as.
func SchedulePrincipal(id string) events.Principal {
	return events.Principal{Kind: "app", ID: "schedule:" + id}
}

// scheduleChannel is the channel of the sessions that schedules open.
const scheduleChannel = "schedule"

// openScheduled opens the task session of a firing.
func (h *Host) openScheduled(ctx context.Context, slug string, sched *agent.Schedule, f *openFiring) error {
	s := NewSession{
		Agent: slug, Principal: SchedulePrincipal(sched.ID), ChannelID: scheduleChannel, Mode: events.ModeTask,
		Title: cutTitle(sched.ID), Message: sched.Markdown, From: events.FromSchedule,
		id: f.SessionID, schedule: &events.ScheduleRef{ID: f.ID, Instant: f.Instant},
	}
	s.ensureDefaults()
	_, err := h.startSession(ctx, &s)
	if err != nil {
		return fmt.Errorf("its session did not start: %w", err)
	}
	return nil
}

// call describes the firing to the schedule's function.
func (f *firing) call() *agent.Call {
	who := SchedulePrincipal(f.sched.ID)
	start := &events.SessionStarted{Agent: f.agent.Slug, ChannelID: scheduleChannel, Mode: events.ModeTask, Purpose: events.PurposeLive, Principal: who}
	j := &job{h: f.h, agent: f.agent, info: infoOf(f.h.newID("schedule_"+f.sched.ID+"_"), start), start: start, unbound: true}
	c := j.callFor("")
	c.Log = c.Log.With().Str("schedule", f.sched.ID).Logger()
	c.Workspace = nil
	c.Firing = &agent.Firing{ScheduledAt: f.Instant, AppAuth: who, Receive: f.receive, Wait: f.wait, CallTool: f.callTool}
	return c
}

// waitUntil keeps the firing open. After its end nothing begins.
func (f *firing) waitUntil(ctx context.Context, work func(ctx context.Context)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		f.h.o.Logger.Warn().Str("agent", f.agent.Slug).Str("schedule", f.ID).Msg("work that was to go on after its firing was not begun: the firing has ended")
		return
	}
	f.left++
	f.h.effects.Add(1) // the firing is counted
	f.h.spawnEffect(func() {
		_, err := guarded(func() (struct{}, error) { work(ctx); return struct{}{}, nil })
		f.workEnded(err)
	}, func(any) {})
}

func (f *firing) workEnded(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.late = errors.Join(f.late, fmt.Errorf("in what went on: %w", err))
	}
	f.left--
	f.ended.Signal()
}

// callTool calls a tool as a person does: without the gate of approvals. Input that
// does not fit is an error result, as for a model.
func (f *firing) callTool(ctx context.Context, name string, input json.RawMessage) (agent.Result, error) {
	got, err := f.h.CallTool(ctx, ToolCall{Agent: f.agent.Slug, Name: name, Input: input, Principal: SchedulePrincipal(f.sched.ID), admitted: true})
	var bad *agent.InputError
	if errors.As(err, &bad) {
		return agent.Result{Output: jsonString(bad.Error()), IsError: true, Code: events.CodeInvalidInput}, nil
	}
	var unknown *UnknownToolError
	if errors.As(err, &unknown) {
		return agent.Result{}, errors.New(unknownTool(name, unknown.Available))
	}
	return got.Result, err
}

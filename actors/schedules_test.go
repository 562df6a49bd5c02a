package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A timetable is a house whose agent has schedules, on a clock that jumps.
type timetable struct {
	*house
	clock *jumpClock
	list  []*agent.Schedule
}

func newTimetable(t *testing.T, o actors.Options, list ...*agent.Schedule) *timetable {
	t.Helper()
	tt := &timetable{clock: newJumpClock("2026-12-01T08:00:30Z"), list: list}
	o.Clock = tt.clock
	tt.house = newShapedHouse(t, o, script, func(a *agent.Agent) { a.Schedules = tt.list })
	tt.pass(0)
	return tt
}

const agentLog = events.AgentLogPrefix + "tester"

// pass lets time go by, looking as often as the host does.
func (tt *timetable) pass(d time.Duration) {
	tt.t.Helper()
	for d > 0 {
		step := min(d, 10*time.Second)
		tt.clock.pass(step)
		tt.host.Looked()
		d -= step
	}
	tt.clock.pass(0)
	tt.host.Looked()
}

// told lists what the agent's log says of schedules.
func (tt *timetable) told() (list []string) {
	tt.t.Helper()
	tt.host.Looked()
	for _, e := range tt.log(agentLog) {
		switch d := e.Data.(type) {
		case *events.ScheduleFired:
			list = append(list, "fired "+d.ID+" "+d.Instant.Format("02T15:04"))
		case *events.ScheduleSkipped:
			list = append(list, d.Reason+" "+d.ID+" "+d.Instant.Format("02T15:04"))
		case *events.ScheduleFailed:
			list = append(list, "failed "+d.ID+" "+d.Instant.Format("02T15:04")+": "+d.Message)
		}
	}
	return list
}

func (tt *timetable) expectTold(want ...string) {
	tt.t.Helper()
	if got := tt.told(); !slices.Equal(got, want) {
		tt.t.Errorf("the log tells\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// opened lists the sessions that firings were recorded with.
func (tt *timetable) opened() (ids []string) {
	tt.t.Helper()
	for _, e := range tt.log(agentLog) {
		if d, ok := e.Data.(*events.ScheduleFired); ok {
			ids = append(ids, d.SessionIDs...)
		}
	}
	return ids
}

func runCount(n *atomic.Int64) func(context.Context, *agent.Call) error {
	return func(context.Context, *agent.Call) error { n.Add(1); return nil }
}

// "Markdown firings open a task session owned by {kind:"app", id:"schedule:<id>"}".
func TestSchedules_MarkdownOpensATask(t *testing.T) {
	t.Parallel()
	tt := newTimetable(t, actors.Options{}, &agent.Schedule{ID: "daily", Cron: "0 9 * * *", TimeZone: "Europe/Berlin", Markdown: "gated, daily"})
	tt.pass(time.Hour)
	tt.expectTold() // 9:00 in Berlin is 8:00 UTC, of tomorrow
	tt.pass(23*time.Hour + 30*time.Second)
	tt.expectTold("fired daily 02T08:00")
	id := tt.opened()[0]
	tt.rest(id, "completed")
	d := tt.log(id)[0].Data.(*events.SessionStarted)
	if d.Mode != events.ModeTask || d.Title != "daily" || d.ChannelID != "schedule" || d.Principal != (events.Principal{Kind: "app", ID: "schedule:daily"}) ||
		d.Schedule == nil || d.Schedule.ID != "daily" || !d.Schedule.Instant.Equal(time.Date(2026, 12, 2, 8, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v, %+v", d, d.Schedule)
	}
	if m := tt.log(id)[1].Data.(*events.MessageReceived); m.From != events.FromSchedule || m.Text != "gated, daily" {
		t.Errorf("%+v", m)
	}
	// "Where nobody can answer (schedules …) a call that needs approval is denied at once".
	if s := tt.story(id); !strings.Contains(s, "input.resolved deny") {
		t.Error(s)
	}
}

// "One instant fires once, over restarts too", however the clock jumps, and is
// "re-evaluated at most 30 s after a jump".
func TestSchedules_OnceWhateverTheClockDoes(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	tt := newTimetable(t, actors.Options{}, &agent.Schedule{ID: "tick", Cron: "0 * * * *", Run: runCount(&runs)})
	tt.pass(time.Hour)
	tt.expectTold("fired tick 01T09:00")
	tt.restart()
	tt.pass(time.Minute)
	tt.clock.jump(-2 * time.Hour)
	tt.pass(time.Hour)
	tt.expectTold("fired tick 01T09:00")
	tt.clock.jump(3*time.Hour + 30*time.Minute) // past 10:00 and 11:00 at once
	tt.pass(30 * time.Second)
	tt.expectTold("fired tick 01T09:00", "missed tick 01T10:00", "fired tick 01T11:00")
	tt.clock.jump(24 * time.Hour)
	tt.pass(30 * time.Second)
	tt.clock.jump(-24 * time.Hour)
	tt.pass(12 * time.Hour)
	tt.restart()
	tt.pass(time.Minute)
	tt.expectTold("fired tick 01T09:00", "missed tick 01T10:00", "fired tick 01T11:00", "missed tick 02T10:00", "fired tick 02T11:00")
	if runs.Load() != 3 {
		t.Errorf("it ran %d times", runs.Load())
	}
}

// "Missed while down: skipped, or with `catchUp` fired once."
func TestSchedules_MissedWhileDown(t *testing.T) {
	t.Parallel()
	var runs, caught atomic.Int64
	tt := newTimetable(t, actors.Options{}, &agent.Schedule{ID: "a", Cron: "*/10 * * * *", Run: runCount(&runs)},
		&agent.Schedule{ID: "b", Cron: "*/10 * * * *", CatchUp: true, Run: runCount(&caught)})
	tt.close()
	tt.clock.jump(2*time.Hour + 5*time.Minute) // never fired before, and missed all the same
	tt.open()
	tt.pass(0)
	tt.expectTold("missed a 01T10:00", "fired b 01T10:00")
	tt.restart()
	tt.pass(0)
	tt.expectTold("missed a 01T10:00", "fired b 01T10:00")
	tt.pass(5 * time.Minute)
	tt.expectTold("missed a 01T10:00", "fired b 01T10:00", "fired a 01T10:10", "fired b 01T10:10")

	// One whose expression is new has missed nothing.
	tt.close()
	tt.list[0].Cron = "* * * * *"
	tt.list = append(tt.list, &agent.Schedule{ID: "c", Cron: "* * * * *", CatchUp: true, Run: runCount(&runs)})
	tt.clock.jump(5 * time.Minute)
	tt.open()
	tt.pass(0)
	tt.expectTold("missed a 01T10:00", "fired b 01T10:00", "fired a 01T10:10", "fired b 01T10:10")
}

// overlap "skip" (the default) and "allow".
func TestSchedules_Overlap(t *testing.T) {
	t.Parallel()
	gate, began := make(chan struct{}), make(chan struct{}, 9)
	wait := func(ctx context.Context, _ *agent.Call) error {
		began <- struct{}{}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	tt := newTimetable(t, actors.Options{}, &agent.Schedule{ID: "one", Cron: "* * * * *", Run: wait},
		&agent.Schedule{ID: "two", Cron: "* * * * *", Overlap: agent.OverlapAllow, Run: wait},
		&agent.Schedule{ID: "word", Cron: "* * * * *", Markdown: "slow"})
	tt.clock.pass(30 * time.Second)
	<-began
	<-began
	<-tt.started
	tt.clock.pass(time.Minute)
	<-began
	tt.host.Looking()
	tt.expectFired(map[string]string{"one": "fired 08:01, overlap 08:02", "two": "fired 08:01, fired 08:02", "word": "fired 08:01, overlap 08:02"})
	close(gate)
	close(tt.gate)
	tt.rest(tt.opened()[0], "completed")
	tt.pass(time.Minute)
	tt.expectFired(map[string]string{"one": "fired 08:01, overlap 08:02, fired 08:03", "two": "fired 08:01, fired 08:02, fired 08:03", "word": "fired 08:01, overlap 08:02, fired 08:03"})
}

func (tt *timetable) expectFired(want map[string]string) {
	tt.t.Helper()
	got := map[string]string{}
	for _, e := range tt.log(agentLog) {
		add := func(id, what string, at time.Time) {
			got[id] = strings.TrimPrefix(got[id]+", "+what+" "+at.Format("15:04"), ", ")
		}
		switch d := e.Data.(type) {
		case *events.ScheduleFired:
			add(d.ID, "fired", d.Instant)
		case *events.ScheduleSkipped:
			add(d.ID, d.Reason, d.Instant)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		tt.t.Errorf("got  %v\nwant %v", got, want)
	}
}

// A failure is recorded, told by info until the schedule fires again, and by the one
// who fires by hand; a panic is one too.
func TestSchedules_Failures(t *testing.T) {
	t.Parallel()
	fault := errors.New("no news today")
	tt := newTimetable(t, actors.Options{}, &agent.Schedule{ID: "news", Cron: "0 9 * * *", Run: func(context.Context, *agent.Call) error {
		if fault == nil {
			panic("boom")
		}
		return fault
	}})
	tt.pass(time.Hour)
	tt.expectTold("fired news 01T09:00", "failed news 01T09:00: no news today")
	status, found := tt.host.ScheduleStatus("tester", tt.list[0])
	if len(found) != 1 || found[0].Rule != "schedule/failed" || !strings.Contains(found[0].Message, "no news today") {
		t.Errorf("%+v", found)
	}
	if want := time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC); !status.Next.Equal(want) || !status.LastFired.Equal(want.Add(-24*time.Hour)) {
		t.Errorf("%+v", status)
	}
	tt.restart()
	if _, found := tt.host.ScheduleStatus("tester", tt.list[0]); len(found) != 1 {
		t.Errorf("after a restart: %+v", found)
	}
	var failed *actors.ScheduleError
	if _, err := tt.host.FireSchedule(t.Context(), "tester", "news", nil); !errors.As(err, &failed) {
		t.Error(err)
	}
	fault = nil
	if _, err := tt.host.FireSchedule(t.Context(), "tester", "news", nil); !errors.As(err, &failed) || !strings.Contains(err.Error(), "boom") {
		t.Error(err)
	}
}

// `run({receive, callTool, waitUntil, appAuth, host, scheduledAt})`: "it may use no model at all".
func TestSchedules_WhatRunMayDo(t *testing.T) {
	t.Parallel()
	var got agent.Result
	var seen []string
	tt := newTimetable(t, actors.Options{Manual: true}, &agent.Schedule{ID: "sweep", Cron: "0 9 * * *", Run: func(ctx context.Context, c *agent.Call) (err error) {
		if got, err = c.Firing.CallTool(ctx, "merge", json.RawMessage(`{"n":1}`)); err != nil { // needs approval, but the caller is the person
			return err
		}
		bad, err := c.Firing.CallTool(ctx, "look", json.RawMessage(`{"n":"x"}`))
		_, unknown := c.Firing.CallTool(ctx, "lok", nil)
		seen = append(seen, fmt.Sprint(bad.IsError, err, unknown), fmt.Sprint(c.Firing.AppAuth, c.Reminders == nil, c.Channel.ID))
		c.WaitUntil(func(ctx context.Context) {
			if _, err := c.KV.Put(ctx, "last", json.RawMessage(`1`), agent.PutOptions{}); err != nil {
				t.Error(err)
			}
		})
		return nil
	}})
	if ids, err := tt.host.FireSchedule(t.Context(), "tester", "sweep", nil); err != nil || len(ids) != 0 {
		t.Fatal(ids, err)
	}
	if got.IsError || string(got.Output) != `"ok"` || tt.effects.Load() != 1 {
		t.Errorf("%+v", got)
	}
	if want := "true <nil> no tool is called"; !strings.HasPrefix(seen[0], want) || seen[1] != "{app schedule:sweep  } trueschedule" {
		t.Errorf("%q", seen)
	}
	if len(tt.requests.all) > 0 {
		t.Error("a model was asked")
	}
	tt.pass(48 * time.Hour)
	if n := len(tt.told()); n != 1 { // "In `--dev` nothing fires by itself"
		t.Errorf("it fired %d times", n)
	}
}

// `waitUntil`: the firing ends when the work has, and what panics in it is its failure;
// work that comes later is not begun.
func TestSchedules_WaitUntil(t *testing.T) {
	t.Parallel()
	var late func(func(context.Context))
	gate, began := make(chan struct{}), make(chan struct{})
	var done atomic.Int64
	tt := newTimetable(t, actors.Options{Manual: true}, &agent.Schedule{ID: "sweep", Cron: "0 9 * * *", Run: func(_ context.Context, c *agent.Call) error {
		defer close(began)
		late = c.WaitUntil
		c.WaitUntil(func(context.Context) {
			<-gate
			c.WaitUntil(func(context.Context) { done.Add(1) })
			done.Add(1)
		})
		c.WaitUntil(func(context.Context) { panic("in the work") })
		panic("in run")
	}})
	fired := make(chan error, 1)
	go func() {
		_, err := tt.host.FireSchedule(t.Context(), "tester", "sweep", nil)
		fired <- err
	}()
	<-began
	close(gate)
	err := <-fired
	if done.Load() != 2 || err == nil || !strings.Contains(err.Error(), "in run") || !strings.Contains(err.Error(), "in the work") {
		t.Errorf("%d pieces ended; %v", done.Load(), err)
	}
	late(func(context.Context) { t.Error("work begins after the end") })
}

// "receive(channel, {message, auth, target?})".
func TestSchedules_Receive(t *testing.T) {
	t.Parallel()
	var faults []string
	tt := newTimetable(t, actors.Options{Manual: true})
	tt.shape = func(a *agent.Agent) {
		a.Channels = []*agent.Channel{{ID: "desk"}}
		a.Schedules = []*agent.Schedule{{ID: "sweep", Cron: "0 9 * * *", Run: func(ctx context.Context, c *agent.Call) error {
			receive := func(channel, target string) {
				if _, err := c.Firing.Receive(ctx, channel, agent.Receive{Message: "new", Auth: c.Firing.AppAuth, Target: json.RawMessage(target)}); err != nil {
					faults = append(faults, err.Error())
				}
			}
			receive("desk", `{"continuationToken":"t1"}`)
			receive("desk", `{"continuationToken":"t1"}`)
			receive("dsk", ``)
			receive("desk", `7`)
			return nil
		}}}
	}
	tt.restart()
	ids, err := tt.host.FireSchedule(t.Context(), "tester", "sweep", nil)
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	tt.rest(ids[0], "waiting")
	d, m := tt.log(ids[0])[0].Data.(*events.SessionStarted), tt.log(ids[0])[1].Data.(*events.MessageReceived)
	if d.ChannelID != "desk" || d.ContinuationToken != "t1" || d.Principal.ID != "schedule:sweep" || m.From != events.FromSchedule {
		t.Errorf("%+v %+v", d, m)
	}
	if len(faults) != 2 || !strings.Contains(faults[0], `no channel "dsk"; it has: desk`) || !strings.Contains(faults[1], "{continuationToken?, title?}") {
		t.Errorf("%q", faults)
	}
}

// By hand: exactly once for an idempotency key; an unknown one names those that there are.
func TestSchedules_ByHand(t *testing.T) {
	t.Parallel()
	tt := newTimetable(t, actors.Options{Manual: true}, &agent.Schedule{ID: "word", Cron: "0 9 * * *", Markdown: "hello"})
	key := &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}
	first, err := tt.host.FireSchedule(t.Context(), "tester", "word", key)
	if err != nil || len(first) != 1 {
		t.Fatal(first, err)
	}
	tt.rest(first[0], "completed")
	tt.restart()
	if again, err := tt.host.FireSchedule(t.Context(), "tester", "word", key); err != nil || !slices.Equal(again, first) {
		t.Errorf("%v, %v", again, err)
	}
	if other, err := tt.host.FireSchedule(t.Context(), "tester", "word", nil); err != nil || slices.Equal(other, first) {
		t.Errorf("%v, %v", other, err)
	}
	var unknown *actors.UnknownScheduleError
	if _, err := tt.host.FireSchedule(t.Context(), "tester", "wrd", nil); !errors.As(err, &unknown) || !slices.Equal(unknown.Available, []string{"word"}) {
		t.Error(err)
	}
}

// A function that ran when the host stopped is not run again, and recorded as failed.
func TestSchedules_CutOff(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	var log diary
	began := make(chan struct{}, 1)
	tt := newTimetable(t, actors.Options{Logger: zerolog.New(&log).Level(zerolog.WarnLevel)}, &agent.Schedule{ID: "long", Cron: "0 9 * * *", Run: func(ctx context.Context, _ *agent.Call) error {
		runs.Add(1)
		began <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}})
	tt.clock.pass(time.Hour)
	<-began
	tt.restart()
	tt.pass(time.Hour)
	if got := tt.told(); len(got) != 2 || !strings.Contains(got[1], "failed long 01T09:00: the host stopped while it ran") || runs.Load() != 1 {
		t.Errorf("%q after %d runs", got, runs.Load())
	}
	tt.restart()
	if got := tt.told(); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if lines := log.all(); len(lines) == 0 || lines[len(lines)-1] != "a schedule failed" { // "the host's log has the details"
		t.Errorf("the log says %q", lines)
	}
}

// Schedules follow the newest agent.
func TestSchedules_Reload(t *testing.T) {
	t.Parallel()
	var old, young atomic.Int64
	tt := newTimetable(t, actors.Options{}, &agent.Schedule{ID: "tick", Cron: "0 * * * *", Run: runCount(&old)})
	tt.pass(time.Hour)
	next := *tt.host.Agents()[0]
	next.Schedules = []*agent.Schedule{{ID: "tick", Cron: "0 * * * *", Run: runCount(&young)}, {ID: "tock", Cron: "30 * * * *", Run: runCount(&young)}}
	if err := tt.host.Reload(t.Context(), []*agent.Agent{&next}); err != nil {
		t.Fatal(err)
	}
	tt.pass(time.Hour)
	tt.expectTold("fired tick 01T09:00", "fired tock 01T09:30", "fired tick 01T10:00")
	if old.Load() != 1 || young.Load() != 2 {
		t.Error(old.Load(), young.Load())
	}
}

func TestSchedules_Refusals(t *testing.T) {
	t.Parallel()
	run := func(context.Context, *agent.Call) error { return nil }
	for want, s := range map[string]*agent.Schedule{
		"five fields": {ID: "a", Cron: "* *", Run: run}, "no time zone": {ID: "a", Cron: "* * * * *", TimeZone: "X", Run: run}, "not both": {ID: "a", Cron: "* * * * *", Run: run, Markdown: "x"},
		"needs a prompt": {ID: "a", Cron: "* * * * *"}, "skip or allow": {ID: "a", Cron: "* * * * *", Run: run, Overlap: "x"}, "cannot be a schedule's id": {Cron: "* * * * *", Run: run}, "never fires": {ID: "a", Cron: "0 0 31 2 *", Run: run},
	} {
		o := &actors.Options{Agents: []*agent.Agent{{Slug: "x", Schedules: []*agent.Schedule{s}}}}
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

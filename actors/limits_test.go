package actors_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A handClock moves when it is told to.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*handTimer
}

type handTimer struct {
	c  *handClock
	at time.Time
	f  func()
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) clock.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &handTimer{c: c, at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return t
}

func (t *handTimer) Stop() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	n := len(t.c.timers)
	t.c.timers = slices.DeleteFunc(t.c.timers, func(x *handTimer) bool { return x == t })
	return len(t.c.timers) < n
}

// advance moves the clock and runs what was due, one after the other.
func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	for {
		i := slices.IndexFunc(c.timers, func(t *handTimer) bool { return !t.at.After(c.now) })
		if i < 0 {
			break
		}
		f := c.timers[i].f
		c.timers = slices.Delete(c.timers, i, i+1)
		c.mu.Unlock()
		f()
		c.mu.Lock()
	}
	c.mu.Unlock()
}

// failedBy is the code of the turn.failed, once everything that was sent is dealt with.
func (h *house) failedBy(id string) string {
	h.t.Helper()
	if _, err := h.host.Rename(h.t.Context(), id, "still there"); err != nil {
		h.t.Fatal(err)
	}
	for _, e := range h.log(id) {
		if d, ok := e.Data.(*events.TurnFailed); ok {
			return d.Code
		}
	}
	return ""
}

// "a turn's time limit stands still while it is parked", and while no host runs: what
// the turn ran before counts after a restart.
func TestHost_TurnTimeoutOverRestarts(t *testing.T) {
	t.Parallel()
	c := &handClock{now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	o := actors.Options{Clock: c, Agents: []*agent.Agent{{Limits: agent.Limits{TurnTimeout: 10 * time.Minute}}}}
	h := newShapedHouse(t, o, `[ { when: go, steps: [ { call: [ { merge: {} } ] }, { call: [ { slow: {} } ] }, { say: late, delayMs: 3600000 } ] } ]`, func(a *agent.Agent) {
		a.Tool("slow").Timeout = time.Hour
	})
	a := h.start("go")
	h.rest(a.SessionID, "parked")
	h.failedBy(a.SessionID)
	c.advance(48 * time.Hour) // nobody decides for long
	h.restart()
	call := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested).CallID
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, call, actors.Decision{Decision: "approve", By: local}); err != nil {
		t.Fatal(err)
	}
	<-h.started
	h.failedBy(a.SessionID)
	c.advance(6 * time.Minute)
	close(h.gate)
	h.stepStarts(a.SessionID, 3, 1)
	h.close()
	c.advance(time.Hour) // while no host runs
	h.open()
	h.stepStarts(a.SessionID, 3, 2)
	h.failedBy(a.SessionID)
	c.advance(3*time.Minute + 50*time.Second)
	if code := h.failedBy(a.SessionID); code != "" {
		t.Fatalf("the turn failed with %s after 9:50 of 10 minutes", code)
	}
	c.advance(11 * time.Second)
	if code := h.failedBy(a.SessionID); code != events.FailTimeout {
		t.Errorf("after 10:01 minutes: %q\n%s", code, h.story(a.SessionID))
	}
	h.rest(a.SessionID, "waiting")
}

// stepStarts waits for a step.started.
func (h *house) stepStarts(id string, step, attempt int) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	for lines, err := range h.journal.Follow(ctx, id, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		for _, l := range lines {
			e, err := events.Decode(l.Data)
			if err != nil {
				h.t.Fatal(err)
			}
			if d, ok := e.Data.(*events.StepStarted); ok && d.Step == step && d.Attempt == attempt {
				return
			}
		}
	}
	h.t.Fatalf("step %d.%d does not start:\n%s", step, attempt, h.story(id))
}

// dearPrices is a dollar for each token.
type dearPrices struct{}

func (dearPrices) Price(_ string, u events.Usage) (int64, bool) { return u.Total() * 1e12, true }

// "crossing a money or token limit ends the turn with `turn.failed` `budget_exceeded`
// before the next model step", and the steps of a turn have a limit.
func TestHost_Limits(t *testing.T) {
	t.Parallel()
	const usage = `usage: { inputTokens: 3, outputTokens: 2 }`
	const talk = `[ { when: go, steps: [ { call: [ { look: { n: 1 } } ], ` + usage + ` }, { call: [ { look: { n: 2 } } ], ` + usage + ` }, { say: done, ` + usage + ` } ] } ]`
	for _, tt := range []struct {
		name   string
		limits agent.Limits
		steps  int // until the turn ends
		code   string
	}{
		{"none", agent.Limits{}, 3, ""},
		{"steps", agent.Limits{MaxSteps: 2}, 2, events.FailMaxSteps},
		{"a turn's money", agent.Limits{MaxTurnUSD: 9.5}, 2, events.FailBudget},
		{"a turn's money, just enough", agent.Limits{MaxTurnUSD: 10.5}, 3, ""},
		{"a session's money", agent.Limits{MaxSessionUSD: 4}, 1, events.FailBudget},
		{"a session's tokens", agent.Limits{MaxSessionTokens: 10}, 2, events.FailBudget},
		{"a session's tokens, just enough", agent.Limits{MaxSessionTokens: 11}, 3, ""},
	} {
		h := newShapedHouse(t, actors.Options{Prices: dearPrices{}}, talk, func(a *agent.Agent) { a.Limits = tt.limits })
		a := h.start("go")
		h.rest(a.SessionID, "waiting")
		steps := 0
		for _, e := range h.log(a.SessionID) {
			if _, ok := e.Data.(*events.StepStarted); ok {
				steps++
			}
		}
		if code := h.failedBy(a.SessionID); code != tt.code || steps != tt.steps {
			t.Errorf("%s: %d steps, code %q", tt.name, steps, code)
		}
	}
}

// A session's limit holds over its turns and over restarts.
func TestHost_SessionLimitsOutliveTurns(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{Prices: dearPrices{}}, script, func(a *agent.Agent) { a.Limits.MaxSessionUSD = 12 })
	a := h.start("hello") // 2 tokens, and 4 of the reply
	for range 2 {
		h.rest(a.SessionID, "waiting")
		h.restart()
		if code := h.failedBy(a.SessionID); code != "" {
			t.Fatal(code)
		}
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
	}
	h.rest(a.SessionID, "waiting")
	if code := h.failedBy(a.SessionID); code != events.FailBudget {
		t.Errorf("code %q:\n%s", code, h.story(a.SessionID))
	}
}

// limits.maxOutputTokens reaches the model with every step.
func TestHost_MaxOutputTokens(t *testing.T) {
	t.Parallel()
	p := tapped(t, `[]`)
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, func(a *agent.Agent) { a.Limits.MaxOutputTokens = 40 })
	a := h.start(fmt.Sprintf("hello %0300d", 7))
	h.rest(a.SessionID, "waiting")
	if d := h.until(a.SessionID, "message.completed").Data.(*events.MessageCompleted); d.FinishReason != events.FinishLength || len(d.Text) != 160 {
		t.Errorf("%+v", d)
	}
	if _, err := h.host.Compact(t.Context(), a.SessionID); err != nil {
		t.Fatal(err)
	}
	for _, r := range p.requests() {
		if r.MaxOutputTokens != 40 {
			t.Errorf("a request for %q may give %d tokens", r.Purpose, r.MaxOutputTokens)
		}
	}
	if len(p.requests()) != 2 {
		t.Errorf("%d requests", len(p.requests()))
	}
}

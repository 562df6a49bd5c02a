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

// deliver is a handler that notes the event and its delivery.
func (d *diary) deliver(_ context.Context, e *agent.HookEvent, c *agent.Call) error {
	d.add("%d %s %s", e.Index, e.Type, c.DeliveryID)
	return nil
}

// delivered is what such handlers note of a log.
func (h *house) delivered(id, suffix string, keep func(*events.Event) bool) (out []string) {
	for _, e := range h.log(id) {
		if keep(e) {
			out = append(out, fmt.Sprintf("%d %s %s:%d%s", e.Index, e.Type, id, e.Index, suffix))
		}
	}
	return out
}

func on(typ string, fn agent.DeliverFunc) *agent.Channel {
	return &agent.Channel{ID: "desk", On: map[string]agent.DeliverFunc{typ: fn}}
}

func everything(e *events.Event) bool { return e.Type != "channel.updated" }

// channels.md: "`events` … for the sessions the channel owns, in order, after recording";
// what the channel itself recorded is not delivered to it.
func TestDelivery_InOrder(t *testing.T) {
	t.Parallel()
	var all, typed diary
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", On: map[string]agent.DeliverFunc{
		"*": func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			if err := c.Conversation.SetState(ctx, json.RawMessage(fmt.Sprint(e.Index))); err != nil {
				return err
			}
			return all.deliver(ctx, e, c)
		},
		"turn.completed": typed.deliver,
	}}, &agent.Channel{ID: "other"})
	a := h.put("desk", "two calls", agent.SendOptions{})
	h.rest(a.SessionID, "waiting")
	h.rest(h.put("other", "hello", agent.SendOptions{}).SessionID, "waiting")
	h.rest(h.start("hello").SessionID, "waiting")
	h.finish()
	same(t, all.all(), h.delivered(a.SessionID, ":*", everything))
	same(t, typed.all(), h.delivered(a.SessionID, "", func(e *events.Event) bool { return e.Type == "turn.completed" }))
}

// channels.md: "A handler that throws is retried 3 times with backoff, then logged and
// skipped, and shown in `/v1/info` diagnostics"; its delivery id is the same each time.
func TestDelivery_Retries(t *testing.T) {
	t.Parallel()
	var tries, log diary
	clk := &handClock{now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	var passes atomic.Bool
	h := channelled(t, actors.Options{Clock: clk, Logger: zerolog.New(&log)}, on("turn.completed", func(_ context.Context, e *agent.HookEvent, c *agent.Call) error {
		tries.add("%s", c.DeliveryID)
		switch n := len(tries.all()); {
		case passes.Load():
			return nil
		case n%2 == 0:
			panic("no luck")
		default:
			return errors.New("no luck")
		}
	}))
	a := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t"})
	h.rest(a.SessionID, "waiting")
	for i, pause := range []time.Duration{500 * time.Millisecond, 2 * time.Second, 8 * time.Second} {
		waiting := func(n int) func() bool {
			return func() bool { return strings.Count(strings.Join(log.all(), "\n"), "is tried again") == n }
		}
		eventually(t, "the try has failed", waiting(i+1))
		eventually(t, "it waits", func() bool { return clk.waitsFor(pause) })
		clk.advance(pause - 1)
		if n := len(tries.all()); n != i+1 {
			t.Fatalf("after %d tries and less than %s there are %d", i+1, pause, n)
		}
		clk.advance(1)
		eventually(t, "it is tried again", func() bool { return len(tries.all()) == i+2 })
	}
	eventually(t, "it is given up", func() bool { return len(h.host.Findings("tester")) == 1 })
	passes.Store(true)
	h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t"})
	h.rest(a.SessionID, "waiting")
	h.finish()
	want := h.delivered(a.SessionID, "", func(e *events.Event) bool { return e.Type == "turn.completed" })
	first, second := strings.Fields(want[0])[2], strings.Fields(want[1])[2]
	same(t, tries.all(), []string{first, first, first, first, second})
	const message = `channel "desk" handler for turn.completed failed 4 times and was skipped: it panicked: no luck`
	if f := h.host.Findings("tester"); len(f) != 1 || f[0].Message != message || f[0].Rule != "channel/delivery-failed" || f[0].Severity != agent.SeverityWarning {
		t.Errorf("the findings are %+v", f)
	}
	if !slices.Contains(log.all(), message) {
		t.Errorf("the log is %q", log.all())
	}
}

// waitsFor says whether a timer is due in d.
func (c *handClock) waitsFor(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.timers, func(t *handTimer) bool { return t.at.Equal(c.now.Add(d)) })
}

// channels.md: "`state` (JSON, kept in the log), `setState(value)`, `setContinuationToken`":
// both are in the log when they return, and hold over a restart.
func TestDelivery_Conversation(t *testing.T) {
	t.Parallel()
	var seen diary
	channel := on("turn.completed", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		k := c.Conversation
		seen.add("%s %s %s", k.ContinuationToken(), k.State(), c.Channel.ContinuationToken)
		var n struct{ N int }
		if err := json.Unmarshal(k.State(), &n); err != nil {
			return err
		}
		if err := k.SetState(ctx, json.RawMessage(fmt.Sprintf(`{ "n": %d }`, n.N+1))); err != nil {
			return err
		}
		if string(k.State()) != fmt.Sprintf(`{"n":%d}`, n.N+1) {
			return fmt.Errorf("the state is %s", k.State())
		}
		return k.SetContinuationToken(ctx, fmt.Sprintf("t:%d", n.N+1))
	})
	channel.State = json.RawMessage(`{"n":0}`)
	h := channelled(t, actors.Options{}, channel)
	a := h.put("desk", "hello", agent.SendOptions{})
	b := h.put("desk", "hello", agent.SendOptions{State: json.RawMessage(`{"n":10}`), ContinuationToken: "b"})
	settled := func(n int) {
		t.Helper()
		eventually(t, "the turns are delivered and named", func() bool {
			return len(seen.all()) == n && strings.Count(h.trace(a.SessionID)+h.trace(b.SessionID), "channel.updated") == 2*n+1 && h.marks() == 0
		})
	}
	settled(2)
	h.restart()
	if again := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t:1"}); again.SessionID != a.SessionID {
		t.Errorf("t:1 names %s", again.SessionID)
	}
	settled(3)
	if again := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t:2"}); again.SessionID != a.SessionID {
		t.Errorf("t:2 names %s", again.SessionID)
	}
	settled(4)
	if free := h.put("desk", "slow", agent.SendOptions{ContinuationToken: "t:1"}); free.SessionID == a.SessionID {
		t.Error("a name that was given up names the session still")
	}
	close(h.gate)
	h.finish()
	got := seen.all()
	slices.Sort(got[:2])
	if want := []string{`{"n":0} `, `b {"n":10} b`, `t:1 {"n":1} t:1`, `t:2 {"n":2} t:2`}; !strings.Contains(got[0], want[0]) || !slices.Equal(got[1:4], want[1:]) {
		t.Errorf("the handlers saw %q", got)
	}
}

// "A token that another session of the channel has is an error", and the turn that
// runs meanwhile is not disturbed by it.
func TestDelivery_TokenIsTaken(t *testing.T) {
	t.Parallel()
	outcome := make(chan error, 1)
	h := channelled(t, actors.Options{}, on("turn.started", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		if c.Conversation.ContinuationToken() == "mine" {
			outcome <- c.Conversation.SetContinuationToken(ctx, "taken")
		}
		return nil
	}))
	first := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "taken"})
	a := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "mine"})
	var taken *actors.ConversationError
	if err := <-outcome; !errors.As(err, &taken) || taken.SessionID != first.SessionID {
		t.Errorf("naming it as another is named gives %v", err)
	}
	h.rest(a.SessionID, "waiting")
	wantTrace(t, h, a.SessionID, aStart, aReply, "session.waiting")
}

// sessions.md: "a channel delivery: at least once, with a stable delivery id": what was
// recorded and not delivered when the host ended is delivered by the next.
func TestDelivery_GoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	var d diary
	held := make(chan struct{}, 4)
	var hold atomic.Bool
	hold.Store(true)
	desk := on("*", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		if e.Type == "turn.started" && hold.Load() {
			held <- struct{}{}
			<-ctx.Done() // the host ends in the middle of a delivery
			return ctx.Err()
		}
		return d.deliver(ctx, e, c)
	})
	desk.Approvals = true
	h := channelled(t, actors.Options{}, desk)
	a := h.put("desk", "hello", agent.SendOptions{})
	b := h.put("desk", "gated", agent.SendOptions{})
	<-held
	<-held
	h.rest(a.SessionID, "waiting")
	h.rest(b.SessionID, "parked") // it has a mark in any case, and sleeps over a restart
	hold.Store(false)
	h.restart()
	eventually(t, "the rest is delivered", func() bool { return h.marks() == 1 && len(d.all()) > 12 })
	h.finish()
	for _, id := range []string{a.SessionID, b.SessionID} {
		mine := slices.DeleteFunc(d.all(), func(l string) bool { return !strings.Contains(l, id) })
		got := slices.Compact(mine) // at least once: the open mark was written before the first ones were given
		for i, want := range h.delivered(id, ":*", everything) {
			if !slices.Contains(got, want) {
				t.Errorf("event %d of %s was not delivered; it is %q", i, id, got)
			}
		}
	}
	before := len(d.all())
	h.wantMarks(1)
	h.openAgain()
	h.finish()
	if n := len(d.all()); n != before {
		t.Errorf("after a stop in order %d events are delivered again", n-before)
	}
}

// marks counts the sessions that a start would wake.
func (h *house) marks() (n int) {
	h.t.Helper()
	for m, err := range h.journal.Marks() {
		if err != nil {
			h.t.Fatal(err)
		}
		if events.IsSessionID(m.Stream) {
			n++
		}
	}
	return n
}

// wantMarks holds their number.
func (h *house) wantMarks(want int) {
	h.t.Helper()
	if n := h.marks(); n != want {
		h.t.Errorf("%d sessions have an open mark, expected %d", n, want)
	}
}

// openAgain starts another host after finish.
func (h *house) openAgain() {
	h.t.Helper()
	if err := h.journal.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.open()
}

// "Close waits": a stop in order leaves nothing to be delivered, and the mark says so.
func TestDelivery_CloseWaits(t *testing.T) {
	t.Parallel()
	var d diary
	gate := make(chan struct{})
	h := channelled(t, actors.Options{}, on("turn.completed", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		<-gate
		if err := c.Conversation.SetContinuationToken(ctx, "late"); err != nil { // while the host drains
			return err
		}
		c.WaitUntil(func(context.Context) { d.add("after") })
		return d.deliver(ctx, e, c)
	}))
	a := h.put("desk", "hello", agent.SendOptions{})
	h.rest(a.SessionID, "waiting")
	h.host.Drain()
	close(gate)
	h.finish()
	if got := d.all(); len(got) != 2 {
		t.Errorf("it was given %q", got)
	}
	h.wantMarks(0)
}

// "A session with undelivered events is not put to sleep"; one whose channel has
// delivered is.
func TestDelivery_KeepsTheSessionAwake(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	clk := &handClock{now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	h := channelled(t, actors.Options{Clock: clk}, on("turn.completed", func(context.Context, *agent.HookEvent, *agent.Call) error {
		<-gate
		return nil
	}))
	a := h.put("desk", "hello", agent.SendOptions{})
	h.rest(a.SessionID, "waiting")
	for range 5 {
		clk.advance(time.Minute)
		h.failedBy(a.SessionID) // what was sent is dealt with
	}
	h.wantMarks(1)
	close(gate)
	eventually(t, "the session sleeps", func() bool {
		clk.advance(time.Minute)
		return !h.host.Awake(a.SessionID)
	})
	h.wantMarks(0)
}

// "Deliveries of a session whose channel has no handlers cost nothing": a turn is two
// appends, as over HTTP; with a handler it is one more.
func TestDelivery_Cost(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{DeltaWindow: time.Hour}, &agent.Channel{ID: "plain"}, on("turn.completed", func(context.Context, *agent.HookEvent, *agent.Call) error { return nil }))
	for channel, want := range map[string]uint64{"plain": 2, "desk": 3} {
		before := h.journal.Metrics().Appends
		a := h.put(channel, "hello", agent.SendOptions{})
		h.rest(a.SessionID, "waiting")
		eventually(t, "the mark is settled", func() bool { return h.marks() == 0 })
		h.failedBy(a.SessionID)
		if n := h.journal.Metrics().Appends - before - 1; n != want { // the rename is one
			t.Errorf("a turn of %s is %d appends, expected %d", channel, n, want)
		}
	}
}

// "A panic anywhere in a session … is contained": the next actor takes the deliveries
// over. Within one life of the host each event is given once, and one at a time, and each
// handler finds the state that the one before left.
func TestDelivery_OutlivesItsActor(t *testing.T) {
	t.Parallel()
	var d diary
	var inside atomic.Int64
	state := "null"
	held, gate := make(chan struct{}, 1), make(chan struct{})
	desk := on("*", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		if inside.Add(1) > 1 {
			t.Error("two handlers of a session run at once")
		}
		defer inside.Add(-1)
		if e.Index == 1 {
			held <- struct{}{}
			<-gate
		}
		if got := string(c.Conversation.State()); got != state {
			t.Errorf("at event %d the state is %s, expected %s", e.Index, got, state)
		}
		state = fmt.Sprint(e.Index)
		if err := c.Conversation.SetState(ctx, json.RawMessage(state)); err != nil {
			return err
		}
		return d.deliver(ctx, e, c)
	})
	h := channelled(t, actors.Options{Prices: poison{input: 25}}, desk)
	o := agent.SendOptions{ContinuationToken: "t"}
	a := h.put("desk", strings.Repeat("x", 100), o)
	<-held
	h.until(a.SessionID, "turn.failed") // by the next actor
	h.put("desk", "hello", o)
	h.rest(a.SessionID, "waiting")
	close(gate)
	eventually(t, "all is delivered", func() bool { return h.marks() == 0 })
	same(t, d.all(), h.delivered(a.SessionID, ":*", everything))
	if n := strings.Count(h.trace(a.SessionID), "turn.failed"); n != 1 {
		t.Errorf("%d turns failed:\n%s", n, h.story(a.SessionID))
	}
}

// What was given is not given again by the next actor, wherever the open mark stands.
func TestDelivery_GivenOnceOverActors(t *testing.T) {
	t.Parallel()
	var d diary
	h := channelled(t, actors.Options{Prices: poison{input: -1, output: 4}}, on("*", d.deliver))
	a := h.put("desk", "slow", agent.SendOptions{})
	<-h.started
	h.until(a.SessionID, "action.result")
	eventually(t, "all so far is delivered", func() bool { return len(d.all()) == len(h.log(a.SessionID)) })
	close(h.gate)
	h.until(a.SessionID, "turn.failed")
	eventually(t, "all is delivered", func() bool { return h.marks() == 0 })
	same(t, d.all(), h.delivered(a.SessionID, ":*", everything))
}

// An event whose handler ended is not given again by the next start, once the session
// is quiet: "the position of delivery is durable".
func TestDelivery_PositionIsDurable(t *testing.T) {
	t.Parallel()
	var d diary
	h := channelled(t, actors.Options{}, on("*", d.deliver))
	a := h.put("desk", "hello", agent.SendOptions{})
	h.rest(a.SessionID, "waiting")
	eventually(t, "all is delivered", func() bool { return h.marks() == 0 })
	for range 3 {
		h.restart() // not in order: what runs is cut off
	}
	h.finish()
	same(t, d.all(), h.delivered(a.SessionID, ":*", everything))
}

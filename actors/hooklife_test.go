package actors_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// hooks.md: "Recorded events are not replayed into hooks"; P28: "never the same twice in
// one process life, and not after restart for old events".
func TestHooks_RestartReplaysNothing(t *testing.T) {
	t.Parallel()
	var d diary
	h := hooked(t, actors.Options{}, hook("any", "*", d.watch("any")))
	a := h.start("slow")
	<-h.started
	h.until(a.SessionID, "action.result") // of the other call
	before := uint64(len(h.log(a.SessionID)))
	eventually(t, "what was recorded is handled", func() bool { return uint64(len(d.all())) == before })
	h.restart()
	<-h.started
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	h.finish()
	log := h.saw("any", a.SessionID, nil)
	same(t, d.all(), log)
	if !strings.HasSuffix(log[before], "turn.resumed") {
		t.Errorf("after the restart comes %s", log[before])
	}
}

// What was recorded and not handled when the host ended is not given later.
func TestHooks_BacklogEndsWithTheHost(t *testing.T) {
	t.Parallel()
	var d diary
	blocked := make(chan struct{}, 1)
	h := hooked(t, actors.Options{}, hook("a", "*", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		if e.Type == "message.received" && len(d.all()) == 1 {
			blocked <- struct{}{}
			<-ctx.Done() // "what it does is bounded by ctx, which ends with the host"
		}
		return d.watch("a")(ctx, e, c)
	}))
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	<-blocked
	before := uint64(len(h.log(a.SessionID)))
	h.restart()
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "again"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	h.finish()
	same(t, d.all(), h.saw("a", a.SessionID, func(e *events.Event) bool { return e.Index < 2 || e.Index >= before }))
}

// authoring.md: "a backlog is read from the journal by index".
func TestHooks_LongBacklog(t *testing.T) {
	t.Parallel()
	const many = 3000
	var d diary
	gate := make(chan struct{})
	h := hooked(t, actors.Options{}, &agent.Hook{Name: "a", On: map[string]agent.HookFunc{
		"turn.completed": func(context.Context, *agent.HookEvent, *agent.Call) error {
			<-gate
			return nil
		},
		"session.updated": d.watch("a"),
	}})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for i := range many {
		if _, err := h.host.Rename(t.Context(), a.SessionID, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	close(gate)
	h.finish()
	updates := h.saw("a", a.SessionID, func(e *events.Event) bool { return e.Type == "session.updated" })
	if len(updates) != many {
		t.Fatalf("the log has %d updates", len(updates))
	}
	same(t, d.all(), updates)
}

// authoring.md: "a hook's own events are not given to it"; others see them.
func TestHooks_OwnEventsAreNotGiven(t *testing.T) {
	t.Parallel()
	var d diary
	var h *house
	name := func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		d.add("names %s", e.Type)
		return h.host.RenameBy(ctx, "names", c.Session.ID, fmt.Sprint("after ", e.Index))
	}
	h = hooked(t, actors.Options{},
		&agent.Hook{Name: "names", On: map[string]agent.HookFunc{"turn.completed": name, "session.updated": name}},
		hook("other", "session.updated", func(_ context.Context, e *agent.HookEvent, _ *agent.Call) error {
			d.add("other %s", e.Data.(*events.SessionUpdated).Title)
			return nil
		}),
	)
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	eventually(t, "the hook's event reaches the other", func() bool { return len(d.all()) == 2 })
	if _, err := h.host.Rename(t.Context(), a.SessionID, "by hand"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all is handled", func() bool { return len(d.all()) == 5 })
	log := h.log(a.SessionID)
	i := slices.IndexFunc(log, func(e *events.Event) bool { return e.Type == "turn.completed" })
	want := []string{
		"names turn.completed", fmt.Sprint("other after ", i),
		"names session.updated", "other by hand", // that of a person is given to both …
		fmt.Sprint("other after ", len(log)-2), // … and what came of it to the other alone
	}
	same(t, d.all(), want)
	h.finish()
	same(t, d.all(), want)
}

// A host that stops lets its hooks end, and what they do is recorded.
func TestHooks_EndWhileDraining(t *testing.T) {
	t.Parallel()
	var d diary
	var h *house
	gate := make(chan struct{})
	h = hooked(t, actors.Options{}, hook("names", "turn.completed", func(ctx context.Context, _ *agent.HookEvent, c *agent.Call) error {
		<-gate
		err := h.host.RenameBy(ctx, "names", c.Session.ID, "named")
		d.add("%v", err)
		return err
	}))
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	h.host.Drain()
	close(gate)
	h.finish()
	same(t, d.all(), []string{"<nil>"})
	if !strings.HasSuffix(h.story(a.SessionID), "session.updated\n") {
		t.Errorf("the log is\n%s", h.story(a.SessionID))
	}
}

// authoring.md: "a session with a busy child … is not put to sleep".
func TestHooks_SessionStaysAwake(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	h := hooked(t, actors.Options{IdleAfter: 2 * time.Millisecond}, hook("a", "turn.completed", func(ctx context.Context, e *agent.HookEvent, _ *agent.Call) error {
		if string(e.Data.(*events.TurnCompleted).Result) == `"I heard: hold"` {
			<-gate
		}
		return nil
	}))
	a := h.start("hold")
	h.rest(a.SessionID, "waiting")
	for i := range 3 { // each of these goes to sleep later than the first would have
		b := h.start(fmt.Sprint("hello ", i))
		h.rest(b.SessionID, "waiting")
		eventually(t, "another session sleeps", func() bool { return !h.host.Awake(b.SessionID) })
	}
	if !h.host.Awake(a.SessionID) {
		t.Error("the session sleeps while a handler of it runs")
	}
	close(gate)
	eventually(t, "the session sleeps", func() bool { return !h.host.Awake(a.SessionID) })
}

// When the session's own actor panics, its hooks go on: each event once, in order.
func TestHooks_OutliveTheActor(t *testing.T) {
	t.Parallel()
	var d diary
	gate, slow := make(chan struct{}), make(chan struct{}, 1)
	h := hooked(t, actors.Options{Prices: poison{input: 25}}, &agent.Hook{Name: "a", On: map[string]agent.HookFunc{
		"turn.completed": func(context.Context, *agent.HookEvent, *agent.Call) error {
			select {
			case slow <- struct{}{}:
				<-gate
			default:
			}
			return nil
		},
		"*": d.watch("a"),
	}})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	<-slow
	for range 3 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: strings.Repeat("x", 100)}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
	}
	if n := strings.Count(h.story(a.SessionID), "turn.failed error internal"); n != 3 {
		t.Fatalf("%d turns failed:\n%s", n, h.story(a.SessionID))
	}
	close(gate)
	h.finish()
	same(t, d.all(), h.saw("a", a.SessionID, nil))
}

// hooks.md: "Same session: events dispatch one at a time", also when one comes in the
// moment in which the one before was handled: none is given twice, nor beside another.
func TestHooks_OneAtATime(t *testing.T) {
	t.Parallel()
	var d diary
	var inside, beside atomic.Int64
	note := d.watch("a")
	h := hooked(t, actors.Options{}, hook("a", "session.updated", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		if inside.Add(1) > 1 {
			beside.Add(1)
		}
		defer inside.Add(-1)
		runtime.Gosched()
		return note(ctx, e, c)
	}))
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for i := range 3000 {
		if _, err := h.host.Rename(t.Context(), a.SessionID, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	h.finish()
	if n := beside.Load(); n > 0 {
		t.Errorf("%d events were given beside another", n)
	}
	same(t, d.all(), h.saw("a", a.SessionID, func(e *events.Event) bool { return e.Type == "session.updated" }))
}

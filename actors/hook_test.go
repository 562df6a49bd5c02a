package actors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A diary is what handlers saw, safe for concurrent use.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *diary) all() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.lines)
}

// Write makes a diary a log: a line for each message, with its stack left out.
func (d *diary) Write(p []byte) (int, error) {
	var line struct{ Message string }
	if err := json.Unmarshal(p, &line); err != nil {
		return 0, err
	}
	d.add("%s", line.Message)
	return len(p), nil
}

// watch is a handler that notes the event.
func (d *diary) watch(name string) agent.HookFunc {
	return func(_ context.Context, e *agent.HookEvent, c *agent.Call) error {
		d.add("%s %s %d %s", name, c.Session.ID, e.Index, e.Type)
		return nil
	}
}

// hooked is a house whose agent has hooks.
func hooked(t *testing.T, o actors.Options, hooks ...*agent.Hook) *house {
	t.Helper()
	if len(o.Agents) == 0 {
		o.Agents = []*agent.Agent{{}}
	}
	o.Agents[0].Hooks = hooks
	return newHouse(t, o)
}

func hook(name, event string, fn agent.HookFunc) *agent.Hook {
	return &agent.Hook{Name: name, On: map[string]agent.HookFunc{event: fn}}
}

// finish closes the host when everything has ended, hooks with it.
func (h *house) finish() {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if err := h.host.Close(ctx); err != nil {
		h.t.Fatal(err)
	}
}

// eventually polls for what another goroutine does.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(60 * time.Second); !ok(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("it did not come about: %s", what)
		}
	}
}

// saw is what a handler of watch notes of a log, events that keep says no to left out.
func (h *house) saw(name, id string, keep func(*events.Event) bool) []string {
	var out []string
	for _, e := range h.log(id) {
		if keep == nil || keep(e) {
			out = append(out, fmt.Sprintf("%s %s %d %s", name, id, e.Index, e.Type))
		}
	}
	return out
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("it is\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// hooks.md: "Same session: events dispatch one at a time"; authoring.md: "one queue per
// session over all hooks, by name, a typed handler before "*"". Deltas are events too.
func TestHooks_InOrder(t *testing.T) {
	t.Parallel()
	var d diary
	h := hooked(t, actors.Options{},
		&agent.Hook{Name: "b/late", On: map[string]agent.HookFunc{"turn.completed": d.watch("late")}},
		&agent.Hook{Name: "audit", On: map[string]agent.HookFunc{"*": d.watch("any"), "turn.completed": d.watch("typed"), "session.waiting": d.watch("typed")}},
	)
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "two calls", Purpose: events.PurposeEval})
	h.rest(a.SessionID, "waiting")
	h.finish()
	var want []string
	deltas := 0
	for _, e := range h.log(a.SessionID) {
		by := []string{"any"}
		switch e.Type {
		case "turn.completed":
			by = []string{"typed", "any", "late"}
		case "session.waiting":
			by = []string{"typed", "any"}
		case "message.appended":
			deltas++
		}
		for _, name := range by {
			want = append(want, fmt.Sprintf("%s %s %d %s", name, a.SessionID, e.Index, e.Type))
		}
	}
	same(t, d.all(), want)
	if deltas == 0 {
		t.Error("the log has no deltas")
	}
}

// hooks.md: "Slow handler: holds the next event's handlers on that session, not the
// model"; P29: "a slow handler holds that session's later handlers alone".
func TestHooks_SlowHandler(t *testing.T) {
	t.Parallel()
	var d diary
	gate, slow := make(chan struct{}), make(chan string, 1)
	h := hooked(t, actors.Options{}, &agent.Hook{Name: "slow", On: map[string]agent.HookFunc{
		"message.received": func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			if e.Data.(*events.MessageReceived).Text == "hold me" {
				slow <- c.Session.ID
				<-gate
			}
			return nil
		},
		"*": d.watch("any"),
	}})
	a := h.start("hold me")
	<-slow
	h.rest(a.SessionID, "waiting") // the turn, and further ones, end while the handler is held
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "two calls"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	b := h.start("hello")
	h.rest(b.SessionID, "waiting")
	mine := func(id string) []string {
		return slices.DeleteFunc(d.all(), func(l string) bool { return !strings.Contains(l, id) })
	}
	eventually(t, "the other session's handlers run", func() bool { return len(mine(b.SessionID)) == len(h.log(b.SessionID)) })
	same(t, mine(a.SessionID), h.saw("any", a.SessionID, func(e *events.Event) bool { return e.Index == 0 }))
	close(gate)
	h.finish()
	same(t, mine(a.SessionID), h.saw("any", a.SessionID, nil))
}

// hooks.md: "a handler that throws is logged and skipped"; host.md: "hook "<name>" handler
// for <event> threw: <message>"; P30: "also the 100th time".
func TestHooks_ThrowAndPanic(t *testing.T) {
	t.Parallel()
	var d, log diary
	h := hooked(t, actors.Options{Logger: zerolog.New(&log)},
		hook("audit/bad", "turn.completed", func(context.Context, *agent.HookEvent, *agent.Call) error { return errors.New("no luck") }),
		hook("audit/worse", "turn.completed", func(context.Context, *agent.HookEvent, *agent.Call) error { panic("boom") }),
		hook("z", "turn.completed", d.watch("z")),
	)
	a := h.start("hello 0")
	h.rest(a.SessionID, "waiting")
	for i := range 99 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: fmt.Sprint("hello ", i+1)}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
	}
	h.finish()
	done := func(e *events.Event) bool { return e.Type == "turn.completed" }
	same(t, d.all(), h.saw("z", a.SessionID, done))
	if n := len(d.all()); n != 100 {
		t.Errorf("%d turns completed, expected 100", n)
	}
	var want []string
	for range 100 {
		want = append(want, `hook "audit/bad" handler for turn.completed threw: no luck`, `hook "audit/worse" handler for turn.completed threw: boom`)
	}
	same(t, log.all(), want)
	checkLog(t, h.log(a.SessionID))
}

// P29: "A hook that … writes to its event cannot change the turn, the log, what later hooks see".
func TestHooks_EventIsACopy(t *testing.T) {
	t.Parallel()
	var lines diary
	h := hooked(t, actors.Options{},
		hook("a", "turn.completed", func(_ context.Context, e *agent.HookEvent, _ *agent.Call) error {
			d := e.Data.(*events.TurnCompleted)
			for i := range d.Result {
				d.Result[i] = 'x'
			}
			for i := range e.Line {
				e.Line[i] = 'x'
			}
			d.Usage.OutputTokens, e.Type, e.Index = -1, "turned", 0
			return nil
		}),
		hook("b", "turn.completed", func(_ context.Context, e *agent.HookEvent, _ *agent.Call) error {
			again, err := events.AppendLine(nil, e.Event)
			lines.add("%s", again)
			lines.add("%s", e.Line)
			return err
		}),
	)
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	h.finish()
	log := h.log(a.SessionID)
	i := slices.IndexFunc(log, func(e *events.Event) bool { return e.Type == "turn.completed" })
	want, err := events.AppendLine(nil, log[i])
	if err != nil {
		t.Fatal(err)
	}
	same(t, lines.all(), []string{string(want), string(want)})
	if !bytes.Contains(want, []byte(`"result":"I heard: hello"`)) {
		t.Errorf("the log has %s", want)
	}
}

// A counter notes what is counted, and for whom.
type counter struct {
	*diary
	of string
}

func (c counter) For(slug string, s agent.Session) agent.Telemetry {
	return counter{c.diary, fmt.Sprintf("%s %s %s", slug, s.ChannelID, s.Mode)}
}

func (c counter) Increment(name string, n float64, _ map[string]string) {
	c.add("%s: %s %v", c.of, name, n)
}
func (c counter) Record(string, float64, map[string]string) {}
func (c counter) Tag(string, string)                        {}

// A hook may use what tools use, and read its session's log.
func TestHooks_Call(t *testing.T) {
	t.Parallel()
	var d diary
	h := hooked(t, actors.Options{Telemetry: counter{diary: &d}}, hook("notes", "turn.completed", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		d.add("%s %s %s %s %s", c.Agent, c.Session.Title, c.Session.Auth.ID, c.Channel.ID, c.Channel.ContinuationToken)
		if c.TurnID != e.TurnID || c.StateRoot == "" || c.Session.ID != e.SessionID {
			return fmt.Errorf("the call is of %s, %s", c.Session.ID, c.TurnID)
		}
		types := ""
		for e, err := range c.History(1) {
			if err != nil {
				return err
			}
			if types += e.Type + " "; e.Index == 2 {
				break
			}
		}
		d.add("%s", types)
		c.Telemetry.Increment("turns", 1, nil)
		if _, err := c.KV.Put(ctx, "last", json.RawMessage(`1`), agent.PutOptions{}); err != nil {
			return err
		}
		return c.Files.Append(ctx, agent.FileScope{Session: c.Session.ID}, "turns.txt", []byte("one\n"))
	}))
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "hello", Title: "Greeting", ChannelID: "chat", ContinuationToken: "room:1"})
	h.rest(a.SessionID, "waiting")
	b := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "hello", Title: "Chore", ChannelID: "chat", Mode: events.ModeTask, ContinuationToken: "room:2"})
	h.rest(b.SessionID, "completed")
	h.finish()
	got := d.all()
	slices.Sort(got)
	want := []string{
		"Tester Chore local chat ", // "null when the session can't take follow-ups"
		"Tester Greeting local chat room:1",
		"message.received turn.started ", "message.received turn.started ",
		"tester chat chat: turns 1", "tester chat task: turns 1",
	}
	same(t, got, want)
}

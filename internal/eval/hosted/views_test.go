package hosted_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/memory"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/projections"
)

// "`purpose`: use eval to mark regression traffic": lists tell sessions of evals from
// live ones, costs have them, hooks are told so, and the journal of turns leaves them out.
func TestSession_Purpose(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []agent.Session
	note := func(_ context.Context, _ *agent.HookEvent, c *agent.Call) error {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, c.Session)
		return nil
	}
	h := newHouse(t, func(a *agent.Agent) {
		a.Hooks = []*agent.Hook{memory.Hook(nil), {Name: "note", On: map[string]agent.HookFunc{"turn.completed": note}}}
		tool, err := agent.NewTool("keep", "Remembers.", func(_ context.Context, _ map[string]any, c *agent.Call) (string, error) {
			_, err := c.Reminders.Set(context.Background(), agent.Reminder{In: time.Millisecond, Message: "hello again"})
			return "ok", err
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		a.Tools = append(a.Tools, tool)
	})
	s := h.open(t, eval.OpenOptions{Title: "a/b"})
	if turn := send(t, s, "/call keep {}"); turn.Status != eval.TurnFinished || turn.Message != `"ok"` {
		t.Errorf("the turn is %s", brief(turn))
	}
	checkViews(t, h)
	if err := h.host.Close(t.Context()); err != nil { // hooks have ended
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Purpose != events.PurposeEval || told[0].ChannelID != "eval" {
		t.Errorf("a hook was told %+v", told)
	}
	all, err := s.Events()
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, line := range all {
		if events.TypeOf(line) == "reminder.fired" {
			t.Error("a reminder fired")
		}
	}
	err = filepath.WalkDir(h.host.Journal().Dir(), func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "journal.jsonl" {
			t.Error("the agent remembers the case")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// checkViews: the lists have one session, an eval's.
func checkViews(t *testing.T, h *house) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	views, err := projections.Start(ctx, &projections.Options{Journal: h.host.Journal(), Prices: h})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = views.Close(context.Background()) }()
	if err := views.WaitFor(ctx, h.host.Journal().Position()); err != nil {
		t.Fatal(err)
	}
	for purpose, want := range map[string]int{events.PurposeEval: 1, events.PurposeLive: 0, "": 1} {
		rows, _, err := views.Sessions(ctx, projections.SessionQuery{Purpose: purpose})
		if err != nil || len(rows) != want {
			t.Errorf("%q: got %+v, %v", purpose, rows, err)
		}
		for _, r := range rows {
			if r.ChannelID != "eval" || r.Title != "a/b" || r.Agent != "tester" {
				t.Errorf("got %+v", r)
			}
			if c, ok, err := views.Cost(ctx, r.ID); err != nil || !ok || len(c.Turns) != 1 {
				t.Errorf("it costs %+v, %v, %v", c, ok, err)
			}
		}
	}
}

package memory_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/memory"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

const script = `
- when: /merge/
  steps: [ { call: [ { merge: {} } ] }, { say: Merged. } ]
`

type oneModel struct{ m model.Model }

func (o oneModel) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: o.m, Name: "scripted"}, nil
}

// start starts a host over a state root; stop ends it when all hooks have run.
func start(t *testing.T, dir string) (h *actors.Host, stop func()) {
	t.Helper()
	s, err := scripted.Parse("script.yaml", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	merge, err := agent.NewTool("merge", "Merges.", func(context.Context, map[string]any, *agent.Call) (string, error) { return "ok", nil },
		&agent.ToolOptions[map[string]any]{Effect: agent.EffectWrite, NeedsApproval: true})
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	bot := &agent.Agent{Slug: "bot", Tools: []*agent.Tool{merge}, Hooks: []*agent.Hook{memory.Hook(nil)}}
	if h, err = actors.Start(t.Context(), &actors.Options{Journal: j, Agents: []*agent.Agent{bot}, Models: oneModel{scripted.New(s)}, MinFreeBytes: -1}); err != nil {
		t.Fatal(err)
	}
	return h, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(h.Close(ctx), j.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// The journal of a host: a line for each turn, also for one that a restart cut in two.
func TestHook_OnAHost(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	h, stop := start(t, dir)
	owner := events.Principal{Kind: "local", ID: "ann"}
	a, err := h.StartSession(ctx, actors.NewSession{Agent: "bot", Principal: owner, Message: "hello"})
	if err == nil {
		_, err = h.Wait(ctx, a.SessionID)
	}
	if err == nil {
		_, err = h.Send(ctx, a.SessionID, actors.Message{Text: "merge it"})
	}
	if err == nil {
		_, err = h.Wait(ctx, a.SessionID)
	}
	if err != nil {
		t.Fatal(err)
	}
	stop()

	h, stop = start(t, dir)
	st, err := h.StateAt(a.SessionID, 1<<40)
	if err == nil {
		_, err = h.ResolveApproval(ctx, a.SessionID, st.Turn.Calls[0].CallID, actors.Decision{Decision: events.DecisionApprove, By: owner})
	}
	if err == nil {
		_, err = h.Wait(ctx, a.SessionID)
	}
	if err != nil {
		t.Fatal(err)
	}
	stop()
	var found []string
	err = filepath.WalkDir(filepath.Join(dir, "files"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == memory.FileName {
			b, _ := os.ReadFile(path)
			found = append(found, strings.Split(strings.TrimSpace(string(b)), "\n")...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`"userMessage":"hello","result":"I heard: hello"`, `"userMessage":"merge it","result":"Merged."`} {
		if len(found) != 2 || !strings.Contains(found[i], want) {
			t.Fatalf("the journal is\n%s", strings.Join(found, "\n"))
		}
	}
}

package projects

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model/providers"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

// A played is a message to a sample on a real host, the result of its turn, and
// facts that its log must have in this order.
type played struct {
	text, result string
	facts        []string
}

// TestSamples_OnAHost plays what needs more than tools: subagents, results, skills,
// artifacts, hooks, workspaces.
func TestSamples_OnAHost(t *testing.T) {
	t.Parallel()
	for dir, talk := range map[string][]played{
		"compliance": {
			{"assess AC-2", `{"verdict":"met","reason":"as the assessor says"}`, []string{"actions.requested", "subagent.called", "action.result", "subagent.completed", "action.result", "message.completed", "step.started", "turn.completed"}},
			{"write AC-1 met", `{"verdict":"met","reason":"recorded"}`, []string{"subagent.called", "subagent.completed", "turn.completed"}},
			{"hello", `{"verdict":"none"}`, nil},
		},
		"newsroom": {
			{"Chuva fecha escolas <https://agencia.example/1>", `"Kept as 06d3d4d40289."`, []string{"skill.loaded", "artifact.tagged", "turn.completed"}},
			{"draft one", `"On the desk: README.md (59 bytes)\none.md (8 bytes)"`, nil},
		},
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, load(t, dir))
			for _, p := range talk {
				h.play(t, p)
			}
		})
	}
}

type host struct {
	*actors.Host
	journal *journal.Journal
	views   *projections.Views
	slug    string
}

func newHost(t *testing.T, agents ...*agent.Agent) *host {
	t.Helper()
	j, err := journal.Open(filepath.Join(t.TempDir(), "state"), nil)
	if err != nil {
		t.Fatal(err)
	}
	views, err := projections.Start(t.Context(), &projections.Options{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	models := providers.New(&providers.Options{Lookup: func(string) (string, bool) { return "", false }})
	o := &actors.Options{Journal: j, Views: views, Agents: agents, Models: models, MinFreeBytes: -1}
	h, err := actors.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for _, err := range []error{h.Close(ctx), views.Close(ctx), j.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return &host{Host: h, journal: j, views: views, slug: agents[0].Slug}
}

func (h *host) play(t *testing.T, p played) {
	t.Helper()
	a, err := h.StartSession(t.Context(), actors.NewSession{Agent: h.slug, Principal: events.Principal{Kind: "local", ID: "local"}, Message: p.text})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := h.Wait(ctx, a.SessionID)
	if err != nil || !sameJSON(out.Result, p.result) {
		t.Errorf("%q gives %s, %v", p.text, out.Result, err)
	}
	lines, err := h.journal.Read(a.SessionID, 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	facts := p.facts
	for _, l := range lines {
		if len(facts) > 0 && events.TypeOf(l.Data) == facts[0] {
			facts = facts[1:]
		}
	}
	if len(facts) > 0 {
		t.Errorf("%q: the log has no %s after the others of %q", p.text, facts[0], p.facts)
	}
}

func sameJSON(got json.RawMessage, want string) bool {
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return slices.Equal(x, y)
}

// "journals every turn for later sessions to read": the journal that a sample's
// memory hook keeps.
func TestSamples_MemoryOfTheNewsroom(t *testing.T) {
	t.Parallel()
	a := load(t, "newsroom")
	h := newHost(t, a)
	h.play(t, played{"draft two", `"On the desk: README.md (59 bytes)\ntwo.md (8 bytes)"`, nil})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		out, err := h.StartSession(ctx, actors.NewSession{Agent: h.slug, Principal: events.Principal{Kind: "local", ID: "local"}, Message: `/call grep {"pattern":"draft two","path":"memory"}`})
		if err != nil {
			t.Fatal(err)
		}
		if done, err := h.Wait(ctx, out.SessionID); err == nil && strings.Contains(string(done.Result), "memory/journal.jsonl") {
			return
		}
	}
	t.Error("no later session finds the turn in memory/")
}

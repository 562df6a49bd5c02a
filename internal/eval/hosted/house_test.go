package hosted_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/eval/hosted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const script = `
- when: /^twice$/
  steps: [ { say: Looking., call: [ { look: { n: 1 } } ] }, { say: Looked. } ]
- when: /^crew$/
  steps: [ { call: [ { task: { subagent: reader, prompt: twice } } ] }, { say: The crew is done. } ]
- when: /^crew (.*)$/
  steps: [ { call: [ { task: { subagent: reader, prompt: $1 } } ] }, { say: The crew is done. } ]
- when: /^gated$/
  steps: [ { say: May I?, call: [ { merge: {} } ] }, { say: "Merge: {{ index .results 0 }}." } ]
- when: /^both$/
  steps: [ { call: [ { merge: { n: 1 } }, { merge: { n: 2 } } ] }, { say: Both. } ]
- when: /^slow$/
  steps: [ { call: [ { slow: {} } ] }, { say: Slow is done. } ]
- when: /^down$/
  steps: [ { error: { status: 500, message: the model is down } } ]
- when: /^steps$/
  steps: [ { say: one, call: [ { look: {} } ] }, { say: two, call: [ { look: {} } ] }, { say: three } ]
- when: /^grade/
  steps: [ { say: "{\"score\": 1}", usage: { inputTokens: 30, outputTokens: 7 } } ]
- when: /^/
  steps: [ { say: "I heard: {{ .text }}" } ]
`

// A house is a host with one agent, whose models are all the scripted one under the name
// "x/<id>".
type house struct {
	host    *actors.Host
	target  *hosted.Target
	model   *scripted.Model
	gate    chan struct{}
	started chan struct{}

	mu    sync.Mutex
	asked []*model.Request
}

// Resolve is model.Resolver's.
func (h *house) Resolve(ref model.Ref) (model.Resolved, error) {
	if ref.ID == "keyless" {
		return model.Resolved{}, &model.Error{Message: "no key is set; set it, or use --model scripted, which needs no key", Code: events.FailModel}
	}
	if ref.ID == "missing" {
		return model.Resolved{}, &model.Error{Message: "there is no such model", Code: events.FailModel}
	}
	return model.Resolved{Model: played{h, ref.ID}, Name: "x/" + ref.ID, Request: ref.ID}, nil
}

// UnknownParams and CheckParams are those of a resolver that knows params.
func (h *house) UnknownParams(_ model.Ref, params map[string]any) (unknown []string) {
	if _, ok := params["wings"]; ok {
		unknown = append(unknown, "wings")
	}
	return unknown
}

func (h *house) CheckParams(model.Ref, map[string]any) error { return nil }

// Price is model.Prices'.
func (h *house) Price(name string, u events.Usage) (int64, bool) {
	return u.Total() * 1e6, name != "x/priceless"
}

// A played model keeps what it is asked.
type played struct {
	h  *house
	id string
}

func (p played) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	p.h.mu.Lock()
	p.h.asked = append(p.h.asked, r)
	n := len(p.h.asked)
	p.h.mu.Unlock()
	switch {
	case p.id == "breaking", p.id == "shaky" && n < 3:
		return nil, &model.Error{Message: "the stream broke", Code: events.FailModel, Broken: true}
	case p.id == "endless":
		return &model.Response{Text: "and so", FinishReason: events.FinishLength, Usage: &events.Usage{OutputTokens: 5}}, nil
	case p.id == "shy":
		return &model.Response{FinishReason: events.FinishContentFilter}, nil
	case p.id == "silent":
		return &model.Response{Text: " ", FinishReason: events.FinishStop}, nil
	}
	return p.h.model.Stream(ctx, r, emit)
}

func newHouse(t testing.TB, shape func(*agent.Agent)) *house {
	t.Helper()
	s, err := scripted.Parse("script.yaml", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	h := &house{model: scripted.New(s), gate: make(chan struct{}), started: make(chan struct{}, 8)}
	j, err := journal.Open(t.TempDir(), &journal.Options{FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	a := &agent.Agent{Slug: "tester", Instructions: "Test.", Harness: []string{}, Model: agent.Model{ID: "own"}, Tools: h.tools(t)}
	a.Subagents = []*agent.Subagent{{Name: "reader", Description: "Reads.", Instructions: "You read."}}
	if shape != nil {
		shape(a)
	}
	h.host, err = actors.Start(context.Background(), &actors.Options{Journal: j, Models: h, Prices: h, Agents: []*agent.Agent{a}, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := h.host.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	if h.target, err = hosted.New(h.host, "tester", &hosted.Options{Models: h, Prices: h}); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) tools(t testing.TB) (all []*agent.Tool) {
	type args = map[string]any
	slow := func(ctx context.Context, _ args, _ *agent.Call) (string, error) {
		h.started <- struct{}{}
		select {
		case <-h.gate:
			return "ok", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	same := func(_ context.Context, in args, _ *agent.Call) (args, error) { return in, nil }
	for _, x := range []struct {
		name string
		o    *agent.ToolOptions[args]
	}{{"look", nil}, {"push", &agent.ToolOptions[args]{Effect: agent.EffectWrite}}, {"merge", &agent.ToolOptions[args]{Effect: agent.EffectWrite, NeedsApproval: true}}} {
		tool, err := agent.NewTool(x.name, "Does.", same, x.o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tool)
	}
	tool, err := agent.NewTool("slow", "Is slow.", slow, nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, tool)
}

// open gives the session of a case, which is closed in the end.
func (h *house) open(t testing.TB, o eval.OpenOptions) eval.Session {
	t.Helper()
	s := h.target.Open(o)
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func send(t testing.TB, s eval.Session, text string) *eval.Turn {
	t.Helper()
	turn, err := s.Send(t.Context(), text, eval.SendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// types are those of lines, deltas left out, as one text.
func types(t testing.TB, lines []json.RawMessage) string {
	t.Helper()
	var all []string
	for _, l := range lines {
		e, err := events.Decode(l)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(e.Type, ".appended") {
			all = append(all, e.Type)
		}
	}
	return strings.Join(all, " ")
}

// brief is a turn without its events.
func brief(t *eval.Turn) string {
	if t == nil {
		return "no turn"
	}
	short := *t
	short.Events = nil
	return fmt.Sprintf("%+v", short)
}

// number gives a price as text.
func number(usd *float64) string {
	if usd == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.6f", *usd)
}

// billed sums up what the ends of turns say.
func billed(t testing.TB, s eval.Session) (u events.Usage, usd string) {
	t.Helper()
	all, err := s.Events()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, line := range all {
		e, err := events.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := e.Data.(*events.TurnCompleted); ok {
			u.Add(*d.Usage)
			sum += d.Cost.TotalUSD
		}
	}
	return u, number(&sum)
}

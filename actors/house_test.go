package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
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
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var local = events.Principal{Kind: "local", ID: "local"}

// A house is a host on a journal in memory, which outlives it.
type house struct {
	t       *testing.T
	fs      vfs.FS
	dir     string
	journal *journal.Journal
	host    *actors.Host
	opts    actors.Options
	script  string
	shape   func(*agent.Agent) // changes the agent before each start
	effects atomic.Int64       // what the write tool did
	gate    chan struct{}      // the slow tool waits for it
	started chan string        // the slow tool says that it began
	// requests are those to the scripted model, where that is the house's.
	requests *requests
	more     []*agent.Tool // of the agent, besides those of every house
}

// requests is a model that keeps what it was asked.
type requests struct {
	model.Model
	mu  sync.Mutex
	all []*model.Request
}

func (r *requests) Stream(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Response, error) {
	r.mu.Lock()
	r.all = append(r.all, req)
	r.mu.Unlock()
	return r.Model.Stream(ctx, req, emit)
}

// to gives those with the system prompt.
func (r *requests) to(system string) (found []*model.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, req := range r.all {
		if req.System == system {
			found = append(found, req)
		}
	}
	return found
}

type oneModel struct{ m model.Model }

func (o oneModel) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: o.m, Name: "scripted"}, nil
}

const script = `
- when: /two calls/
  steps:
    - say: Looking.
      call: [ { look: { n: 1 } }, { look: { n: 2 } } ]
    - say: "Saw {{ index .results 0 \"n\" }} and {{ index .results 1 \"n\" }}."
- when: /push (\w+)/
  steps:
    - call: [ { push: { what: "$1" } } ]
    - say: "Pushed: {{ index .results 0 }}."
- when: /gated/
  steps:
    - call: [ { merge: { n: 7 } } ]
    - say: "Merge says {{ index .results 0 }}."
- when: /slow/
  steps:
    - say: Working.
      call: [ { slow: {} }, { look: { n: 3 } } ]
    - say: Slow is done.
- when: /panic tool/
  steps: [ { call: [ { boom: {} } ] }, { say: never } ]
- when: /wrong/
  steps:
    - call: [ { lok: {} }, { look: { n: many } } ]
    - say: "I was wrong."
- when: /stall/
  steps: [ { say: late, delayMs: 3600000 } ]
`

func newHouse(t *testing.T, o actors.Options) *house {
	t.Helper()
	return newShapedHouse(t, o, script, func(*agent.Agent) {})
}

// newShapedHouse is a house whose model plays the script, and whose agent is changed.
func newShapedHouse(t *testing.T, o actors.Options, script string, shape func(*agent.Agent)) *house {
	t.Helper()
	h := &house{t: t, fs: vfs.NewCrashableMem(), dir: t.TempDir(), opts: o, script: script, shape: shape, gate: make(chan struct{}), started: make(chan string, 64)}
	h.open()
	t.Cleanup(h.close)
	return h
}

func (h *house) open() {
	h.t.Helper()
	s, err := scripted.Parse("script.yaml", []byte(h.script))
	if err != nil {
		h.t.Fatal(err)
	}
	if h.journal, err = journal.Open(h.dir, &journal.Options{FS: h.fs}); err != nil {
		h.t.Fatal(err)
	}
	o := h.opts
	o.Journal, o.MinFreeBytes = h.journal, -1
	o.Agents = []*agent.Agent{{Slug: "tester", Name: "Tester", Instructions: "Test.", Harness: []string{}, Tools: append(h.tools(), h.more...)}}
	if len(h.opts.Agents) > 0 {
		o.Agents[0].Limits, o.Agents[0].Approvals, o.Agents[0].Concurrency = h.opts.Agents[0].Limits, h.opts.Agents[0].Approvals, h.opts.Agents[0].Concurrency
		o.Agents[0].Subagents = h.opts.Agents[0].Subagents
		o.Agents[0].Artifacts = h.opts.Agents[0].Artifacts
		o.Agents[0].Tools = append(o.Agents[0].Tools, h.opts.Agents[0].Tools...)
		o.Agents[0].Hooks = h.opts.Agents[0].Hooks
	}
	if h.shape != nil {
		h.shape(o.Agents[0])
	}
	if o.Models == nil {
		h.requests = &requests{Model: scripted.New(s)}
		o.Models = oneModel{h.requests}
	}
	if h.host, err = actors.Start(context.Background(), &o); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) close() {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	expired, stop := context.WithCancel(ctx)
	stop() // running turns are left for recovery
	if err := h.host.Close(expired); err != nil {
		h.t.Error(err)
	}
	if err := h.journal.Close(); err != nil {
		h.t.Error(err)
	}
}

// crash kills the host in the middle of whatever runs, and starts another on what was
// on disk.
func (h *house) crash() {
	h.t.Helper()
	left := h.fs.(*vfs.MemFS).CrashClone(vfs.CrashCloneCfg{})
	h.close()
	h.fs = left
	h.open()
}

// restart stops the host in the middle of whatever runs, and starts another on the same store.
func (h *house) restart() {
	h.t.Helper()
	h.close()
	h.open()
}

type number struct {
	N int `json:"n"`
}

func (h *house) tools() []*agent.Tool {
	type args = map[string]any
	push := func(context.Context, args, *agent.Call) (string, error) {
		h.effects.Add(1)
		return "ok", nil
	}
	return []*agent.Tool{
		newTool(h.t, "look", func(_ context.Context, in number, _ *agent.Call) (number, error) { return in, nil }, nil),
		newTool(h.t, "push", push, &agent.ToolOptions[args]{Effect: agent.EffectWrite}),
		newTool(h.t, "merge", push, &agent.ToolOptions[args]{Effect: agent.EffectWrite, NeedsApproval: true}),
		newTool(h.t, "slow", h.slow, nil),
		newTool(h.t, "slowpush", h.slow, &agent.ToolOptions[args]{Effect: agent.EffectWrite}),
		newTool(h.t, "boom", func(context.Context, args, *agent.Call) (string, error) { panic("boom") }, nil),
		newTool(h.t, "since", func(_ context.Context, in args, c *agent.Call) (string, error) {
			return c.Now().UTC().Format(time.RFC3339), nil
		}, &agent.ToolOptions[args]{InputSchema: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`), TimeArguments: []string{"at"}}),
		newTool(h.t, "long", func(_ context.Context, in struct {
			Fail bool `json:"fail,omitempty"`
		}, _ *agent.Call) (string, error) {
			text := strings.Repeat("🙂", 20_000)
			if in.Fail {
				return "", errors.New(text)
			}
			return text, nil
		}, nil),
		newTool(h.t, "timedpush", push, &agent.ToolOptions[args]{Effect: agent.EffectWrite, InputSchema: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`), TimeArguments: []string{"at"}}),
	}
}

// slow says that it began and waits for the gate, or for the end of its call.
func (h *house) slow(ctx context.Context, _ map[string]any, c *agent.Call) (string, error) {
	h.started <- c.ID
	select {
	case <-h.gate:
		return "slowly", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func newTool[In, Out any](t *testing.T, name string, fn func(context.Context, In, *agent.Call) (Out, error), o *agent.ToolOptions[In]) *agent.Tool {
	t.Helper()
	tool, err := agent.NewTool(name, "Does "+name+".", fn, o)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// start opens a session.
func (h *house) start(text string) actors.Accepted {
	h.t.Helper()
	return h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: text})
}

func (h *house) startWith(s actors.NewSession) actors.Accepted {
	h.t.Helper()
	a, err := h.host.StartSession(h.t.Context(), s)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// rest waits until the session is idle, parked or ended.
func (h *house) rest(id, status string) actors.Outcome {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 60*time.Second)
	defer cancel()
	out, err := h.host.Wait(ctx, id)
	if err != nil {
		h.t.Fatalf("%v; the log so far:\n%s", err, h.story(id))
	}
	if out.Status != status {
		h.t.Fatalf("the session came to rest as %s, expected %s:\n%s", out.Status, status, h.story(id))
	}
	return out
}

// until waits for an event of the type and gives it.
func (h *house) until(id, typ string) *events.Event {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 60*time.Second)
	defer cancel()
	for lines, err := range h.journal.Follow(ctx, id, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		for _, l := range lines {
			if events.TypeOf(l.Data) != typ {
				continue
			}
			e, err := events.Decode(l.Data)
			if err != nil {
				h.t.Fatal(err)
			}
			return e
		}
	}
	h.t.Fatalf("no %s came:\n%s", typ, h.story(id))
	return nil
}

func (h *house) log(id string) []*events.Event {
	h.t.Helper()
	lines, err := h.journal.Read(id, 0, 1<<40)
	if err != nil {
		h.t.Fatal(err)
	}
	var out []*events.Event
	for _, l := range lines {
		e, err := events.Decode(l.Data)
		if err != nil {
			h.t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

//go:build failpoints

package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
)

// script is what the agent's model says.
const script = `
- when: /three/
  steps:
    - say: Looking.
      call: [ { look: { n: 1 } }, { push: { n: 2 } }, { put: { n: 3 } } ]
    - say: Three calls are done.
- when: /artifact/
  steps:
    - say: Making them.
      call: [ { tag: { key: shared } }, { tag: { key: mine } } ]
    - say: Both are there.
- when: /^crew/
  steps:
    - call: [ { task: { subagent: worker, prompt: quietly } }, { task: { subagent: worker, prompt: carefully } } ]
    - say: "The crew: {{ index .results 0 }} {{ index .results 1 }}"
- when: /^quietly/
  steps:
    - call: [ { push: { n: 6 } }, { look: { n: 7 } } ]
    - say: Quietly done.
- when: /^carefully/
  steps:
    - call: [ { merge: { n: 8 } } ]
    - call: [ { put: { n: 9 } } ]
    - say: Carefully done.
- when: /gated/
  steps:
    - call: [ { merge: { n: 4 } } ]
    - say: "The merge was: {{ index .results 0 }}."
- when: /slow/
  steps:
    - say: Working on it.
      call: [ { slow: {} }, { slowpush: { n: 5 } } ]
    - say: Slow is done.
- when: /long/
  steps:
    - say: A somewhat longer answer, word by word, so that deltas are recorded on the way.
      delayMs: 30
- when: ""
  steps: [ { say: "I heard: {{ .text }}" } ]
`

// oneModel gives the scripted model for every name.
type oneModel struct{ m model.Model }

// Resolve is model.Resolver's.
func (o oneModel) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: o.m, Name: "scripted"}, nil
}

type free struct{}

// Price says that everything is free.
func (free) Price(string, events.Usage) (int64, bool) { return 0, true }

// serve is the child: a host over the state root dir that prints its URL and runs
// until it is told to stop, or killed.
func serve(dir string) error {
	s, err := scripted.Parse("script.yaml", []byte(script))
	if err != nil {
		return err
	}
	j, err := journal.Open(dir, nil)
	if err != nil {
		return err
	}
	views, err := projections.Start(context.Background(), &projections.Options{Journal: j, Prices: free{}})
	if err != nil {
		return err
	}
	bot, err := bot(filepath.Join(dir, "effects"))
	if err != nil {
		return err
	}
	timed, err := schedules(dir, bot)
	if err != nil {
		return err
	}
	host, err := actors.Start(context.Background(), &actors.Options{
		Journal: j, Views: views, Agents: []*agent.Agent{bot}, Models: oneModel{scripted.New(s)}, Prices: free{},
		Clock: timed, DeltaWindow: 5 * time.Millisecond, IdleAfter: 100 * time.Millisecond, MinFreeBytes: -1,
	})
	if err != nil {
		return err
	}
	o := &transport.Options{Host: host, Views: views, Mode: transport.ModeSingle, Dev: true}
	handler, err := transport.NewHandler(o)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := transport.NewServer(withEvals(host, oneModel{scripted.New(s)}, withHooks(host, handler)), o)
	go func() { _ = server.Serve(ln) }()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	fmt.Println("http://" + ln.Addr().String())
	<-stop
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	host.Drain()
	return errors.Join(transport.Shutdown(ctx, server, handler), host.Close(ctx), views.Close(ctx), j.Close())
}

// bot is an agent whose writes leave a line, synced, in a file outside of the log.
func bot(effects string) (*agent.Agent, error) {
	write := func(_ context.Context, _ args, c *agent.Call) (string, error) {
		return "ok", leave(effects, effect{c.ID, c.Tool})
	}
	slow := func(ctx context.Context, _ args, c *agent.Call) (string, error) {
		select {
		case <-time.After(300 * time.Millisecond):
			return "ok", leave(effects, effect{c.ID, c.Tool})
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	w := agent.ToolOptions[args]{Effect: agent.EffectWrite}
	gated, again := w, w
	gated.NeedsApproval, again.Idempotent = true, true
	look := func(_ context.Context, in args, _ *agent.Call) (args, error) { return in, nil }
	a := &agent.Agent{Slug: "bot", Name: "Bot", Instructions: "Crash."}
	a.Subagents = []*agent.Subagent{{Name: "worker", Description: "Works.", Instructions: "Work."}}
	for _, t := range []struct {
		name string
		fn   func(context.Context, args, *agent.Call) (string, error)
		o    agent.ToolOptions[args]
	}{{"push", write, w}, {"merge", write, gated}, {"put", write, again}, {"slow", slow, agent.ToolOptions[args]{}}, {"slowpush", slow, w}} {
		tool, err := agent.NewTool(t.name, "Does "+t.name+".", t.fn, &t.o)
		if err != nil {
			return nil, err
		}
		a.Tools = append(a.Tools, tool)
	}
	for _, t := range []struct {
		name string
		fn   func(context.Context, args, *agent.Call) (args, error)
	}{{"look", look}, {"tag", tag}} {
		tool, err := agent.NewTool(t.name, "Does "+t.name+".", t.fn, nil)
		if err != nil {
			return nil, err
		}
		a.Tools = append(a.Tools, tool)
	}
	a.Hooks = []*agent.Hook{{Name: "notes", On: map[string]agent.HookFunc{
		"message.received": note(effects + ".hooks"), "turn.completed": note(effects + ".hooks"), "turn.failed": note(effects + ".hooks"),
	}}}
	a.Channels = []*agent.Channel{hooks(effects + ".sent")}
	return a, nil
}

// tag makes an artifact whose contents nobody else makes.
func tag(ctx context.Context, in args, c *agent.Call) (args, error) {
	key, _ := in["key"].(string)
	rec, err := c.Artifacts.Tag(ctx, agent.TagArtifact{Kind: "made", Key: key, Contents: []byte(c.ID)})
	return args{"id": rec.ID}, err
}

// note leaves a line for each event that a hook is given.
func note(file string) agent.HookFunc {
	return func(_ context.Context, e *agent.HookEvent, _ *agent.Call) error { return leave(file, e.Line) }
}

type args = map[string]any

// An effect is one line of the effects file.
type effect struct {
	CallID string `json:"callId"`
	Tool   string `json:"tool"`
}

// leave appends a line to a file and syncs it.
func leave(file string, what any) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	line, err := json.Marshal(what)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return errors.Join(err, f.Sync(), f.Close())
}

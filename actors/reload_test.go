package actors_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// reloadScript asks which agent is there before and after something slow, and
// before and after a person.
const reloadScript = `
- when: /slowly/
  steps: [ { call: [ { slow: {} } ] }, { call: [ { which: {} } ] }, { say: "{{ index .results 0 }}" } ]
- when: /gated/
  steps: [ { call: [ { gate: {} } ] }, { call: [ { which: {} } ] }, { say: "{{ index .results 0 }}" } ]
- when: /which/
  steps: [ { call: [ { which: {} } ] }, { say: "{{ index .results 0 }}" } ]
`

// An edition is one version of an agent, and how often it was closed.
type edition struct {
	*agent.Agent
	closed atomic.Int64
}

func newReloadHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, fs: vfs.NewMem(), dir: t.TempDir(), script: reloadScript, gate: make(chan struct{}), started: make(chan string, 64)}
	h.open()
	t.Cleanup(h.close)
	return h
}

// edition makes an agent whose tools say its name.
func (h *house) edition(slug, name string) *edition {
	type args = map[string]any
	say := func(context.Context, args, *agent.Call) (string, error) { return name, nil }
	e := &edition{}
	e.Agent = &agent.Agent{Slug: slug, Name: name, Instructions: "Test.", Tools: []*agent.Tool{
		newTool(h.t, "gate", say, &agent.ToolOptions[args]{NeedsApproval: true}),
		newTool(h.t, "slow", h.slow, nil),
		newTool(h.t, "which", say, nil),
	}}
	e.Close = func() error { e.closed.Add(1); return nil }
	return e
}

func (h *house) reload(editions ...*edition) {
	h.t.Helper()
	list := make([]*agent.Agent, len(editions))
	for i, e := range editions {
		list[i] = e.Agent
	}
	if err := h.host.Reload(h.t.Context(), list); err != nil {
		h.t.Fatal(err)
	}
}

// closes waits until an edition was closed.
func (h *house) closes(e *edition) {
	h.t.Helper()
	for end := time.Now().Add(10 * time.Second); e.closed.Load() == 0; {
		if time.Now().After(end) {
			h.t.Fatalf("%s is never closed", e.Name)
		}
		<-time.After(time.Millisecond)
	}
}

// ask sends a message to an agent and gives the reply of its session.
func (h *house) say(slug, text string) string {
	h.t.Helper()
	a := h.startWith(actors.NewSession{Agent: slug, Principal: local, Message: text})
	return string(h.rest(a.SessionID, "waiting").Result)
}

func (h *house) send(id, text string) string {
	h.t.Helper()
	if _, err := h.host.Send(h.t.Context(), id, actors.Message{Text: text}); err != nil {
		h.t.Fatal(err)
	}
	return string(h.rest(id, "waiting").Result)
}

// "A changed file reloads the project in a fresh VM set; running turns end on the
// old one": also their calls that begin after the reload. The old one is closed
// when the last of them has ended, once, and not before.
func TestHost_ReloadWhileATurnRuns(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	first, second := h.edition("tester", "first"), h.edition("tester", "second")
	h.reload(first)
	idle := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "which"})
	h.rest(idle.SessionID, "waiting")
	slow := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "slowly"})
	<-h.started
	h.reload(second)
	if got := h.send(idle.SessionID, "which"); got != `"second"` {
		t.Errorf("the idle session's next turn is of %s", got)
	}
	if got := h.say("tester", "which"); got != `"second"` {
		t.Errorf("a new session is of %s", got)
	}
	if first.closed.Load() != 0 {
		t.Error("the old agent was closed under a running turn")
	}
	close(h.gate)
	if got := string(h.rest(slow.SessionID, "waiting").Result); got != `"first"` {
		t.Errorf("the turn that ran ended on %s", got)
	}
	if got := h.send(slow.SessionID, "which"); got != `"second"` {
		t.Errorf("the next turn of its session is of %s", got)
	}
	h.closes(first)
	if h.host.Agent("tester") != second.Agent || first.closed.Load() != 1 || second.closed.Load() != 0 {
		t.Errorf("closed %d times and %d times", first.closed.Load(), second.closed.Load())
	}
}

// A turn that waits behind the running one, and one that interrupts it, begin on the new agent.
func TestHost_ReloadWithTurnsBehind(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(*house, string){
		"queued": func(h *house, id string) {
			if _, err := h.host.Send(h.t.Context(), id, actors.Message{Text: "which"}); err != nil {
				h.t.Error(err)
			}
			close(h.gate)
		},
		"interrupting": func(h *house, id string) {
			if _, err := h.host.Interrupt(h.t.Context(), id, actors.Message{Text: "which"}); err != nil {
				h.t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newReloadHouse(t)
			first, second := h.edition("tester", "first"), h.edition("tester", "second")
			h.reload(first)
			a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "slowly"})
			<-h.started
			h.reload(second)
			next(h, a.SessionID)
			if got := string(h.rest(a.SessionID, "waiting").Result); got != `"second"` {
				t.Errorf("the turn is of %s", got)
			}
			h.closes(first)
		})
	}
}

// A parked turn ends on the agent that it began with; after it came back from the
// log, on the new one.
func TestHost_ReloadWhileParked(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	first, second := h.edition("tester", "first"), h.edition("tester", "second")
	h.reload(first)
	approve := func(id string) string {
		t.Helper()
		d := h.until(id, "input.requested").Data.(*events.InputRequested)
		if _, err := h.host.ResolveApproval(t.Context(), id, d.CallID, actors.Decision{Decision: "approve", By: local}); err != nil {
			t.Fatal(err)
		}
		return string(h.rest(id, "waiting").Result)
	}
	kept := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "gated"})
	h.rest(kept.SessionID, "parked")
	back := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "gated"})
	h.rest(back.SessionID, "parked")
	h.reload(second)
	if got := approve(kept.SessionID); got != `"first"` {
		t.Errorf("the parked turn ended on %s", got)
	}
	h.restart()
	h.reload(second)
	if got := approve(back.SessionID); got != `"second"` {
		t.Errorf("the turn that came back ended on %s", got)
	}
}

// A direct call is of the newest agent, also where it is bound to a session whose
// turn runs on the old one; a call that runs keeps its own open.
func TestHost_ReloadAndDirectCalls(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	first, second := h.edition("tester", "first"), h.edition("tester", "second")
	h.reload(first)
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "slowly"})
	<-h.started
	done := make(chan error, 1)
	go func() {
		_, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "slow", Principal: local})
		done <- err
	}()
	<-h.started
	h.reload(second)
	for _, session := range []string{"", a.SessionID} {
		got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "which", Principal: local, SessionID: session})
		if err != nil || string(got.Result.Output) != `"second"` {
			t.Errorf("the call in session %q gives %s, %v", session, got.Result.Output, err)
		}
	}
	if _, err := h.host.Stop(t.Context(), a.SessionID); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	if first.closed.Load() != 0 {
		t.Error("the old agent was closed under a call")
	}
	close(h.gate)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := h.send(a.SessionID, "which"); got != `"second"` {
		t.Errorf("the session goes on with %s", got)
	}
	h.closes(first)
}

// Agents come and go: one that is gone starts nothing new and its sessions go on.
func TestHost_ReloadWithOtherAgents(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	a, b := h.edition("a", "first"), h.edition("b", "second")
	h.reload(a)
	old := h.startWith(actors.NewSession{Agent: "a", Principal: local, Message: "which"})
	h.rest(old.SessionID, "waiting")
	h.reload(b)
	if list := h.host.Agents(); len(list) != 1 || list[0] != b.Agent {
		t.Errorf("the host lists %d agents", len(list))
	}
	if _, err := h.host.StartSession(t.Context(), actors.NewSession{Agent: "a", Principal: local, Message: "which"}); !errors.Is(err, actors.ErrUnknownAgent) {
		t.Errorf("a session of an agent that is gone: %v", err)
	}
	if got := h.send(old.SessionID, "which"); got != `"first"` {
		t.Errorf("a session of an agent that is gone goes on with %s", got)
	}
	if got := h.say("b", "which"); got != `"second"` {
		t.Errorf("the new agent answers %s", got)
	}
	if err := h.host.Reload(t.Context(), nil); err == nil {
		t.Error("a host without agents was taken")
	}
	if err := h.host.Reload(t.Context(), []*agent.Agent{a.Agent, a.Agent}); err == nil {
		t.Error("a slug was taken twice")
	}
	h.close()
	if a.closed.Load() != 1 || b.closed.Load() != 0 {
		t.Errorf("the one that is gone was closed %d times, the one that is there %d times", a.closed.Load(), b.closed.Load())
	}
	if err := h.host.Reload(t.Context(), []*agent.Agent{b.Agent}); !errors.Is(err, actors.ErrDraining) {
		t.Errorf("a closed host takes agents: %v", err)
	}
	h.open()
}

// What the host keeps of a slug outlives its agents: direct calls go on in one log.
func TestHost_ReloadKeepsTheAgentsLog(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	for i := range 5 {
		h.reload(h.edition("tester", fmt.Sprint(i)))
		got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "which", Principal: local})
		if err != nil || string(got.Result.Output) != fmt.Sprintf(`"%d"`, i) {
			t.Fatalf("call %d gives %s, %v", i, got.Result.Output, err)
		}
	}
	if n := len(h.log(events.AgentLog("tester"))); n != 10 {
		t.Errorf("the agent's log has %d events, expected 10", n)
	}
}

// Reloads beside running sessions: every turn is of one agent, and every agent but
// the last is closed once.
func TestHost_ReloadUnderLoad(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	close(h.gate)
	h.reload(h.edition("tester", "0"))
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			for range 6 {
				a, err := h.host.StartSession(t.Context(), actors.NewSession{Agent: "tester", Principal: local, Message: "slowly"})
				if err != nil {
					t.Error(err)
					return
				}
				h.rest(a.SessionID, "waiting")
			}
		})
	}
	var editions []*edition
	for i := range 20 {
		e := h.edition("tester", fmt.Sprint(i+1))
		editions = append(editions, e)
		h.reload(e)
		h.say("tester", "which")
	}
	done.Wait()
	last := len(editions) - 1
	h.reload(editions[last])
	var open []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); <-time.After(time.Millisecond) {
		if open = stillOpen(editions[:last]); len(open) == 0 {
			break
		}
	}
	if len(open) > 0 || editions[last].closed.Load() != 0 {
		t.Errorf("still open: %s; the last one was closed %d times", strings.Join(open, ", "), editions[last].closed.Load())
	}
}

// stillOpen names the editions that were not closed exactly once.
func stillOpen(editions []*edition) (names []string) {
	for _, e := range editions {
		if n := e.closed.Load(); n != 1 {
			names = append(names, fmt.Sprintf("%s (%d)", e.Name, n))
		}
	}
	return names
}

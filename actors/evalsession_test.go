package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
)

const evalScript = `
- when: /^go$/
  steps:
    - call: [ { push: { what: a } }, { look: { n: 1 } }, { look: { n: many } }, { write: { path: f, content: x } }, { long: {} } ]
    - call: [ { task: { subagent: reader, prompt: inside } } ]
    - say: done
- when: /^inside$/
  steps:
    - call: [ { push: { what: b } } ]
    - say: done
- when: /^gated$/
  steps:
    - call: [ { merge: { n: 7 } } ]
    - say: "Merge says {{ index .results 0 }}."
- when: /^slow$/
  steps:
    - call: [ { slowpush: {} } ]
    - say: done
- when: /^dated$/
  steps:
    - call: [ { timedpush: { at: "2030-01-01T00:00:00Z" } }, { timedpush: { at: "2020-01-01T00:00:00Z" } }, { push: {} } ]
    - say: done
- when: /^stall$/
  steps: [ { say: late, delayMs: 3600000 } ]
`

// evalOf is a session of an eval.
func evalOf(message string) actors.NewSession {
	return actors.NewSession{Agent: "tester", Principal: local, ChannelID: "eval", Purpose: events.PurposeEval, Message: message}
}

func newEvals(t *testing.T, shape func(*agent.Agent)) *house {
	t.Helper()
	return newShapedHouse(t, actors.Options{}, evalScript, func(a *agent.Agent) {
		a.Harness, a.Subagents = nil, crew
		if shape != nil {
			shape(a)
		}
	})
}

// saying is a stub that gives a text and keeps what it was called with.
func saying(text string, heard *[]string) agent.Stub {
	return func(_ context.Context, c *agent.Call) (json.RawMessage, error) {
		*heard = append(*heard, c.Tool+string(c.Args)+c.Session.Purpose)
		return json.Marshal(text)
	}
}

// "workspaceDir, stubs and model are for sessions of evals alone", and what cannot be
// honoured of them is refused with a sentence: nothing is made.
func TestEvalSession_Refused(t *testing.T) {
	t.Parallel()
	h := newEvals(t, nil)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stub := func(name string) map[string]agent.Stub {
		return map[string]agent.Stub{name: func(context.Context, *agent.Call) (json.RawMessage, error) { return nil, nil }}
	}
	for want, s := range map[string]actors.NewSession{
		"workspaceDir: it is for sessions of evals alone": {WorkspaceDir: dir},
		"stubs: it is for sessions of evals alone":        {Stubs: stub("push")},
		"model: it is for sessions of evals alone":        {Model: "other"},
		`workspaceDir: "a/b" is relative`:                 {WorkspaceDir: "a/b", Purpose: events.PurposeEval},
		"workspaceDir: " + file + "x is not there":        {WorkspaceDir: file + "x", Purpose: events.PurposeEval},
		"workspaceDir: " + file + " is no folder":         {WorkspaceDir: file, Purpose: events.PurposeEval},
		"workspace file in.txt: has no place":             {WorkspaceDir: dir, Purpose: events.PurposeEval, Files: []actors.File{{Path: "in.txt"}}},
		`no tool is called "pusch"; did you mean push?`:   {Stubs: stub("pusch"), Purpose: events.PurposeEval},
		"stubs: task cannot be stubbed":                   {Stubs: stub("task"), Purpose: events.PurposeEval},
		"stubs: the stub of push is nil":                  {Stubs: map[string]agent.Stub{"push": nil}, Purpose: events.PurposeEval},
	} {
		s.Agent, s.Principal, s.Message = "tester", local, "x"
		if _, err := h.host.StartSession(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if n := h.journal.Position(); n != 0 {
		t.Errorf("%d events are there", n)
	}
}

// "tool stubs … recorded as `stubbed`": the call is prepared as always, then the stub
// answers, in subagents too, and the tool does not run.
func TestEvalSession_Stubs(t *testing.T) {
	t.Parallel()
	h := newEvals(t, nil)
	var heard []string
	s := evalOf("go")
	s.Stubs = map[string]agent.Stub{
		"push": saying("pushed", &heard), "write": saying("wrote", &heard), "look": saying("looked", &heard),
		"long": func(context.Context, *agent.Call) (json.RawMessage, error) { return nil, errors.New("too long") },
	}
	// Several stubs of one step run side by side, and keep what they hear in turn.
	var turn = make(chan struct{}, 1)
	for name, stub := range s.Stubs {
		s.Stubs[name] = func(ctx context.Context, c *agent.Call) (json.RawMessage, error) {
			turn <- struct{}{}
			defer func() { <-turn }()
			return stub(ctx, c)
		}
	}
	a := h.startWith(s)
	h.rest(a.SessionID, "waiting")
	got := h.results(a.SessionID)
	slices.Sort(got)
	want := []string{
		`long tool_error true "too long"`, `look true "looked"`, `push true "pushed"`, `push true "pushed"`, `task false "done"`, `write true "wrote"`,
	}
	if got = slices.DeleteFunc(got, func(r string) bool { return strings.HasPrefix(r, "look invalid_input false") }); !slices.Equal(got, want) {
		t.Errorf("results are %q, want %q", got, want)
	}
	slices.Sort(heard)
	if want := []string{`look{"n":1}eval`, `push{"what":"a"}eval`, `push{"what":"b"}eval`, `write{"path":"f","content":"x"}eval`}; !slices.Equal(heard, want) {
		t.Errorf("stubs heard %q, want %q", heard, want)
	}
	if h.effects.Load() != 0 {
		t.Error("a tool ran")
	}
	start := h.log(a.SessionID)[0].Data.(*events.SessionStarted)
	if want := []string{"long", "look", "push", "write"}; !slices.Equal(start.Stubs, want) {
		t.Errorf("the log names %q", start.Stubs)
	}
}

// "needsApproval" and "asOf" hold for a stubbed tool as for every other.
func TestEvalSession_StubsArePrepared(t *testing.T) {
	t.Parallel()
	h := newEvals(t, nil)
	var heard []string
	s := evalOf("gated")
	s.Stubs = map[string]agent.Stub{"merge": saying("merged", &heard)}
	a := h.startWith(s)
	h.rest(a.SessionID, "parked")
	call := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested).CallID
	if len(heard) > 0 {
		t.Error("it was called before its approval")
	}
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, call, actors.Decision{Decision: "approve", By: local}); err != nil {
		t.Fatal(err)
	}
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"Merge says merged."` {
		t.Errorf("got %s", out.Result)
	}

	asOf := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s = evalOf("dated")
	s.AsOf, s.DryRun, heard = &asOf, true, nil
	s.Stubs = map[string]agent.Stub{"timedpush": saying("pushed", &heard)}
	a = h.startWith(s)
	h.rest(a.SessionID, "waiting")
	got := h.results(a.SessionID)
	slices.Sort(got)
	if len(got) != 3 || got[0] != `push true {"stubbed":true}` || !strings.HasPrefix(got[1], "timedpush as_of false") || got[2] != `timedpush true "pushed"` || h.effects.Load() != 0 {
		t.Errorf("results are %q", got)
	}
}

// "after a restart a stubbed tool without its stub in memory never runs", nor does it
// when the stubs were freed.
func TestEvalSession_StubIsGone(t *testing.T) {
	t.Parallel()
	h := newEvals(t, nil)
	s := evalOf("slow")
	s.ChannelID = "http" // whose turns are run on
	began := make(chan struct{})
	s.Stubs = map[string]agent.Stub{"slowpush": func(ctx context.Context, _ *agent.Call) (json.RawMessage, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	a := h.startWith(s)
	<-began
	h.restart()
	h.rest(a.SessionID, "waiting")
	const gone = `slowpush tool_error true "the tool is stubbed in this session, and the stub ended with the eval that gave it: the tool itself is not run"`
	if got := h.results(a.SessionID); !slices.Equal(got, []string{gone}) || len(h.started) > 0 {
		t.Errorf("results are %q", got)
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "slow"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")

	var heard []string
	s = evalOf("slow")
	s.Stubs = map[string]agent.Stub{"slowpush": saying("pushed", &heard)}
	b := h.startWith(s)
	h.rest(b.SessionID, "waiting")
	h.host.FreeStubs(b.SessionID)
	if _, err := h.host.Send(t.Context(), b.SessionID, actors.Message{Text: "slow"}); err != nil {
		t.Fatal(err)
	}
	h.rest(b.SessionID, "waiting")
	if got := h.results(b.SessionID); !slices.Equal(got, []string{`slowpush true "pushed"`, gone}) || len(h.started) > 0 {
		t.Errorf("results are %q", got)
	}
}

// Tools of connections are stubbed by the names that the model sees, and are not called.
func TestEvalSession_StubsOfConnections(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true})
	var heard []string
	n := evalOf("write")
	n.Stubs = map[string]agent.Stub{"files__write": saying("written", &heard)}
	a := h.startWith(n)
	h.rest(a.SessionID, "waiting")
	if got := h.results(a.SessionID); len(got) != 1 || got[0] != `files__write true "written"` || s.writes.Load() != 0 {
		t.Errorf("results are %q, %d writes", got, s.writes.Load())
	}
	n.Stubs = map[string]agent.Stub{"files__wride": saying("written", &heard)}
	if _, err := h.host.StartSession(t.Context(), n); err == nil || !strings.Contains(err.Error(), "did you mean files__write") {
		t.Errorf("got %v", err)
	}
}

// What an eval asks of another agent is no live traffic either.
func TestEvalSession_Peers(t *testing.T) {
	t.Parallel()
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "me", Agent: "tester", Advertise: true})
	a := h.startWith(evalOf("ask hello"))
	h.rest(a.SessionID, "waiting")
	peer := peerSession(h.until(a.SessionID, "action.result").Data.(*events.ActionResult).Output)
	if info, err := h.host.Session(t.Context(), peer); err != nil || info.Purpose != events.PurposeEval || info.ChannelID != "mcp" {
		t.Errorf("the peer's session is %+v, %v", info, err)
	}
}

// byName resolves every model to one that plays the script, under its own name.
type byName struct{ m model.Model }

func (b byName) Resolve(ref model.Ref) (model.Resolved, error) {
	if ref.ID == "missing" {
		return model.Resolved{}, &model.Error{Message: "there is no such model", Code: events.FailModel}
	}
	return model.Resolved{Model: b.m, Name: "x/" + ref.ID, Request: ref.ID, Window: len(ref.ID)}, nil
}

type priceOf map[string]int64

func (p priceOf) Price(name string, u events.Usage) (int64, bool) {
	each, ok := p[name]
	return each * u.Total(), ok
}

// "Model: an id that replaces the agent's for this session and its subagents", in the
// request, the log, the price, and after a restart.
func TestEvalSession_Model(t *testing.T) {
	t.Parallel()
	script, err := scripted.Parse("script.yaml", []byte(evalScript))
	if err != nil {
		t.Fatal(err)
	}
	asked := &requests{Model: scripted.New(script)}
	h := newShapedHouse(t, actors.Options{ModelID: "hosts", Models: byName{asked}, Prices: priceOf{"x/hosts": 1e6, "x/mine": 3e6}}, evalScript, func(a *agent.Agent) {
		a.Subagents, a.Model = crew, agent.Model{ID: "agents", Params: []agent.Param{{ID: "effort", Value: "low"}}}
	})
	s := evalOf("go")
	s.Model = "mine"
	a := h.startWith(s)
	h.rest(a.SessionID, "waiting")
	h.restart()
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	for _, r := range asked.all {
		if r.Model != "mine" || r.Params["effort"] != "low" {
			t.Errorf("asked was %s with %v", r.Model, r.Params)
		}
	}
	turns := 0
	for _, e := range h.log(a.SessionID) {
		switch d := e.Data.(type) {
		case *events.TurnStarted:
			if turns++; d.Model != "x/mine" {
				t.Errorf("the turn's model is %s", d.Model)
			}
		case *events.StepStarted:
			if d.Model != "" {
				t.Errorf("a step's model is %s", d.Model)
			}
		case *events.TurnCompleted:
			if want := float64(d.Usage.Total()) * 3e-6; d.Cost == nil || fmt.Sprint(d.Cost.TotalUSD) != fmt.Sprint(want) {
				t.Errorf("it costs %+v, want %v", d.Cost, want)
			}
		}
	}
	if start := h.log(a.SessionID)[0].Data.(*events.SessionStarted); turns != 2 || start.Model != "mine" {
		t.Errorf("%d turns, the log says %q", turns, start.Model)
	}
	s.Model = "missing"
	b := h.startWith(s)
	h.rest(b.SessionID, "waiting")
	if d := h.until(b.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailModel || d.Message != "there is no such model" {
		t.Errorf("got %+v", d)
	}
}

// brittle breaks when it is asked for the first time.
type brittle struct{ asked atomic.Bool }

// Price is model.Prices'.
func (b *brittle) Price(string, events.Usage) (int64, bool) {
	if !b.asked.Swap(true) {
		panic("no price")
	}
	return 0, true
}

// A fault of the host in the middle does not make an eval's turn one that goes on.
func TestEvalSession_EndsOverAFault(t *testing.T) {
	t.Parallel()
	h := newEvals(t, nil)
	a := h.startWith(evalOf("slow"))
	<-h.started
	h.opts.Prices = &brittle{}
	h.restart()
	h.rest(a.SessionID, "waiting")
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Status != events.StatusCancelled || !h.opts.Prices.(*brittle).asked.Load() {
		t.Errorf("the turn failed with %+v", d)
	}
}

// "an open turn of a session with channel eval is cancelled when a host starts", parked or
// not, with what waits behind it, and no model is asked; a session of another channel is
// run on.
func TestEvalSession_EndsWithItsHost(t *testing.T) {
	t.Parallel()
	for _, stop := range []func(*house){(*house).restart, (*house).crash} {
		h := newEvals(t, nil)
		steps, parked := h.startWith(evalOf("stall")), h.startWith(evalOf("gated"))
		runs := h.startWith(evalOf("slow"))
		<-h.started
		s := evalOf("slow")
		var heard []string
		gate := make(chan struct{})
		s.Stubs = map[string]agent.Stub{"slowpush": func(ctx context.Context, _ *agent.Call) (json.RawMessage, error) {
			close(gate)
			<-ctx.Done()
			return nil, ctx.Err()
		}, "push": saying("", &heard)}
		stubbed := h.startWith(s)
		<-gate
		h.until(steps.SessionID, "step.started")
		h.rest(parked.SessionID, "parked")
		if _, err := h.host.Send(t.Context(), steps.SessionID, actors.Message{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		live := evalOf("hello")
		live.ChannelID, live.Message = "http", "stall"
		other := h.startWith(live)
		h.until(other.SessionID, "step.started")
		h.script = `[{ when: "", steps: [{ say: back }] }]`
		stop(h)
		h.rest(other.SessionID, "waiting")
		cancelled := []string{`turn.failed cancelled stopped`, "session.waiting"}
		for id, want := range map[string][]string{
			steps.SessionID:   append([]string{`turn.failed cancelled stopped`}, cancelled...),
			parked.SessionID:  append([]string{"input.resolved cancelled", `action.result merge "cancelled before it ran" cancelled`}, cancelled...),
			runs.SessionID:    append([]string{`action.result slowpush "cancelled while it ran: whether it took effect is unknown" outcome_unknown`}, cancelled...),
			stubbed.SessionID: append([]string{`action.result slowpush "cancelled before it finished" cancelled`}, cancelled...),
		} {
			h.until(id, "turn.failed") // one that is parked rests as well
			h.rest(id, "waiting")
			if story := h.raw(id); !strings.HasSuffix(story, "\n"+strings.Join(want, "\n")+"\n") {
				t.Errorf("the story ends otherwise than with %q:\n%s", want, story)
			}
			if d := h.until(id, "turn.failed").Data.(*events.TurnFailed); d.Message != "the eval that asked has ended: its host stopped" {
				t.Errorf("the message is %q", d.Message)
			}
		}
		if n := len(h.requests.all); n != 1 { // of the other session
			t.Errorf("%d requests were made", n)
		}
		if mark, err := h.journal.Mark(parked.SessionID); err != nil || mark != nil {
			t.Errorf("something is still open: %s, %v", mark, err)
		}
	}
}

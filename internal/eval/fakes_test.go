package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// A testProgram is a Program whose tests are Go functions, by the id of their case.
type testProgram struct {
	tests  map[string]func(t *testRun) (*Record, error)
	report func(ctx context.Context, r Reporter, method string, argument json.RawMessage) error

	mu     sync.Mutex
	closed int
}

// A testRun is what one test is given.
type testRun struct {
	ctx     context.Context
	c       *Case
	judge   json.RawMessage
	timeout time.Duration
	d       Driver
}

func (p *testProgram) Run(ctx context.Context, c *Case, judge json.RawMessage, timeout time.Duration, d Driver) (*Record, error) {
	f := p.tests[c.ID]
	if f == nil {
		f = p.tests["*"]
	}
	return f(&testRun{ctx, c, judge, timeout, d})
}

func (p *testProgram) Report(ctx context.Context, r Reporter, method string, argument json.RawMessage) error {
	return p.report(ctx, r, method, argument)
}

func (p *testProgram) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed++
	return nil
}

// says sends a message and passes when that gives a turn.
func says(t *testRun) (*Record, error) {
	if _, err := t.d.Send(t.ctx, "hello", SendOptions{}); err != nil {
		return threw(err), nil
	}
	return holds(), nil
}

func threw(err error) *Record {
	return &Record{Error: &Fault{Kind: FaultTest, Message: err.Error(), Place: "evals/a.eval.ts:3:5"}}
}

func holds() *Record {
	return &Record{Assertions: []Assertion{{Name: "notCalledTool(\"x\")", Severity: Gate, Threshold: 1, Score: 1, Passed: true}}}
}

func misses(severity string) *Record {
	return &Record{Assertions: []Assertion{{Name: "succeeded()", Severity: severity, Threshold: 1, Message: "it failed"}}}
}

// untilOver runs until it is brought to its end.
func untilOver(t *testRun) (*Record, error) {
	<-t.ctx.Done()
	return misses(Soft), context.Cause(t.ctx)
}

// A testTarget opens sessions that answer at once.
type testTarget struct {
	send  func(ctx context.Context, s *testSession, message string) (*Turn, error)
	judge func() (*Judgement, error)
	open  func(OpenOptions) Session
	close func(ctx context.Context, s *testSession) error

	mu       sync.Mutex
	sessions []*testSession
}

type testSession struct {
	t     *testTarget
	o     OpenOptions
	turns int

	mu     sync.Mutex
	closed int
	lines  []json.RawMessage
	spent  Spent
}

func (t *testTarget) Open(o OpenOptions) Session {
	if t.open != nil {
		return t.open(o)
	}
	s := &testSession{t: t, o: o, spent: noneSpent()}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sessions = append(t.sessions, s)
	return s
}

// closed says how often each session was closed, by the title.
func (t *testTarget) closed() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string]int{}
	for _, s := range t.sessions {
		out[s.o.Title] = s.closed
	}
	return out
}

func (s *testSession) Send(ctx context.Context, message string, _ SendOptions) (*Turn, error) {
	if s.t.send != nil {
		return s.t.send(ctx, s, message)
	}
	return s.turn(TurnFinished, "re: "+message), nil
}

// turn is one that ended, with its events.
func (s *testSession) turn(status, reply string) *Turn {
	s.turns++
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprintf("turn_%d", s.turns)
	s.lines = append(s.lines, line(id, &events.TurnStarted{Model: "m"}), line(id, &events.MessageCompleted{Text: reply}))
	s.spent.Steps++
	s.spent.Usage.InputTokens += 10
	cost := *s.spent.CostUSD + 0.5
	s.spent.CostUSD = &cost
	return &Turn{SessionID: "ses_" + s.o.Title, TurnID: id, Index: s.turns, Status: status, Message: reply}
}

func line(turn string, data events.Payload) json.RawMessage {
	e := events.New(turn, time.Unix(0, 0), data)
	e.SessionID = "ses_x"
	b, err := events.AppendLine(nil, &e)
	if err != nil {
		panic(err)
	}
	return b
}

func (s *testSession) Decide(_ context.Context, _ string, approve bool, _ string) (*Turn, error) {
	s.turns--
	return s.turn(TurnFinished, fmt.Sprint("decided ", approve)), nil
}

func (s *testSession) Judge(context.Context, string, json.RawMessage) (*Judgement, error) {
	if s.t.judge != nil {
		return s.t.judge()
	}
	return &Judgement{Text: "1", Model: "judge"}, nil
}

func (s *testSession) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed++
	s.mu.Unlock()
	if s.t.close != nil {
		return s.t.close(ctx, s)
	}
	return nil
}

func (s *testSession) Events() ([]json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines), nil
}

func (s *testSession) Spent() Spent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent
}

// suiteOf is a suite of cases that all run f.
func suiteOf(f func(*testRun) (*Record, error), ids ...string) *Suite {
	s := &Suite{Dir: "/project", Config: &Config{MaxConcurrency: 4}, Program: &testProgram{tests: map[string]func(*testRun) (*Record, error){"*": f}}}
	for _, id := range ids {
		s.Cases = append(s.Cases, &Case{ID: id, File: "evals/" + id + ".eval.ts", Iteration: 1, Iterations: 1})
	}
	return s
}

func (s *Suite) program() *testProgram { return s.Program.(*testProgram) }

func runSuite(t *testing.T, s *Suite, target *testTarget, o RunOptions) *Run {
	t.Helper()
	r, err := (&Runner{Suite: s, Target: target, Agent: "a"}).Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// one runs a suite of a single case and gives its result.
func one(t *testing.T, target *testTarget, f func(*testRun) (*Record, error)) *Result {
	t.Helper()
	r := runSuite(t, suiteOf(f, "a"), target, RunOptions{})
	if len(r.Results) != 1 {
		t.Fatalf("%d results", len(r.Results))
	}
	return r.Results[0]
}

// A testObserver writes down what it is told.
type testObserver struct {
	name string
	fail string // the call that fails
	mu   sync.Mutex
	said []string
	run  *Run
}

func (o *testObserver) String() string { return o.name }

func (o *testObserver) say(text string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.said = append(o.said, text)
	if o.fail == text {
		return errors.New("no room for " + text)
	}
	return nil
}

func (o *testObserver) RunStarted(*Run) error     { return o.say("run started") }
func (o *testObserver) CaseStarted(c *Case) error { return o.say("started " + c.ID) }
func (o *testObserver) CaseEnded(r *Result) error { return o.say("ended " + r.ID + " " + r.Verdict) }
func (o *testObserver) RunEnded(r *Run) error     { o.run = r; return o.say("run ended " + r.Status) }

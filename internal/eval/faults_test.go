package eval

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// C64: "Eval with only notCalledTool / not-contains assertions while the model returns 500:
// case failed (error)". It fails whatever it asserts, also where the test never looks.
func TestFault_BrokenTurnIsNeverAPass(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func(*Turn, error) (*Record, error){
		"all assertions hold": func(*Turn, error) (*Record, error) { return holds(), nil },
		"the test threw":      func(*Turn, error) (*Record, error) { return threw(errors.New("expectOk: it failed")), nil },
		"the test skips":      func(*Turn, error) (*Record, error) { s := "x"; return &Record{Skip: &s}, nil },
	} {
		target := &testTarget{send: func(_ context.Context, s *testSession, _ string) (*Turn, error) {
			turn := s.turn(TurnFailed, "")
			turn.Broken, turn.Error, turn.Code = s.turns == 1, "500 from the provider", "model_error"
			return turn, nil
		}}
		r := one(t, target, func(r *testRun) (*Record, error) {
			turn, err := r.d.Send(r.ctx, "a", SendOptions{})
			_, _ = r.d.Send(r.ctx, "b", SendOptions{}) // a later turn does not make up for it
			return after(turn, err)
		})
		if r.Verdict != Failed || r.Error == nil || r.Error.Kind != FaultTurn || r.Error.Message != "turn 1 broke off: 500 from the provider (model_error)" {
			t.Errorf("%s: %s, %+v", name, r.Verdict, r.Error)
		}
	}
	// a turn that failed by what the agent did is the test's to judge
	target := &testTarget{send: func(_ context.Context, s *testSession, _ string) (*Turn, error) { return s.turn(TurnFailed, ""), nil }}
	if r := one(t, target, says); r.Verdict != Passed {
		t.Errorf("%s, %+v", r.Verdict, r.Error)
	}
}

// C85: "Case that never ends with timeoutMs 200: verdict failed with timeout; cancel stops the turn".
func TestFault_TimeIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopped := false
		target := &testTarget{}
		target.send = func(ctx context.Context, s *testSession, _ string) (*Turn, error) {
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Errorf("the cause is %v", context.Cause(ctx))
			}
			return nil, context.Cause(ctx)
		}
		target.close = func(ctx context.Context, s *testSession) error {
			if s.o.Title == "slow" {
				stopped = true
			}
			return ctx.Err()
		}
		s := suiteOf(func(r *testRun) (*Record, error) {
			if r.timeout != 200*time.Millisecond {
				t.Errorf("the test is told %s", r.timeout)
			}
			_, err := r.d.Send(r.ctx, "go", SendOptions{})
			return &Record{Assertions: misses(Soft).Assertions, Error: threw(err).Error}, context.Cause(r.ctx)
		}, "slow", "fine")
		s.Cases[0].Timeout = 200 * time.Millisecond
		s.program().tests["fine"] = func(*testRun) (*Record, error) { return holds(), nil }
		run := runSuite(t, s, target, RunOptions{Timeout: time.Hour})
		r := run.Results[0]
		if r.Verdict != Failed || r.Error.Kind != FaultTimeout || r.DurationMs != 200 || len(r.Assertions) != 1 || !stopped {
			t.Errorf("%+v, %+v, stopped %v", r, r.Error, stopped)
		}
		if want := "the case took longer than its time limit of 200ms and was stopped"; r.Error.Message != want {
			t.Errorf("message %q", r.Error.Message)
		}
		if run.Status != RunCompleted || run.Results[1].Verdict != Passed || run.Green(false) {
			t.Errorf("run %+v", run)
		}
	})
}

// A test that ends well after its time has still taken too long.
func TestFault_TestThatShrugsOffTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := suiteOf(func(r *testRun) (*Record, error) { <-r.ctx.Done(); return holds(), nil }, "a")
		if r := runSuite(t, s, &testTarget{}, RunOptions{Timeout: time.Second}).Results[0]; r.Verdict != Failed || r.Error.Kind != FaultTimeout {
			t.Errorf("%s, %+v", r.Verdict, r.Error)
		}
	})
}

// A test that runs on without awaiting takes the time of all others: both are told.
func TestFault_TimeThatAnotherTook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for by, want := range map[string]string{
			"a": "was stopped; its test ran on without awaiting, and all others waited for it",
			"b": "was stopped; it waited for b, which ran on without awaiting",
			"":  "was stopped",
		} {
			s := suiteOf(func(r *testRun) (*Record, error) {
				<-r.ctx.Done()
				return &Record{HeldBy: by}, context.Cause(r.ctx)
			}, "a")
			if r := runSuite(t, s, &testTarget{}, RunOptions{Timeout: time.Second}).Results[0]; !strings.HasSuffix(r.Error.Message, want) {
				t.Errorf("%q: %+v", by, r.Error)
			}
		}
	})
}

// A program that does not come back is left behind; the case fails and the others go on.
func TestFault_TestThatNeverStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		s := suiteOf(func(r *testRun) (*Record, error) { <-release; return holds(), nil }, "stuck", "fine")
		s.program().tests["fine"] = says
		s.Config.MaxConcurrency = 1
		target := &testTarget{}
		run := runSuite(t, s, target, RunOptions{Timeout: time.Second})
		r := run.Results[0]
		if r.Verdict != Failed || r.Error.Kind != FaultTimeout || !strings.Contains(r.Error.Message, "did not stop") || target.closed()["stuck"] != 1 {
			t.Errorf("%s, %+v", r.Verdict, r.Error)
		}
		if run.Results[1].Verdict != Passed {
			t.Errorf("%+v", run.Results[1])
		}
	})
}

// Faults of what a run stands on are failed cases, never a pass: each is tried with a test
// whose assertions all hold and that catches what it can.
func TestFault_Infrastructure(t *testing.T) {
	t.Parallel()
	lost := errors.New("the disk is full")
	caught := func(r *testRun) (*Record, error) { _, _ = r.d.Send(r.ctx, "x", SendOptions{}); return holds(), nil }
	judged := func(r *testRun) (*Record, error) {
		_, _ = r.d.Judge(r.ctx, "x", nil)
		return holds(), nil
	}
	send := func(f func() (*Turn, error)) *testTarget {
		return &testTarget{send: func(context.Context, *testSession, string) (*Turn, error) { return f() }}
	}
	for name, c := range map[string]struct {
		target     *testTarget
		test       func(*testRun) (*Record, error)
		kind, text string
	}{
		"the program fails":         {&testTarget{}, func(*testRun) (*Record, error) { return holds(), lost }, FaultHost, "running the test: the disk is full"},
		"the program panics":        {&testTarget{}, func(*testRun) (*Record, error) { panic("oh") }, FaultHost, "it panicked: oh"},
		"no record":                 {&testTarget{}, func(*testRun) (*Record, error) { return nil, nil }, FaultHost, "no record"},
		"the test throws":           {&testTarget{}, func(*testRun) (*Record, error) { return threw(lost), nil }, FaultTest, "the disk is full"},
		"a fault without a kind":    {&testTarget{}, func(*testRun) (*Record, error) { return &Record{Error: &Fault{Message: "m"}}, nil }, FaultTest, "m"},
		"a send fails, caught":      {send(func() (*Turn, error) { return nil, lost }), caught, FaultHost, "the session: the disk is full"},
		"a send fails, thrown":      {send(func() (*Turn, error) { return nil, lost }), says, FaultTest, "the disk is full"},
		"a slip, thrown":            {send(func() (*Turn, error) { return nil, &MisuseError{lost} }), says, FaultTest, "the disk is full"},
		"a send panics":             {send(func() (*Turn, error) { panic("oh") }), caught, FaultHost, "it panicked: oh"},
		"a send gives nothing":      {send(func() (*Turn, error) { return nil, nil }), caught, FaultHost, "no turn"},
		"a judge fails, caught":     {&testTarget{judge: func() (*Judgement, error) { return nil, lost }}, judged, FaultJudge, "the judge: the disk is full"},
		"a judge panics":            {&testTarget{judge: func() (*Judgement, error) { panic("oh") }}, judged, FaultJudge, "it panicked: oh"},
		"a judge gives nothing":     {&testTarget{judge: func() (*Judgement, error) { return nil, nil }}, judged, FaultJudge, "no reply"},
		"no session":                {&testTarget{open: func(OpenOptions) Session { return nil }}, caught, FaultHost, "opening a session: there is none"},
		"opening panics":            {&testTarget{open: func(OpenOptions) Session { panic("oh") }}, caught, FaultHost, "it panicked: oh"},
		"closing fails":             {&testTarget{close: func(context.Context, *testSession) error { return lost }}, caught, FaultHost, "ending the session: the disk is full"},
		"closing panics":            {&testTarget{close: func(context.Context, *testSession) error { panic("oh") }}, caught, FaultHost, "it panicked: oh"},
		"its events are lost":       {&testTarget{open: func(OpenOptions) Session { return lostEvents{&testSession{t: &testTarget{}, spent: noneSpent()}} }}, caught, FaultHost, "reading what the session did"},
		"what it spent is lost":     {&testTarget{open: func(OpenOptions) Session { return lostSpent{&testSession{t: &testTarget{}, spent: noneSpent()}} }}, caught, FaultHost, "it panicked: oh"},
		"the first fault is said":   {&testTarget{close: func(context.Context, *testSession) error { return lost }}, func(*testRun) (*Record, error) { return threw(errors.New("first")), nil }, FaultTest, "first"},
		"a throw keeps its place":   {&testTarget{}, func(*testRun) (*Record, error) { return threw(lost), nil }, FaultTest, "disk"},
		"the program's clock":       {&testTarget{}, func(*testRun) (*Record, error) { return &Record{Error: &Fault{Kind: FaultTimeout, Message: "m"}}, nil }, FaultTimeout, "its time limit of 3m0s and was stopped"},
		"a suite without a program": {nil, nil, FaultHost, "no program"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := suiteOf(c.test, "a", "b")
			s.program().tests["b"] = func(*testRun) (*Record, error) { return holds(), nil }
			if c.target == nil {
				s.Program, c.target = nil, &testTarget{}
			}
			r := runSuite(t, s, c.target, RunOptions{}).Results[0]
			if r.Verdict != Failed || r.Error == nil || r.Error.Kind != c.kind || !strings.Contains(r.Error.Message, c.text) {
				t.Errorf("%s, %+v", r.Verdict, r.Error)
			}
			if r.Error.Kind == FaultTest && r.Error.Message == lost.Error() && r.Error.Place != "evals/a.eval.ts:3:5" {
				t.Errorf("place %q", r.Error.Place)
			}
		})
	}
}

type lostEvents struct{ *testSession }

func (lostEvents) Events() ([]json.RawMessage, error) { return nil, errors.New("gone") }

type lostSpent struct{ *testSession }

func (lostSpent) Spent() Spent { panic("oh") }

// A session that does not come to rest is given up on after a bound.
func TestFault_SessionThatNeverRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		target := &testTarget{close: func(ctx context.Context, _ *testSession) error { <-ctx.Done(); return context.Cause(ctx) }}
		if r := one(t, target, says); r.Verdict != Failed || !strings.Contains(r.Error.Message, "ending the session: it took longer than its 30s") {
			t.Errorf("%s, %+v", r.Verdict, r.Error)
		}
	})
}

// A session is closed, its turn stopped, however its case ended, once.
func TestSession_IsClosedHoweverTheCaseEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		target := &testTarget{}
		s := suiteOf(says, "passed", "threw", "timeout", "panicked", "skipped", "cancelled")
		tests := s.program().tests
		tests["threw"] = func(*testRun) (*Record, error) { return threw(errors.New("x")), nil }
		tests["timeout"] = untilOver
		tests["panicked"] = func(*testRun) (*Record, error) { panic("x") }
		tests["skipped"] = func(*testRun) (*Record, error) { why := "x"; return &Record{Skip: &why}, nil }
		tests["cancelled"] = untilOver
		s.Cases[2].Timeout = time.Second
		s.Config.MaxConcurrency = 6
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(time.Minute, cancel).Stop()
		target.close = func(ctx context.Context, s *testSession) error { return ctx.Err() } // it still has time
		run, err := (&Runner{Suite: s, Target: target}).Run(ctx, RunOptions{Timeout: time.Hour})
		if err != nil || run.Totals.Done != 6 {
			t.Fatal(run, err)
		}
		for id, n := range target.closed() {
			if n != 1 {
				t.Errorf("%s was closed %d times", id, n)
			}
		}
		if got := run.Results[5].Error; got == nil || got.Kind != FaultStopped {
			t.Errorf("cancelled: %+v", got)
		}
	})
}

// What a test may not do with its session it is told, and may catch.
func TestWatched_MisuseIsTheTests(t *testing.T) {
	t.Parallel()
	target := &testTarget{send: func(_ context.Context, s *testSession, m string) (*Turn, error) { return s.turn(TurnParked, m), nil }}
	var said []string
	r := one(t, target, func(r *testRun) (*Record, error) {
		say := func(_ *Turn, err error) {
			if err != nil {
				said = append(said, err.Error())
			}
		}
		say(r.d.Decide(r.ctx, "", true, ""))
		say(r.d.Send(r.ctx, "one", SendOptions{WorkspaceDir: "/x"}))
		say(r.d.Send(r.ctx, "two", SendOptions{}))
		say(r.d.Decide(r.ctx, "", true, ""))
		say(r.d.Send(r.ctx, "three", SendOptions{WorkspaceDir: "/x"}))
		return holds(), nil
	})
	if r.Verdict != Passed || len(said) != 3 || !strings.Contains(said[0], "nothing waits") || !strings.Contains(said[1], "t.approve()") || !strings.Contains(said[2], "first message") {
		t.Errorf("%s, %+v, said %q", r.Verdict, r.Error, said)
	}
	if len(r.Inputs) != 1 || r.FinalText != "decided true" {
		t.Errorf("inputs %q, text %q", r.Inputs, r.FinalText)
	}
}

// What broke before the time was over is said as well.
func TestFault_BrokenTurnBeforeTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		target := &testTarget{send: func(_ context.Context, s *testSession, _ string) (*Turn, error) {
			turn := s.turn(TurnFailed, "")
			turn.Broken = true
			return turn, nil
		}}
		r := one(t, target, func(r *testRun) (*Record, error) {
			_, _ = r.d.Send(r.ctx, "a", SendOptions{})
			return untilOver(r)
		})
		if r.Error.Kind != FaultTimeout || !strings.HasSuffix(r.Error.Message, "was stopped; before that turn 1 broke off: no reason was given") {
			t.Errorf("%+v", r.Error)
		}
	})
}

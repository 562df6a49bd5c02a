package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// "Custom reporters can expose onRunStart, onEvalComplete, and onRunComplete": in this
// order, each awaited, with the run or the result as JSON.
func TestReporter_CustomInOrder(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "a", "b")
	s.Config.MaxConcurrency = 1
	s.Config.Reporters = []Reporter{{Kind: ReporterCustom, Ref: Ref{Module: "evals/evals.config.ts"}}}
	var told []string
	s.program().report = func(_ context.Context, _ Reporter, method string, argument json.RawMessage) error {
		var a struct {
			ID, RunID, Status, Verdict string
			Totals                     struct{ Cases, Done int }
			Results                    []struct{ ID string }
		}
		if err := json.Unmarshal(argument, &a); err != nil {
			return err
		}
		told = append(told, fmt.Sprint(method, " ", a.ID, a.Verdict, a.Status, a.Totals, len(a.Results), a.RunID != ""))
		return nil
	}
	run := runSuite(t, s, &testTarget{}, RunOptions{})
	want := []string{"onRunStart running{2 0} 0 true", "onEvalComplete apassed{0 0} 0 false", "onEvalComplete bpassed{0 0} 0 false", "onRunComplete completed{2 2} 2 true"}
	if !slices.Equal(told, want) || run.Error != "" {
		t.Errorf("told %q, error %q", told, run.Error)
	}
}

// "case reporters add to the file's reporters": a reporter is told of the cases that name
// it, and of the run as far as they go; the same words are one reporter.
func TestReporter_OfFilesAndCases(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "a", "b", "c")
	junit := func(module string) Reporter {
		return Reporter{Kind: ReporterJUnit, FilePath: "r.xml", Ref: Ref{Module: module}}
	}
	s.Config.Reporters = []Reporter{{Kind: ReporterArtifacts, Dir: "all"}}
	s.Cases[0].Reporters = []Reporter{junit("a")}
	s.Cases[1].Reporters = []Reporter{junit("b"), {Kind: ReporterJUnit, FilePath: "other.xml"}}
	s.Cases[2].Reporters = []Reporter{{Kind: ReporterArtifacts, Dir: "all"}}
	s.Broken = []Broken{{"bad", "x"}}
	made := map[string]*testObserver{}
	r := &Runner{Suite: s, Target: &testTarget{}, FileReporter: func(r Reporter) (Observer, error) {
		if made[r.String()] != nil {
			t.Errorf("%s was made twice", r.String())
		}
		made[r.String()] = &testObserver{}
		return made[r.String()], nil
	}}
	if run, err := r.Run(t.Context(), RunOptions{}); err != nil || run.Error != "" {
		t.Fatal(run, err)
	}
	for name, want := range map[string]string{
		`the reporter JUnit("r.xml")`:     "2 of 2: [a b]",
		`the reporter JUnit("other.xml")`: "1 of 1: [b]",
		`the reporter Artifacts("all")`:   "4 of 4: [bad a b c]",
	} {
		o := made[name]
		if o == nil || o.run == nil {
			t.Fatalf("%s: %+v", name, o)
		}
		var ids, ended []string
		for _, res := range o.run.Results {
			ids = append(ids, res.ID)
		}
		for _, said := range o.said {
			if strings.HasPrefix(said, "ended") {
				ended = append(ended, said)
			}
		}
		got := fmt.Sprintf("%d of %d: %v", o.run.Totals.Done, o.run.Totals.Cases, ids)
		if got != want || len(ended) != len(ids) || o.said[0] != "run started" {
			t.Errorf("%s: %s, said %v", name, got, o.said)
		}
	}
}

// C85: "reporter that throws": said, recorded, the run is not green, and goes on; a
// reporter that follows knows of it.
func TestReporter_ThatFails(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"run started", "started a", "ended a passed", "run ended completed"} {
		bad, good := &testObserver{name: "bad", fail: call}, &testObserver{name: "good"}
		run := runSuite(t, suiteOf(says, "a", "b"), &testTarget{}, RunOptions{Observers: []Observer{bad, good}})
		if want := "bad: no room for " + call; run.Error != want || good.run.Error != want || run.Green(false) {
			t.Errorf("%s: error %q, and for the next %q", call, run.Error, good.run.Error)
		}
		if run.Status != RunCompleted || run.Totals.Passed != 2 || len(bad.said) != 6 || len(good.said) != 6 {
			t.Errorf("%s: run %+v, bad %v", call, run, bad.said)
		}
	}
	run := runSuite(t, suiteOf(says, "a"), &testTarget{}, RunOptions{Observers: []Observer{panics{}}})
	if run.Error != "an observer: it panicked: at a result" || run.Totals.Passed != 1 {
		t.Errorf("run %+v", run)
	}
}

type panics struct{ Silent }

func (panics) CaseEnded(*Result) error { panic("at a result") }

func TestReporter_ThatCannotBeMade(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "a")
	s.Config.Reporters = []Reporter{{Kind: ReporterJUnit, FilePath: "r.xml"}}
	for name, c := range map[string]struct {
		make func(Reporter) (Observer, error)
		want string
	}{
		"nobody makes it": {nil, `the reporter JUnit("r.xml"): files of reporters are not written here`},
		"an error":        {func(Reporter) (Observer, error) { return nil, errors.New("no such folder") }, `the reporter JUnit("r.xml"): no such folder`},
		"a panic":         {func(Reporter) (Observer, error) { panic("x") }, `the reporter JUnit("r.xml"): it panicked: x`},
	} {
		run, err := (&Runner{Suite: s, Target: &testTarget{}, FileReporter: c.make}).Run(t.Context(), RunOptions{})
		if err != nil || run.Error != c.want || run.Totals.Passed != 1 || run.Green(false) {
			t.Errorf("%s: %+v, %v", name, run, err)
		}
	}
	s.Program, s.Config.Reporters = nil, []Reporter{{Kind: ReporterCustom, Ref: Ref{Module: "evals/evals.config.ts"}}}
	if run := runSuite(t, s, &testTarget{}, RunOptions{}); run.Error != "the reporter 1 of evals/evals.config.ts: its code did not load" {
		t.Errorf("error %q", run.Error)
	}
}

// Each call of a reporter is awaited with a bound; one that does not come back is not
// called again, and holds up no case.
func TestReporter_ThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		calls := make(chan string, 10)
		s := suiteOf(says, "a", "b")
		s.Config.Reporters = []Reporter{{Kind: ReporterCustom, Index: 1, Ref: Ref{Module: "m"}}}
		s.program().report = func(_ context.Context, _ Reporter, method string, _ json.RawMessage) error {
			calls <- method
			if method == OnEvalComplete {
				<-release
			}
			return nil
		}
		started := time.Now()
		o := &testObserver{}
		run := runSuite(t, s, &testTarget{}, RunOptions{Observers: []Observer{o}})
		if first, second := <-calls, <-calls; first != OnRunStart || second != OnEvalComplete || len(calls) > 0 || time.Since(started) != reporterLimit+reporterGrace {
			t.Errorf("%s, %s and %d more, after %s", first, second, len(calls), time.Since(started))
		}
		if want := "the reporter 2 of m: onEvalComplete: it took longer than its 1m0s, and it did not stop when asked"; run.Error != want || run.Totals.Passed != 2 {
			t.Errorf("error %q", run.Error)
		}
		if run.Results[1].DurationMs != 0 {
			t.Errorf("the case took %d ms", run.Results[1].DurationMs)
		}
	})
}

// One that notices the end of its time is told of the rest, but not by that method: a run
// of many cases waits for it once. So it is with one that had to be stopped.
func TestReporter_ThatIsSlow(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]func(context.Context) error{
		"onEvalComplete: it took longer than its 1m0s; it was not called again": func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("the call was ended: %w", context.Cause(ctx))
		},
		"a loop; it was not called again": func(context.Context) error { return loopError{} },
	} {
		synctest.Test(t, func(t *testing.T) {
			n, started := 0, time.Now()
			s := suiteOf(says, "a", "b", "c")
			s.Config.Reporters = []Reporter{{Kind: ReporterCustom}}
			s.program().report = func(ctx context.Context, _ Reporter, method string, _ json.RawMessage) error {
				if n++; method == OnEvalComplete {
					return f(ctx)
				}
				return nil
			}
			run := runSuite(t, s, &testTarget{}, RunOptions{})
			if n != 3 || !strings.Contains(run.Error, want) || time.Since(started) > reporterLimit {
				t.Errorf("%d calls in %s, error %q", n, time.Since(started), run.Error)
			}
		})
	}
}

type loopError struct{}

func (loopError) Error() string        { return "a loop" }
func (loopError) Is(target error) bool { return target == ErrStopped }

// What is put into a lane runs in order, and has run when it is drained.
func TestLane_Order(t *testing.T) {
	t.Parallel()
	var l lane
	l.open()
	var got []int
	for i := range 1000 {
		l.put(func() { got = append(got, i) })
	}
	l.drain()
	l.drain()
	if len(got) != 1000 || !slices.IsSorted(got) {
		t.Errorf("%d ran", len(got))
	}
}

package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// Results come in the order of the suite, whatever order cases end in.
func TestRunner_ResultsAreInTheOrderOfTheSuite(t *testing.T) {
	t.Parallel()
	ids := []string{"a", "b", "c", "d", "e"}
	ended := map[string]chan struct{}{}
	for _, id := range ids {
		ended[id] = make(chan struct{})
	}
	s := suiteOf(func(r *testRun) (*Record, error) { // each waits for the one after it
		if next := slices.Index(ids, r.c.ID) + 1; next < len(ids) {
			<-ended[ids[next]]
		}
		return holds(), nil
	}, ids...)
	s.Config.MaxConcurrency = 5
	o := &testObserver{}
	end := &caseEnds{ended: ended}
	run := runSuite(t, s, &testTarget{}, RunOptions{Observers: []Observer{o, end}})
	var got []string
	for i, r := range run.Results {
		if r.Order != i {
			t.Errorf("%s has the order %d", r.ID, r.Order)
		}
		got = append(got, r.ID)
	}
	if !slices.Equal(got, ids) {
		t.Errorf("order %v", got)
	}
	if first := slices.Index(o.said, "ended e passed"); first < 0 || first > slices.Index(o.said, "ended a passed") {
		t.Errorf("observers are told as cases end: %v", o.said)
	}
	if run.Status != RunCompleted || run.Totals.Passed != 5 || run.Totals.Done != 5 || !run.Green(true) {
		t.Errorf("run %+v", run)
	}
}

// caseEnds closes a channel for each case that ended.
type caseEnds struct {
	Silent
	ended map[string]chan struct{}
}

func (e *caseEnds) CaseEnded(r *Result) error {
	close(e.ended[r.ID])
	return nil
}

// "maxConcurrency: Required; concurrent authored datapoints, from 1 to 200"; the command
// line may set another.
func TestRunner_Concurrency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ config, flag, want int }{{3, 0, 3}, {3, 2, 2}, {1, 0, 1}, {1, 4, 4}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var now, most atomic.Int32
				s := suiteOf(func(r *testRun) (*Record, error) {
					n := now.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					<-time.After(time.Second)
					now.Add(-1)
					return holds(), nil
				}, "a", "b", "c", "d", "e", "f", "g", "h")
				s.Config.MaxConcurrency = c.config
				runSuite(t, s, &testTarget{}, RunOptions{MaxConcurrency: c.flag})
				if most.Load() != int32(c.want) {
					t.Errorf("%d at once, want %d", most.Load(), c.want)
				}
			})
		})
	}
}

// "Per-case timeout; case/file, CLI, then config precedence"; 180 s where nobody says.
func TestRunner_PrecedenceOfTimeouts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ own, flag, config, want time.Duration }{
		{1, 2, 3, 1}, {0, 2, 3, 2}, {0, 0, 3, 3}, {0, 0, 0, DefaultTimeout}, {1, 0, 3, 1}, {1, 2, 0, 1},
	} {
		o, s := RunOptions{Timeout: c.flag}, &Suite{Config: &Config{Timeout: c.config}}
		if got := o.timeout(s, &Case{Timeout: c.own}); got != c.want {
			t.Errorf("%+v gives %s", c, got)
		}
	}
}

// "Judge configuration can live in the project config, eval, case, or call, with the
// nearest value winning."
func TestRunner_NearestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ own, config, want string }{{`"case"`, `"config"`, `"case"`}, {"", `"config"`, `"config"`}, {"", "", ""}} {
		got := "none"
		s := suiteOf(func(r *testRun) (*Record, error) { got = string(r.judge); return holds(), nil }, "a")
		if c.own != "" {
			s.Cases[0].Judge = json.RawMessage(c.own)
		}
		if c.config != "" {
			s.Config.Judge = json.RawMessage(c.config)
		}
		if runSuite(t, s, &testTarget{}, RunOptions{}); got != c.want {
			t.Errorf("%+v gives %s", c, got)
		}
	}
}

// P48: "An eval run that executed no case is never green."
func TestRunner_NothingExecutedIsNeverGreen(t *testing.T) {
	t.Parallel()
	full := suiteOf(says, "builds/api", "prs/checkout")
	full.Cases[0].Tags = []string{"smoke"}
	noConfig := suiteOf(says, "a")
	noConfig.Config = nil
	noConfig.Diagnostics = []agent.Diagnostic{{Rule: "x", Severity: "error", File: "evals/evals.config.ts", Message: "maxConcurrency is missing"}}
	for name, c := range map[string]struct {
		s    *Suite
		o    RunOptions
		want error
		text string
	}{
		"no cases at all":        {suiteOf(says), RunOptions{}, ErrNoCases, ".eval.ts"},
		"an id that is near":     {full, RunOptions{Selection: Selection{IDs: []string{"prs/chekout"}}}, ErrNoCases, "near: prs/checkout"},
		"part of an id":          {full, RunOptions{Selection: Selection{IDs: []string{"check"}}}, ErrNoCases, "near: prs/checkout"},
		"a tag that is not":      {full, RunOptions{Selection: Selection{Tags: []string{"nightly"}}}, ErrNoCases, "there are: smoke"},
		"an id without the tag":  {full, RunOptions{Selection: Selection{IDs: []string{"prs"}, Tags: []string{"smoke"}}}, ErrNoCases, "both"},
		"no config":              {noConfig, RunOptions{}, ErrNoConfig, "maxConcurrency is missing"},
		"replay, no recording":   {full, RunOptions{Replay: true}, ErrNoCases, "bdk eval record"},
		"replay and a model":     {full, RunOptions{Replay: true, Model: "m"}, ErrOptions, "recording"},
		"too many at once":       {full, RunOptions{MaxConcurrency: 201}, ErrOptions, "from 1 to 200"},
		"fewer than none":        {full, RunOptions{MaxConcurrency: -1}, ErrOptions, "from 1 to 200"},
		"no time":                {full, RunOptions{Timeout: -1}, ErrOptions, "time limit"},
		"an id that leaves home": {full, RunOptions{ID: "../x"}, ErrOptions, "no id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &testObserver{}
			c.o.Observers = []Observer{o}
			r, err := (&Runner{Suite: c.s, Target: &testTarget{}}).Run(t.Context(), c.o)
			if r != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || len(o.said) > 0 {
				t.Errorf("run %v, error %v, said %v", r, err, o.said)
			}
		})
	}
	reason := "not today"
	all := runSuite(t, suiteOf(func(*testRun) (*Record, error) { return &Record{Skip: &reason}, nil }, "a", "b"), &testTarget{}, RunOptions{})
	if all.Green(false) || all.Totals.Executed() != 0 || all.Totals.Skipped != 2 || all.Results[0].SkipReason != reason {
		t.Errorf("all were skipped: %+v", all)
	}
}

// A run is green when no gate fails; "a scored result exits 0 unless --strict is set".
func TestRun_Green(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		r             Run
		loose, strict bool
	}{
		"passed":           {Run{Status: RunCompleted, Totals: Totals{Cases: 2, Done: 2, Passed: 2}}, true, true},
		"one skipped":      {Run{Status: RunCompleted, Totals: Totals{Cases: 2, Done: 2, Passed: 1, Skipped: 1}}, true, true},
		"one scored":       {Run{Status: RunCompleted, Totals: Totals{Cases: 2, Done: 2, Passed: 1, Scored: 1}}, true, false},
		"one failed":       {Run{Status: RunCompleted, Totals: Totals{Cases: 2, Done: 2, Passed: 1, Failed: 1}}, false, false},
		"all skipped":      {Run{Status: RunCompleted, Totals: Totals{Cases: 2, Done: 2, Skipped: 2}}, false, false},
		"nothing":          {Run{Status: RunCompleted}, false, false},
		"one never began":  {Run{Status: RunCompleted, Totals: Totals{Cases: 3, Done: 2, Passed: 2}}, false, false},
		"cancelled":        {Run{Status: RunCancelled, Totals: Totals{Cases: 2, Done: 2, Passed: 2}}, false, false},
		"still running":    {Run{Status: RunRunning, Totals: Totals{Cases: 2, Done: 2, Passed: 2}}, false, false},
		"broken off":       {Run{Status: RunFailed, Totals: Totals{Cases: 2, Done: 2, Passed: 2}}, false, false},
		"a reporter threw": {Run{Status: RunCompleted, Error: "x", Totals: Totals{Cases: 2, Done: 2, Passed: 2}}, false, false},
	} {
		if c.r.Green(false) != c.loose || c.r.Green(true) != c.strict {
			t.Errorf("%s: green %v, strict %v", name, c.r.Green(false), c.r.Green(true))
		}
	}
}

// A broken file is a failed case of its own; the others run.
func TestRunner_BrokenFilesAreFailedCases(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "a", "both")
	s.Broken = []Broken{{"bad", "evals/bad.eval.ts:1: no export"}, {"bad", "and more"}, {"both", "a second file of this id"}, {"other", "x"}}
	o := &testObserver{}
	r := runSuite(t, s, &testTarget{}, RunOptions{Selection: Selection{IDs: []string{"a", "bad/inner", "both"}}, Observers: []Observer{o}})
	if len(r.Results) != 3 || r.Totals.Failed != 2 || r.Totals.Passed != 1 || r.Totals.Cases != 3 || r.Green(false) {
		t.Fatalf("run %+v", r)
	}
	bad, both := r.Results[0], r.Results[2]
	if bad.ID != "bad" || bad.Error.Kind != FaultLoad || bad.Error.Message != "evals/bad.eval.ts:1: no export; and more" {
		t.Errorf("bad: %+v, %+v", bad, bad.Error)
	}
	if both.ID != "both" || both.Verdict != Failed || both.Error.Kind != FaultLoad || both.FinalText != "re: hello" {
		t.Errorf("both: %+v, %+v", both, both.Error)
	}
	if slices.Contains(o.said, "started bad") || !slices.Contains(o.said, "ended bad failed") {
		t.Errorf("said %v", o.said)
	}
}

// Under replay each case runs on its own recording; those without are skipped.
func TestRunner_Replay(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "by-id", "by-file", "none", "absolute")
	const ses = "ses_01HZZZZZZZZZZZZZZZZZZZZZZZ"
	s.Cases[0].Replay, s.Cases[1].Replay, s.Cases[3].Replay = ses, "evals/data/x.ndjson", "/else/x.ndjson"
	target := &testTarget{}
	r := runSuite(t, s, target, RunOptions{Replay: true})
	got := map[string]string{}
	for _, s := range target.sessions {
		got[s.o.Title] = s.o.Model
	}
	if fmt.Sprint(got) != fmt.Sprint(map[string]string{
		"by-id": "replay:" + ses, "absolute": "replay:/else/x.ndjson",
		"by-file": "replay:" + filepath.Join("/project", "evals", "data", "x.ndjson"),
	}) {
		t.Errorf("models %v", got)
	}
	if none := r.Results[2]; none.Verdict != Skipped || none.SkipReason == "" || r.Totals.Skipped != 1 || !r.Green(true) || r.Model != RunReplay {
		t.Errorf("none: %+v; run %+v", none, r)
	}
}

// "the project's model is replaced in every case": a model of the command line.
func TestRunner_ModelOfTheRun(t *testing.T) {
	t.Parallel()
	target := &testTarget{}
	if r := runSuite(t, suiteOf(says, "a"), target, RunOptions{Model: "m2"}); r.Model != "m2" || target.sessions[0].o.Model != "m2" {
		t.Errorf("run %q, session %q", r.Model, target.sessions[0].o.Model)
	}
}

// What a case did is in its result.
func TestRunner_WhatAResultHolds(t *testing.T) {
	t.Parallel()
	s := suiteOf(func(r *testRun) (*Record, error) {
		for _, m := range []string{"one", "two"} {
			if _, err := r.d.Send(r.ctx, m, SendOptions{}); err != nil {
				return threw(err), nil
			}
		}
		rec := holds()
		rec.Logs = []string{"said"}
		return rec, nil
	}, "x/y")
	c := s.Cases[0]
	c.Description, c.Tags, c.Metadata = "d", []string{"t"}, map[string]json.RawMessage{"k": json.RawMessage(`1`)}
	c.Iteration, c.Iterations = 2, 3
	run := runSuite(t, s, &testTarget{}, RunOptions{Selection: Selection{IDs: []string{"x"}}, StateRoot: "/root"})
	r := run.Results[0]
	if r.SessionID != "ses_x/y" || fmt.Sprint(r.Inputs) != "[one two]" || r.FinalText != "re: two" || r.Metrics.Turns != 2 || r.Metrics.Steps != 2 ||
		*r.Metrics.CostUSD != 1 || r.Description != "d" || r.Iteration != 2 || r.Iterations != 3 || fmt.Sprint(r.Logs, r.Tags) != "[said] [t]" || r.File != c.File {
		t.Errorf("result %+v", r)
	}
	if run.Agent != "a" || run.StateRoot != "/root" || fmt.Sprint(run.FilterIDs, run.Tags, run.Running) != "[x] [] []" || !IsRunID(run.ID) ||
		run.FinishedAt == nil || *run.Totals.CostUSD != 1 || run.Totals.Usage.InputTokens != 20 {
		t.Errorf("run %+v", run)
	}
	b, err := json.Marshal(r)
	if err != nil || strings.Contains(string(b), "null") {
		t.Errorf("JSON %s, %v", b, err)
	}
}

// A case need not open a session: it may check what a function gives.
func TestRunner_CaseWithoutASession(t *testing.T) {
	t.Parallel()
	target := &testTarget{}
	r := one(t, target, func(*testRun) (*Record, error) { return holds(), nil })
	if r.Verdict != Passed || r.SessionID != "" || len(r.Inputs) != 0 || *r.Metrics.CostUSD != 0 {
		t.Errorf("result %+v", r)
	}
}

// "cost per case and run": one price that is not known makes the sum unknown, unless
// nothing was asked of a model.
func TestRunner_UnknownCosts(t *testing.T) {
	t.Parallel()
	target := &testTarget{}
	target.send = func(_ context.Context, s *testSession, m string) (*Turn, error) {
		turn := s.turn(TurnFinished, m)
		if s.o.Title == "free" {
			s.spent.CostUSD = nil
		}
		return turn, nil
	}
	s := suiteOf(says, "paid", "pure")
	s.program().tests["pure"] = func(*testRun) (*Record, error) { return holds(), nil }
	if r := runSuite(t, s, target, RunOptions{}); r.Totals.CostUSD == nil || *r.Totals.CostUSD != 0.5 {
		t.Errorf("cost %v", r.Totals.CostUSD)
	}
	s = suiteOf(says, "paid", "free")
	if r := runSuite(t, s, target, RunOptions{}); r.Totals.CostUSD != nil || r.Totals.Steps != 2 {
		t.Errorf("totals %+v", r.Totals)
	}
}

// A runner may be used for several runs at once.
func TestRunner_SeveralRuns(t *testing.T) {
	t.Parallel()
	r := &Runner{Suite: suiteOf(says, "a", "b"), Target: &testTarget{}}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if run, err := r.Run(t.Context(), RunOptions{}); err != nil || !run.Green(true) {
				t.Errorf("run %+v, %v", run, err)
			}
		})
	}
	all.Wait()
}

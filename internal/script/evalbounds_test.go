package script

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/eval"
)

// A call of t that is refused and not awaited fails the case, also where the test has ended
// in the same moment; one that the test looks after does not.
func TestEval_ARefusalThatNobodyAwaits(t *testing.T) {
	t.Parallel()
	const unawaited = "fault test: a promise that the test does not await was rejected: "
	for code, want := range map[string]string{
		`t.send("")`: `t.send needs a message with text in it, not empty`,
		`const first = t.send("a"); t.send("b"); await first; t.succeeded()`: "t.send: t.send is under way; await it first",
		`t.approve()`: "t.approve: nothing waits for an approval",
		`(async () => { await null; throw new Error("late") })(); await t.send("a")`: "late",
	} {
		got := runTest(t, &stage{turns: []*eval.Turn{plainTurn()}}, code)
		if got.Error == nil || got.Error.Kind != eval.FaultTest || "fault test: "+got.Error.Message != unawaited+want {
			t.Errorf("%s: %s", code, lines(got))
		}
	}
	same(t, "looked after", lines(runTest(t, &stage{turns: []*eval.Turn{plainTurn()}},
		`t.send("").catch(() => {}); await Promise.allSettled([t.send("a"), t.send("b")]); t.log("fine")`)), "log fine")
	same(t, "its own fault", lines(runTest(t, &stage{}, `throw new Error("mine")`)), "fault test: mine")
}

// What a case leaves in memory is bounded: logs end with a sentence, and assertions with
// a fault that no test can catch.
func TestEval_WhatACaseMayLeave(t *testing.T) {
	t.Parallel()
	rec := runTest(t, &stage{}, `for (let i = 0; i < 40; i++) t.log("x".repeat(100_000))`)
	size := 0
	for _, l := range rec.Logs {
		size += len(l)
	}
	if n := len(rec.Logs); rec.Error != nil || size > maxLogged || n != 11 || !strings.HasPrefix(rec.Logs[n-1], "(what was logged here and later is left out") {
		t.Errorf("%d logs of %d bytes, %+v", n, size, rec.Error)
	}
	rec = runTest(t, &stage{}, `for (let i = 0; i < 10_050; i++) try { t.score("x", 1) } catch {}`)
	if len(rec.Assertions) != maxAssertions || rec.Error == nil || rec.Error.Message != "a case records at most 10000 assertions: make several cases of it" {
		t.Errorf("%d assertions, %+v", len(rec.Assertions), rec.Error)
	}
}

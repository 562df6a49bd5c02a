package script

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/eval"
)

// ".gate(threshold?) fails the case when it misses; .soft(threshold?) records a value
// without failing; .atLeast(threshold) records a soft bar". The last call holds.
func TestEval_Severities(t *testing.T) {
	t.Parallel()
	same(t, "severities", lines(runTest(t, &stage{}, `
t.score("a", 0.5);
t.score("b", 0.5).gate();
t.score("c", 0.5).gate(0.5);
t.score("d", 0.5).atLeast(0.6);
t.score("e", 0.5).atLeast(0.6).soft(0.2).gate(0.4);
t.score("f", 1).soft();
t.score("g", 0).atLeast(0);
t.check("x", equals("x")).soft();
t.check("x", equals("y")).atLeast(1);
t.check("kitten", similarity("kitten")).atLeast(0.8);
t.check("kitten", similarity("sitting")).atLeast(0.8);
const { atLeast } = t.succeeded(); void atLeast;
`)),
		`miss score("a") soft>=1 score 0.5`,
		`miss score("b") gate>=1 score 0.5`,
		`hold score("c") gate>=0.5 score 0.5`,
		`miss score("d") atLeast>=0.6 score 0.5`,
		`hold score("e") gate>=0.4 score 0.5`,
		`hold score("f") soft>=1`,
		`hold score("g") atLeast>=0`,
		`hold check(equals("x")) soft>=1`,
		`miss check(equals("y")) atLeast>=1: it is "x", not "y"`,
		`hold check(similarity("kitten")) atLeast>=0.8`,
		`miss check(similarity("sitting")) atLeast>=0.8 score 0.5714285714285714: it is "kitten"`,
		`miss succeeded() gate>=1: no message was sent`)
}

// "Default severity": each builder's own, held and violated; what takes time keeps its place.
func TestEval_ChecksOfEveryBuilder(t *testing.T) {
	t.Parallel()
	same(t, "checks", lines(runTest(t, &stage{}, `
const even = { "~standard": { version: 1, vendor: "own", validate: async (v: any) => v % 2 ? { issues: [{ message: "odd" }] } : { value: v } } };
t.check("Approve it", includes("Approve")); t.check("no", includes(/approve/i));
t.check({ a: [1] }, equals({ a: [1] })); t.check({ a: [1], b: 1 }, equals({ a: [1] }));
t.check(2, matches(even)); t.check(3, matches(even));
t.check("abc", satisfies((s: string) => s.length > 2, "long")); t.check("ab", satisfies(async (s: string) => s.length > 2, "long"));
t.check(Promise.resolve("later"), equals("later")); t.check(new Promise((r) => setTimeout(r, 5, "late")), equals("later"));
t.score("last", 1);
`)),
		`hold check(includes("Approve")) gate>=1`,
		`miss check(includes(/approve/i)) gate>=1: it is "no"`,
		`hold check(equals({a: [1]})) gate>=1`,
		`miss check(equals({a: [1]})) gate>=1: b is not expected`,
		`hold check(matches()) gate>=1`,
		`miss check(matches()) gate>=1: odd`,
		`hold check(satisfies("long")) gate>=1`,
		`miss check(satisfies("long")) gate>=1: the predicate gave false for "ab"`,
		`hold check(equals("later")) gate>=1`,
		`miss check(equals("later")) gate>=1: it is "late", not "later"`,
		`hold score("last") soft>=1`)
}

// "t.requireToolCall, t.requireInputRequest, and t.require return the matched value and
// stop the remaining test body when no match exists."
func TestEval_Requires(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, want string }{
		"a call":          {`t.log(t.requireToolCall("inspect", { status: "completed" }).output.files)`, "hold requireToolCall(\"inspect\", {status: \"completed\"}) gate>=1\nlog 3\nlog on"},
		"no call":         {`t.log(t.requireToolCall("deploy").input)`, `miss requireToolCall("deploy") gate>=1: deploy was called: never, expected once or more`},
		"a request":       {`t.log(t.requireInputRequest().data.callId)`, "hold requireInputRequest() gate>=1\nlog call_9\nlog on"},
		"by its data":     {`t.log(t.requireInputRequest({ data: { args: { pr: 9 } } }).type)`, "hold requireInputRequest({data: {args: {pr: 9}}}) gate>=1\nlog input.requested\nlog on"},
		"by its tool":     {`t.log(t.requireInputRequest({ toolName: "merge", count: 1 }).type)`, "hold requireInputRequest({toolName: \"merge\", count: 1}) gate>=1\nlog input.requested\nlog on"},
		"no request":      {`t.requireInputRequest({ toolName: "post" })`, `miss requireInputRequest({toolName: "post"}) gate>=1: input was requested: once, 0 of them fitting, expected once or more: data.toolName is "merge", not "post"`},
		"a value":         {`t.log(t.require(0), t.require("x", includes("x")))`, "hold require(0) gate>=1\nhold require(\"x\", includes(\"x\")) gate>=1\nlog 0 x\nlog on"},
		"no value":        {`t.require(t.toolCalls.find(() => false))`, "miss require(undefined) gate>=1: it is undefined"},
		"one that is not": {`t.require("x", includes("y"))`, `miss require("x", includes("y")) gate>=1: it is "x"`},
		"takes time":      {`t.require(1, satisfies(async () => true, "x"))`, `fault test: t.require answers at once, and satisfies("x") takes time: use t.check`},
		"a promise":       {`t.require(Promise.resolve(1), equals(1))`, `fault test: t.require needs a value, not a promise: await it first`},
	} {
		got := lines(runTest(t, &stage{turns: []*eval.Turn{ranTools(), parkedTurn(2, 14)}}, `await t.send("a"); await t.send("b");`+c.code+`; t.log("on");`))
		same(t, name, strings.Replace(got, `require()`, `require(undefined)`, 1), c.want)
	}
}

// "t.skip(reason)" ends the test, and so does nothing that was said before it.
func TestEval_SkipAndLog(t *testing.T) {
	t.Parallel()
	same(t, "skip", lines(runTest(t, &stage{}, `t.log("a", { b: 1 }, "ü\ud83d"); t.score("x", 1); t.skip("no key"); t.log("never")`)),
		`hold score("x") soft>=1`, `log a { b: 1 } ü�`, `skip no key`)
}

// What an author gets wrong is a fault of the test, with a sentence; nothing is ignored.
func TestEval_Misuse(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		`t.calledTool()`:                        `calledTool needs a name, not missing`,
		`t.calledTool("a", { inputs: {} })`:     `a matcher of calledTool has no "inputs": it may have input, output, status, count`,
		`t.calledTool("a", { status: "done" })`: `status of calledTool is one of completed, failed, pending, rejected, not "done"`,
		`t.calledTool("a", { count: -1 })`:      `count of calledTool is a whole number, or a predicate, not -1`,
		`t.calledTool("a", /x/)`:                `calledTool takes a matcher {input, output, status, count}, not an object`,
		`await t.send("x"); t.calledTool("inspect", { input: async () => false })`: `a predicate answers at once: this one gave a promise, which would hold whatever it says`,
		`t.calledSubagent("a", { input: 1 })`:                                      `a matcher of calledSubagent has no "input": it may have output, status, callId, count`,
		`t.notEvent("turn.fialed")`:                                                `notEvent needs the type of an event, such as "turn.completed", not "turn.fialed"`,
		`t.event("turn.failed", { message: "x" })`:                                 `a matcher of event has no "message": it may have data, count`,
		`t.eventOrder([])`:                                                         `eventOrder needs an array of types or matchers, not an array`,
		`t.eventOrder([{ type: "turn.failed", count: 0 }])`:                        `count in eventOrder is a whole number from 1, not 0`,
		`t.toolOrder("a")`:                                                         `toolOrder needs an array of names, not "a"`,
		`t.maxToolCalls("3")`:                                                      `maxToolCalls needs a whole number from 0, not "3"`,
		`t.taggedArtifact(() => true)`:                                             `taggedArtifact needs a name, not a function`,
		`t.eventsSatisfy(() => true)`:                                              `eventsSatisfy needs a label and a predicate`,
		`t.check("x", "x")`:                                                        `t.check needs an expectation, such as includes("x") or equals(1), not "x"`,
		`t.check("x")`:                                                             `t.check needs an expectation, such as includes("x") or equals(1), not missing`,
		`t.score("x", 1.5)`:                                                        `t.score needs a number from 0 to 1 for "x", not 1.5`,
		`t.score("x", NaN)`:                                                        `t.score needs a number from 0 to 1 for "x", not NaN`,
		`t.score(1)`:                                                               `t.score needs a name, not 1`,
		`t.succeeded().atLeast()`:                                                  `atLeast needs a threshold from 0 to 1, not missing`,
		`t.succeeded().gate(2)`:                                                    `gate needs a threshold from 0 to 1, not 2`,
		`await t.send("")`:                                                         `t.send needs a message with text in it, not empty`,
		`await t.send("a", { files: {} })`:                                         `t.send has no option "files": its options are workspaceFiles, workspaceDir, stubs`,
		`await t.send("a", { workspaceDir: "x" })`:                                 `workspaceDir of t.send must be the absolute path of a folder, not "x"`,
		`await t.send("a", { workspaceFiles: { "../x": "" } })`:                    `workspaceFiles of t.send: "../x" is no relative path inside the workspace`,
		`await t.send("a", { workspaceFiles: { x: 1 } })`:                          `workspaceFiles of t.send: "x" must be a text, bytes, or {base64}`,
		`await t.send("a", { workspaceFiles: { x: "" }, workspaceDir: "/x" })`: `t.send: workspaceFiles and workspaceDir exclude each other: nothing is laid into a folder that is not the session's own`,
		`await t.send("a", { stubs: { x: new Map() } })`:                       `the stub of x is a Map, which JSON cannot express; use Object.fromEntries(map) or [...map]`,
		`await t.send("a"); await t.send("b", { stubs: {} })`:                  `t.send: stubs shape the session, so they go with the first message`,
		`await t.approve()`: `t.approve: nothing waits for an approval`,
	} {
		rec := runTest(t, &stage{turns: []*eval.Turn{ranTools()}}, code)
		if rec.Error == nil || rec.Error.Kind != eval.FaultTest || rec.Error.Message != want || !strings.HasPrefix(rec.Error.Place, "evals/x.eval.ts:4:") {
			t.Errorf("%s:\n got %+v\nwant %s", code, rec.Error, want)
		}
	}
}

// "t.approve(callId?)/t.deny(reason?, callId?) → the turn goes on and comes back as a
// turn; send on a parked session throws"
func TestEval_Decisions(t *testing.T) {
	t.Parallel()
	resolved := func(decision string) *eval.Turn {
		return turn(1, 0, eval.TurnFinished, "done", "actions.requested", `{"calls":[{"callId":"call_9","toolName":"merge"}]}`, "input.requested", `{"requestId":"req_1","callId":"call_9","toolName":"merge"}`,
			"input.resolved", `{"requestId":"req_1","callId":"call_9","decision":"`+decision+`"}`, "action.result", `{"callId":"call_9","toolName":"merge","output":"x","isError":false}`, "turn.completed", `{}`)
	}
	d := &stage{turns: []*eval.Turn{parkedTurn(1, 0), resolved("approve")}}
	same(t, "approve", lines(runTest(t, d, `
const turn = await t.send("a");
try { await t.send("b") } catch (e: any) { t.log(e.message) }
const after = await t.approve();
turn.parked(); after.succeeded(); t.succeeded();
t.log(t.turns.length, t.turns[0] === after, after.index, t.reply, t.events.length, t.toolCalls.length);
`)), `hold parked() gate>=1 turn 1`, `hold succeeded() gate>=1 turn 1`, `hold succeeded() gate>=1`,
		`log t.send: the session waits for an approval; answer it with t.approve() or t.deny() first`, `log 1 true 1 done 5 1`)
	same(t, "told", d.log(), "send a", `decide call_9 true ""`)
	d = &stage{turns: []*eval.Turn{parkedTurn(1, 0), resolved("deny")}}
	same(t, "deny", lines(runTest(t, d, `await t.send("a"); await t.deny("too big", "call_9"); t.notEvent("input.resolved", { data: { decision: "approve" } })`)),
		`hold notEvent("input.resolved", {data: {decision: "approve"}}) gate>=1`)
	same(t, "told", d.log(), "send a", `decide call_9 false "too big"`)
	d = &stage{turns: []*eval.Turn{parkedTurn(1, 0)}}
	same(t, "another", lines(runTest(t, d, `await t.send("a"); await t.approve("call_1")`)), `fault test: t.approve: no call "call_1" waits for an approval; waiting: call_9`)
	two := turn(1, 0, eval.TurnParked, "", "input.requested", `{"requestId":"r1","callId":"c1","toolName":"a"}`, "input.requested", `{"requestId":"r2","callId":"c2","toolName":"a"}`)
	same(t, "two", lines(runTest(t, &stage{turns: []*eval.Turn{two}}, `await t.send("a"); await t.approve()`)), `fault test: t.approve needs the id of a call, since several wait: c1, c2`)
}

// "An infrastructure fault is a failed case, never a pass": also where the test catches it.
func TestEval_FaultsThatNoTestHides(t *testing.T) {
	t.Parallel()
	broken := failedTurn(1, 0)
	broken.Broken, broken.Error, broken.Code = true, "status 500", "model_error"
	same(t, "the provider", lines(runTest(t, &stage{turns: []*eval.Turn{broken}}, `await t.send("a"); t.notCalledTool("post")`)),
		`hold notCalledTool("post") gate>=1`, `fault turn: turn 1 failed: status 500`)
	same(t, "the host", lines(runTest(t, &stage{}, `try { await t.send("a") } catch {} t.usedNoTools()`)),
		`miss usedNoTools() gate>=1: no message was sent`, `fault host: the stage has no more turns`)
	d := &stage{judge: func(context.Context, string, json.RawMessage) (*eval.Judgement, error) {
		return nil, errors.New("status 500")
	}}
	same(t, "the judge", lines(runTest(t, d, `t.judge.model("x").catch(() => {}); t.score("x", 1)`)),
		`hold score("x") soft>=1`, `fault judge: a judge could not be asked: status 500`)
	same(t, "a verdict", lines(runTest(t, &stage{}, `t.judge.closedQA("polite", { on: "hello" }).soft(); t.score("x", 1)`)),
		`miss judge.closedQA("polite") soft>=1: it has no score: the case ended before`, `hold score("x") soft>=1`,
		`fault judge: judge.closedQA("polite"): judge-1 gave no verdict: the reply is not one JSON object: "0.5"`)
}

// "Judge configuration …, with the nearest value winning"; a graded assertion keeps its place.
func TestEval_Judges(t *testing.T) {
	t.Parallel()
	d := &stage{judge: func(context.Context, string, json.RawMessage) (*eval.Judgement, error) {
		return &eval.Judgement{Text: `{"score":0.75,"reason":"nearly"}`, Model: "judge-1"}, nil
	}}
	p := loadTest(t, `t.judge.factuality("x", { on: "y" }).atLeast(0.8); t.score("after", 1); t.log(await t.judge.model("say", { model: "other", effort: "low" }))`)
	same(t, "graded", lines(runEval(t, p, d)), `miss judge.factuality("x") atLeast>=0.8 score 0.75 by judge-1: nearly`, `hold score("after") soft>=1`, `log {"score":0.75,"reason":"nearly"}`)
	if said := d.log(); !strings.Contains(said, `{"model":"judge-1"}`) || !strings.Contains(said, `judge "say" {"model":"other","effort":"low"}`) {
		t.Error(said)
	}
	rec, err := p.rt.RunEval(t.Context(), oneCase("evals/x.eval.ts"), nil, 0, &stage{})
	if err != nil || rec.Error == nil || rec.Error.Kind != eval.FaultJudge || !strings.Contains(rec.Error.Message, "no model is set for the judge") {
		t.Errorf("%v %+v", err, rec)
	}
}

package script

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/eval"
)

// ranTools is a turn with calls of every status, one of them a subagent's, which has one.
func ranTools() *eval.Turn {
	return turn(1, 0, eval.TurnFinished, "Approve",
		"message.received", `{"text":"Review 42."}`,
		"skill.loaded", `{"name":"triage"}`,
		"actions.requested", `{"calls":[{"callId":"call_1","toolName":"inspect","args":{"pr":"pull/42","verdict":"review","n":2,"deep":{"a":[1,2]}}},{"callId":"call_2","toolName":"inspect","args":{"pr":"pull/7","verdict":"merge"}}]}`,
		"action.result", `{"callId":"call_1","toolName":"inspect","output":{"ok":true,"files":3},"isError":false}`,
		"action.result", `{"callId":"call_2","toolName":"inspect","output":"no such PR","isError":true,"code":"tool_error"}`,
		"actions.requested", `{"calls":[{"callId":"call_3","toolName":"merge","args":{}},{"callId":"call_4","toolName":"post"},{"callId":"call_5","toolName":"task","args":{"subagent":"critic","prompt":"doubt"}}]}`,
		"action.result", `{"callId":"call_3","toolName":"merge","output":"a person said no","isError":true,"code":"denied"}`,
		"subagent.called", `{"callId":"call_5","name":"critic","task":"doubt"}`,
		"actions.requested", `{"calls":[{"callId":"call_6","toolName":"grep","args":{}}],"parentCallId":"call_5"}`,
		"action.result", `{"callId":"call_6","toolName":"grep","output":[],"isError":false,"stubbed":true,"parentCallId":"call_5"}`,
		"subagent.completed", `{"callId":"call_5","name":"critic","output":"fine","isError":false}`,
		"action.result", `{"callId":"call_5","toolName":"task","output":"fine","isError":false}`,
		"artifact.tagged", `{"artifact":{"id":"art_1","kind":"report","key":"k","title":"T","hasContent":false}}`,
		"turn.completed", `{"result":"Approve"}`)
}

// plainTurn has no calls.
func plainTurn() *eval.Turn {
	return turn(1, 0, eval.TurnFinished, "hello", "message.received", `{"text":"hi"}`, "turn.completed", `{"result":"hello"}`)
}

func failedTurn(index int, from uint64) *eval.Turn {
	t := turn(index, from, eval.TurnFailed, "", "message.received", `{"text":"hi"}`, "turn.failed", `{"message":"too many steps"}`)
	t.Error, t.Code = "too many steps", "max_steps"
	return t
}

func parkedTurn(index int, from uint64) *eval.Turn {
	return turn(index, from, eval.TurnParked, "", "actions.requested", `{"calls":[{"callId":"call_9","toolName":"merge","args":{"pr":9}}]}`,
		"input.requested", `{"requestId":"req_1","kind":"approval","callId":"call_9","toolName":"merge","args":{"pr":9}}`)
}

// An asserted is a line of a test, and what the record says of it.
type asserted struct{ code, want string }

// assertAll runs all lines after the turns, in one test.
func assertAll(t *testing.T, name string, turns []*eval.Turn, all []asserted) {
	t.Helper()
	body := strings.Repeat("await t.send('go');\n", len(turns))
	var want []string
	for _, a := range all {
		body += a.code + ";\n"
		want = append(want, a.want)
	}
	same(t, name, lines(runTest(t, &stage{turns: turns}, body)), want...)
}

// "Assertions record failures without stopping the test, so one case reports every
// violated contract": each row of the table, as it holds and as it is violated.
func TestEval_TrajectoryAssertions(t *testing.T) {
	t.Parallel()
	const g = " gate>=1"
	assertAll(t, "a turn with tools", []*eval.Turn{ranTools()}, []asserted{
		{`t.succeeded()`, `hold succeeded()` + g},
		{`t.parked()`, `miss parked()` + g + `: turn 1 ended without waiting for an approval`},
		{`t.calledTool("inspect")`, `hold calledTool("inspect")` + g},
		{`t.calledTool("grep")`, `hold calledTool("grep")` + g},
		{`t.calledTool("deploy")`, `miss calledTool("deploy")` + g + `: deploy was called: never (called: inspect, merge, post, task, grep), expected once or more`},
		{`t.notCalledTool("deploy")`, `hold notCalledTool("deploy")` + g},
		{`t.notCalledTool("merge")`, `miss notCalledTool("merge")` + g + `: merge was called: once, such as with {}`},
		{`t.notCalledTool("inspect", { input: { verdict: "reject" } })`, `hold notCalledTool("inspect", {input: {verdict: "reject"}})` + g},
		{`t.notCalledTool("inspect", { input: { verdict: "merge" } })`, `miss notCalledTool("inspect", {input: {verdict: "merge"}})` + g + `: inspect was called: once, such as with {pr: "pull/7", verdict: "merge"}`},
		{`t.loadedSkill("triage")`, `hold loadedSkill("triage")` + g},
		{`t.loadedSkill("deploy")`, `miss loadedSkill("deploy")` + g + `: the skill deploy was not opened; opened: triage`},
		{`t.toolOrder(["inspect", "merge", "grep"])`, `hold toolOrder(["inspect", "merge", "grep"])` + g},
		{`t.toolOrder(["inspect", "inspect"])`, `hold toolOrder(["inspect", "inspect"])` + g},
		{`t.toolOrder(["merge", "inspect"])`, `miss toolOrder(["merge", "inspect"])` + g + `: inspect was not called after merge; called: inspect, inspect, merge, post, task, grep`},
		{`t.usedNoTools()`, `miss usedNoTools()` + g + `: called: inspect, inspect, merge, post, task, grep`},
		{`t.maxToolCalls(6)`, `hold maxToolCalls(6)` + g},
		{`t.maxToolCalls(5)`, `miss maxToolCalls(5)` + g + `: 6 calls: inspect, inspect, merge, post, task, grep`},
		{`t.noFailedActions()`, `miss noFailedActions()` + g + `: inspect failed: "no such PR"`},
		{`t.calledSubagent("critic")`, `hold calledSubagent("critic")` + g},
		{`t.calledSubagent("critic", { output: /fine/, status: "completed", count: 1, callId: "call_5" })`, `hold calledSubagent("critic", {output: /fine/, status: "completed", count: 1, callId: "call_5"})` + g},
		{`t.calledSubagent("critic", { callId: "call_6" })`, `miss calledSubagent("critic", {callId: "call_6"})` + g + `: the subagent critic was called: once, 0 of them fitting, expected once or more: callId is "call_5", not "call_6"`},
		{`t.calledSubagent("scout")`, `miss calledSubagent("scout")` + g + `: the subagent scout was called: never (called: critic), expected once or more`},
		{`t.taggedArtifact()`, `hold taggedArtifact()` + g},
		{`t.taggedArtifact("report", (a: any) => a.key === "k")`, `hold taggedArtifact("report", predicate)` + g},
		{`t.taggedArtifact("report", (a: any) => a.key === "x")`, `miss taggedArtifact("report", predicate)` + g + `: an artifact of the kind report was tagged: once, 0 of them fitting, expected once or more: artifact is {id: "art_1", kind: "report", key: "k", title: "T", hasContent: false}, which the predicate refuses`},
		{`t.taggedArtifact("book")`, `miss taggedArtifact("book")` + g + `: an artifact of the kind book was tagged: never (tagged: report), expected once or more`},
		{`t.event("turn.completed", { data: { result: /Approve/ }, count: 1 })`, `hold event("turn.completed", {data: {result: /Approve/}, count: 1})` + g},
		{`t.event("turn.completed", { count: 2 })`, `miss event("turn.completed", {count: 2})` + g + `: turn.completed happened: once, expected twice`},
		{`t.event("turn.failed")`, `miss event("turn.failed")` + g + `: turn.failed happened: never, expected once or more`},
		{`t.notEvent("turn.failed")`, `hold notEvent("turn.failed")` + g},
		{`t.notEvent("turn.completed", { data: { result: "x" } })`, `hold notEvent("turn.completed", {data: {result: "x"}})` + g},
		{`t.notEvent("turn.completed")`, `miss notEvent("turn.completed")` + g + `: turn.completed happened: once, such as with {result: "Approve"}`},
		{`t.eventOrder(["message.received", { type: "action.result", data: { isError: true }, count: 2 }, "turn.completed"])`, `hold eventOrder(["message.received", {type: "action.result", data: {isError: true}, count: 2}, "turn.completed"])` + g},
		{`t.eventOrder([["artifact.tagged", "subagent.called"], "turn.completed"])`, `hold eventOrder([["artifact.tagged", "subagent.called"], "turn.completed"])` + g},
		{`t.eventOrder(["artifact.tagged", "subagent.called"])`, `miss eventOrder(["artifact.tagged", "subagent.called"])` + g + `: subagent.called did not come in its place, after the event 12 (artifact.tagged)`},
		{`t.eventsSatisfy("short", (e: any) => e.length === 14)`, `hold eventsSatisfy("short")` + g},
		{`t.eventsSatisfy("shorter", (e: any) => e.length < 14)`, `miss eventsSatisfy("shorter")` + g + `: the predicate refuses the 14 events`},
	})
	assertAll(t, "a plain turn", []*eval.Turn{plainTurn()}, []asserted{
		{`t.usedNoTools()`, `hold usedNoTools()` + g},
		{`t.noFailedActions()`, `hold noFailedActions()` + g},
		{`t.maxToolCalls(0)`, `hold maxToolCalls(0)` + g},
		{`t.calledTool("a")`, `miss calledTool("a")` + g + `: a was called: never (no tool was called), expected once or more`},
		{`t.calledTool("a", { count: 0 })`, `hold calledTool("a", {count: 0})` + g},
		{`t.loadedSkill("a")`, `miss loadedSkill("a")` + g + `: the skill a was not opened; opened: none`},
		{`t.toolOrder(["a"])`, `miss toolOrder(["a"])` + g + `: a was not called; called: none`},
		{`t.taggedArtifact()`, `miss taggedArtifact()` + g + `: an artifact was tagged: never, expected once or more`},
	})
	assertAll(t, "a turn with one call", []*eval.Turn{parkedTurn(1, 0)}, []asserted{
		{`t.maxToolCalls(0)`, `miss maxToolCalls(0)` + g + `: 1 call: merge`},
	})
	assertAll(t, "nothing was sent", nil, []asserted{
		{`t.succeeded()`, `miss succeeded()` + g + `: no message was sent`},
		{`t.parked()`, `miss parked()` + g + `: no message was sent`},
	})
}

// "succeeded looks at every turn and parked at the last"; "Assertions on the turn inspect
// only that turn; assertions on t inspect the whole case"
func TestEval_AssertionsOfOneTurn(t *testing.T) {
	t.Parallel()
	same(t, "turns", lines(runTest(t, &stage{turns: []*eval.Turn{ranTools(), failedTurn(2, 14), parkedTurn(3, 16)}}, `
const one = await t.send("a"), two = await t.send("b"), three = await t.send("c");
t.succeeded(); t.parked();
one.succeeded(); one.parked(); one.calledTool("inspect"); one.calledTool("merge", { input: { pr: 9 } });
two.succeeded(); two.usedNoTools(); two.event("turn.failed");
three.succeeded(); three.parked(); three.maxToolCalls(1); three.notCalledTool("inspect").soft();
t.maxToolCalls(7);
t.log(one.ok, two.ok, three.ok, three.toolCalls, t.toolCalls.length);
t.log(one.toolCalls.map((c: any) => c.name + " " + c.status + (c.stubbed ? " stubbed" : "") + (c.parentCallId ?? "")).join());
two.expectOk();
`)),
		`miss succeeded() gate>=1: turn 2 failed: too many steps (max_steps); turn 3 waits for an approval of merge (call_9)`,
		`hold parked() gate>=1`,
		`hold succeeded() gate>=1 turn 1`,
		`miss parked() gate>=1 turn 1: turn 1 ended without waiting for an approval`,
		`hold calledTool("inspect") gate>=1 turn 1`,
		`miss calledTool("merge", {input: {pr: 9}}) gate>=1 turn 1: merge was called: once, 0 of them fitting, expected once or more: input.pr is missing`,
		`miss succeeded() gate>=1 turn 2: turn 2 failed: too many steps (max_steps)`,
		`hold usedNoTools() gate>=1 turn 2`,
		`hold event("turn.failed") gate>=1 turn 2`,
		`miss succeeded() gate>=1 turn 3: turn 3 waits for an approval of merge (call_9)`,
		`hold parked() gate>=1 turn 3`,
		`hold maxToolCalls(1) gate>=1 turn 3`,
		`hold notCalledTool("inspect") soft>=1 turn 3`,
		`hold maxToolCalls(7) gate>=1`,
		`log true false true [ { callId: 'call_9', name: 'merge', input: { pr: 9 }, output: undefined, status: 'pending' } ] 7`,
		`log inspect completed,inspect failed,merge rejected,post pending,task completed,grep completed stubbedcall_5`,
		`fault test: turn 2 failed: too many steps (max_steps)`)
}

// "noFailedActions counts cancelled and not denied ones"; "Tool status is completed,
// failed, pending, or rejected"
func TestEval_StatusesOfTools(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"denied": "rejected", "expired": "rejected", "cancelled": "failed", "timeout": "failed", "outcome_unknown": "failed", "invalid_input": "failed", "": "failed",
	} {
		turns := []*eval.Turn{turn(1, 0, eval.TurnFinished, "", "actions.requested", `{"calls":[{"callId":"c","toolName":"a"}]}`,
			"action.result", `{"callId":"c","toolName":"a","isError":true,"output":"no","code":"`+code+`"}`)}
		failed := "miss noFailedActions() gate>=1: a failed: \"no\""
		if want == "rejected" {
			failed = "hold noFailedActions() gate>=1"
		}
		assertAll(t, code, turns, []asserted{
			{`t.calledTool("a", { status: "` + want + `" })`, `hold calledTool("a", {status: "` + want + `"}) gate>=1`},
			{`t.noFailedActions()`, failed},
		})
	}
}

// "Values accept literals, regular expressions, or predicates. Object literals
// partial-deep-match": each in both directions.
func TestEval_ToolMatchers(t *testing.T) {
	t.Parallel()
	all := []asserted{}
	for matcher, holds := range map[string]bool{
		`{ input: { verdict: "review" } }`:              true,
		`{ input: { verdict: "reject" } }`:              false,
		`{ input: { verdict: /^rev/ } }`:                true,
		`{ input: { verdict: /^rev/gy }, count: 1 }`:    true,
		`{ input: { n: /2/ } }`:                         true,
		`{ input: { deep: /a/ } }`:                      false,
		`{ input: { n: (n: number) => n > 1 } }`:        true,
		`{ input: (i: any) => i.n > 2 }`:                false,
		`{ input: { deep: { a: [1, 2] } } }`:            true,
		`{ input: { deep: { a: [1] } } }`:               false,
		`{ input: { deep: {} } }`:                       true,
		`{ input: { deep: { a: [1, (x: any) => x] } }}`: true,
		`{ input: { none: undefined } }`:                true,
		`{ input: { none: null } }`:                     false,
		`{ input: { pr: includes("42") } }`:             true,
		`{ input: { pr: includes("43") } }`:             false,
		`{ output: { ok: true } }`:                      true,
		`{ output: /no such/, status: "failed" }`:       true,
		`{ output: /no such/, status: "completed" }`:    false,
		`{ status: "pending" }`:                         false,
		`{ status: "completed", count: 1 }`:             true,
		`{ count: 2 }`:                                  true,
		`{ count: 1 }`:                                  false,
		`{ count: (n: number) => n < 3 }`:               true,
		`{ input: undefined, count: undefined }`:        true,
	} {
		verdict := "hold"
		if !holds {
			verdict = "miss"
		}
		all = append(all, asserted{`t.calledTool("inspect", ` + matcher + `)`, verdict}, asserted{`t.notCalledTool("inspect", ` + matcher + `)`, map[string]string{"hold": "miss", "miss": "hold"}[verdict]})
	}
	body := "await t.send('go');\n"
	for _, a := range all {
		body += a.code + ";\n"
	}
	rec := runTest(t, &stage{turns: []*eval.Turn{ranTools()}}, body)
	if len(rec.Assertions) != len(all) || rec.Error != nil {
		t.Fatalf("%s", lines(rec))
	}
	for i, a := range all {
		if got := rec.Assertions[i]; got.Passed != (a.want == "hold") {
			t.Errorf("%s: %v, %s", a.code, got.Passed, got.Message)
		}
	}
}

// A predicate that throws says nothing in either direction, so it never lets a case pass.
func TestEval_APredicateThatThrowsHoldsNowhere(t *testing.T) {
	t.Parallel()
	why := `: the predicate of input threw: cannot read property 'length' of undefined`
	assertAll(t, "throws", []*eval.Turn{ranTools()}, []asserted{
		{`t.calledTool("merge", { input: (i: any) => i.items.length })`, `miss calledTool("merge", {input: predicate}) gate>=1` + why},
		{`t.notCalledTool("merge", { input: (i: any) => i.items.length })`, `miss notCalledTool("merge", {input: predicate}) gate>=1` + why},
		{`t.calledTool("inspect", { count: (n: any) => n.a.b })`, `miss calledTool("inspect", {count: predicate}) gate>=1: the predicate of count threw: cannot read property 'b' of undefined`},
		{`t.notCalledTool("inspect", { count: (n: any) => n.a.b })`, `miss notCalledTool("inspect", {count: predicate}) gate>=1: the predicate of count threw: cannot read property 'b' of undefined`},
		{`t.calledTool("inspect", { input: (i: any) => i.deep.a.length })`, `hold calledTool("inspect", {input: predicate}) gate>=1`},
		{`t.eventsSatisfy("x", () => { throw new Error("no") })`, `miss eventsSatisfy("x") gate>=1: the predicate threw: no`},
		{`t.check(1, satisfies(() => { throw new Error("no") }, "x"))`, `miss check(satisfies("x")) gate>=1: the predicate threw: no`},
	})
}

package playground

import "testing"

// told folds events, each a type, its data, and its turn.
const told = `
	var fold = (...events) => { var s = new Session("ses_1"); events.forEach(([type, data, turnId], index) => s.take({ type, data, turnId, index, at: new Date(1000 * index).toISOString(), line: JSON.stringify({ type, data }) })); return s; };
	var turn = (s, n = 0) => s.turns[n];
	var shown = (s, unfolded = () => false) => rows(s, unfolded).map((r) => r.kind === "item" ? ["  ".repeat(r.depth) + r.item.kind, r.item.text ?? r.item.name ?? r.item.repair ?? r.item.attempt] : [r.kind, r.turn.text]);
	var hello = ["message.received", { text: "hi", from: "user" }, "t1"];
	var calls = (...names) => ["actions.requested", { calls: names.map((n) => ({ callId: n, toolName: n, args: { n }, effect: "read" })) }, "t1"];`

// Turns, texts and calls as people see them: what an attempt that broke had said does not
// count, and several messages may open one turn.
func TestSession_Rows(t *testing.T) {
	l := newLogic(t, "session", "views/chat/rows")
	l.run(told)
	for expression, want := range map[string]string{
		`shown(fold(hello, ["turn.started", { model: "m" }, "t1"], ["step.started", { step: 1, attempt: 1 }, "t1"], ["reasoning.appended", { text: "a" }, "t1"], ["reasoning.completed", { text: "ab" }, "t1"],
			["message.appended", { text: "he" }, "t1"], ["message.appended", { text: "llo" }, "t1"], ["message.completed", { text: "hello." }, "t1"], ["turn.completed", { result: 1 }, "t1"]))`: `[["message","hi"],["reasoning","ab"],["text","hello."],["end","hi"]]`,
		`shown(fold(hello, ["turn.started", {}, "t1"], ["step.started", { step: 1, attempt: 1 }, "t1"], ["message.appended", { text: "half" }, "t1"], ["step.started", { step: 1, attempt: 2 }, "t1"], ["message.appended", { text: "whole" }, "t1"]))`: `[["message","hi"],["step",2],["text","whole"],["end","hi"]]`,
		`shown(fold(hello, ["message.received", { text: "and ho", from: "channel" }, "t1"]))`:                                                             `[["message","hi\n\nand ho"]]`,
		`shown(fold(hello, ["turn.started", {}, "t1"], ["message.received", { text: "later", from: "user" }, "t2"], ["reminder.set", { message: "x" }]))`: `[["message","hi"],["end","hi"],["message","later"],["note","set a reminder: x"]]`,
		`shown(fold(["reminder.fired", {}], hello))`:                    `[["note","a reminder fired"],["message","hi"]]`,
		`shown(fold(hello, ["message.completed", { text: "" }, "t1"]))`: `[["message","hi"]]`,
	} {
		l.want(expression, want)
	}
}

// "Subagent nesting": a subagent's work lies in its call, and is shown where that is unfolded.
func TestSession_Subagents(t *testing.T) {
	l := newLogic(t, "session", "views/chat/rows")
	l.run(told + `var nested = fold(hello, ["turn.started", {}, "t1"], calls("task"), ["subagent.called", { callId: "task", name: "checker", task: "look" }, "t1"],
		["step.started", { step: 1, attempt: 1, parentCallId: "task" }, "t1"], ["message.completed", { text: "I look", parentCallId: "task" }, "t1"],
		["actions.requested", { parentCallId: "task", calls: [{ callId: "c2", toolName: "inspect", args: {}, parentCallId: "task" }] }, "t1"], ["input.requested", { requestId: "r", callId: "c2", args: {}, parentCallId: "task" }, "t1"]);`)
	for expression, want := range map[string]string{
		`shown(nested)`: `[["message","hi"],["call","task"],["end","hi"]]`,
		`shown(nested, (k) => k === "call task")`:                   `[["message","hi"],["call","task"],["  text","I look"],["  call","inspect"],["end","hi"]]`,
		`nested.waiting.map((c) => [c.name, c.approval.requestId])`: `[["inspect","r"]]`,
		`[turn(nested).status, nested.status]`:                      `["waiting","parked"]`,
		`work(nested.call("task").items)`:                           `{"steps":1,"calls":1}`,
	} {
		l.want(expression, want)
	}
}

// A decision, and what came of the call.
func TestSession_Calls(t *testing.T) {
	l := newLogic(t, "session", "views/chat/rows")
	l.run(told + `var after = (...more) => { var s = fold(hello, ["turn.started", {}, "t1"], calls("a", "b"), ["input.requested", { requestId: "r1", callId: "a", args: { n: "a" }, expiresAt: "2026-01-01T00:00:00Z" }, "t1"], ...more); return [s.call("a").status, s.call("a").decided ?? null, s.waiting.length, s.status]; };
		var by = (decision, more) => ["input.resolved", { requestId: "r1", callId: "a", decision, ...more }, "t1"];`)
	for expression, want := range map[string]string{
		`after()`: `["waiting",null,1,"parked"]`,
		`after(by("approve", { by: { kind: "local", id: "local" } }))`:                                                                                                                `["running",{"requestId":"r1","decision":"approve","by":"local"},0,"running"]`,
		`after(by("deny", { reason: "no" }), ["action.result", { callId: "a", isError: true, code: "denied", output: "no" }, "t1"])`:                                                  `["denied",{"requestId":"r1","decision":"deny","reason":"no"},0,"running"]`,
		`after(by("cancelled"), ["action.result", { callId: "a", isError: true, code: "cancelled" }, "t1"])[0]`:                                                                       `"failed"`,
		`fold(hello, calls("a"), ["action.result", { callId: "a", isError: false, output: 7, stubbed: true }, "t1"]).call("a")`:                                                       `{"kind":"call","id":"a","name":"a","args":{"n":"a"},"effect":"read","at":1000,"status":"completed","items":[],"index":1,"output":7,"stubbed":true,"endedAt":2000}`,
		`turn(fold(hello, ["turn.started", {}, "t1"], ["message.appended", { text: "x" }, "t1"], ["turn.failed", { message: "it broke", code: "model_error" }, "t1"])).items[0].done`: `true`,
	} {
		l.want(expression, want)
	}
}

// "The stored args bytes shown to the human are exactly the bytes executed": numbers, escapes
// and repeated names stand as they were recorded.
func TestRawJSON_KeepsWhatIsWritten(t *testing.T) {
	l := newLogic(t, "rawjson")
	for line, want := range map[string]string{
		`{"type":"input.requested","data":{"callId":"c","args":{"n":12345678901234567890, "s":"a\u202eb \"}\"","n":1.0,"l":[],"o":{}, "x":[1,{"y":null}]}},"at":"x"}`: "{\n  \"n\": 12345678901234567890,\n  \"s\": \"a\\u202eb \\\"}\\\"\",\n  \"n\": 1.0,\n  \"l\": [],\n  \"o\": {},\n  \"x\": [\n    1,\n    {\n      \"y\": null\n    }\n  ]\n}",
		`{"data":{"args":{}}}`:            `{}`,
		`{"data":{"args":"x"}}`:           `"x"`,
		` { "data" : { "args" : true } }`: `true`,
	} {
		l.want(`layout(member(`+encode(t, line)+`, "data", "args"))`, encode(t, want))
	}
	for _, line := range []string{`{"data":{"b":{"args":1}}}`, `{}`, `{"data":[]}`, `{"args":1}`} {
		l.want(`member(`+encode(t, line)+`, "data", "args") ?? null`, "null")
	}
}

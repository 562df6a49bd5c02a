package playground

import "testing"

// tell gives a script events at seconds: tell([[0, "turn.started", {model: "m"}], …]).
const tell = `
var tell = (all, turnId = "turn_1") => all.map(([s, type, data, turn], index) => ({ type, index, turnId: turn ?? turnId, at: new Date(s * 1000).toISOString(), data: data ?? {} }));
var fold = (all) => { const t = new Trace(); tell(all).forEach((e) => t.take(e)); return t; };
var outline = (s) => [s.kind, s.name, s.from / 1000, s.to === undefined ? "open" : s.to / 1000, s.status].join(" ") + (s.children.length ? " (" + s.children.map(outline).join(", ") + ")" : "");
var seen = (all) => fold(all).roots.map(outline);
var ask = [0, "message.received", { text: "hi", from: "user" }], start = [0, "turn.started", { model: "m" }];
var night = [
	ask, start, [0, "step.started", { step: 1, attempt: 1 }], [1, "message.completed", { text: "May I?" }], [1, "step.completed", { step: 1, attempt: 1, usage: { inputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 } }],
	[1, "actions.requested", { calls: [{ callId: "c1", toolName: "light", args: { level: 3 } }] }], [1, "input.requested", { callId: "c1", requestId: "r1", args: { level: 3 } }],
	[28801, "input.resolved", { callId: "c1", requestId: "r1", decision: "approve", by: { id: "ann" } }], [28802, "action.result", { callId: "c1", output: { lit: true } }],
	[28802, "step.started", { step: 2, attempt: 1 }], [28804, "step.completed", { step: 2, attempt: 1 }], [28804, "turn.completed", {}],
];`

// "A waterfall of turn, steps, tools, subagents": what events become.
func TestTrace_Spans(t *testing.T) {
	l := newLogic(t, "views/trace/spans", "views/trace/rows")
	l.run(tell)
	for expression, want := range map[string]string{
		// The approval's waiting lies inside of its call, and the call's bar says which part it is.
		`seen(night)`: `["turn hi 0 28804 done (step Step 1 0 1 done (text Reply 1 1 done), tool light 1 28802 done (wait Approval 1 28801 done), step Step 2 28802 28804 done)"]`,
		`parts(fold(night).calls.get("c1"), 0).map((p) => [p.kind, p.from / 1000, p.to / 1000])`: `[["wait",1,28801],["work",28801,28802]]`,
		`took(fold(night).calls.get("c1"), 0)`:                                                   `{"all":28801000,"waited":28800000}`,
		`fold(night).calls.get("c1").children[0].facts`:                                          `{"args":{"level":3},"callId":"c1","decision":"approve","by":"ann"}`,
		`used(fold(night).roots[0])`:                                                             `{"inputTokens":5,"cacheReadTokens":0,"cacheWriteTokens":0,"outputTokens":2,"reasoningTokens":0}`,
		// A turn in which all that is open waits, waits, and so does one before its turn.
		`["turn", "tool"].map((kind) => { const t = fold(night.slice(0, 7)), s = kind === "turn" ? t.roots[0] : t.calls.get("c1"); return [standing(s), took(s, 61000).waited]; })`: `[["waiting",60000],["waiting",60000]]`,
		`took(fold(night).roots[0], 0).waited`: `28800000`,
		`(() => { const s = fold([...night.slice(0, 7), [1, "actions.requested", { calls: [{ callId: "c2", toolName: "look" }] }]]).roots[0]; return [standing(s), took(s, 61000).waited]; })()`: `["open",0]`,
		`standing(fold([ask]).roots[0])`: `"waiting"`,
		// A subagent's steps and calls lie inside its call.
		`seen([ask, start, [1, "actions.requested", { calls: [{ callId: "c1", toolName: "task" }] }], [1, "subagent.called", { callId: "c1", name: "writer", task: "write" }],
			[1, "step.started", { step: 1, attempt: 1, parentCallId: "c1" }], [2, "step.completed", { step: 1, attempt: 1, parentCallId: "c1" }],
			[2, "actions.requested", { parentCallId: "c1", calls: [{ callId: "c2", toolName: "look" }] }], [3, "action.result", { callId: "c2", isError: true, output: "no" }],
			[4, "subagent.completed", { callId: "c1" }], [4, "action.result", { callId: "c1", output: "ok" }]])`: `["turn hi 0 open open (sub writer 1 4 done (step Step 1 1 2 done, tool look 2 3 failed))"]`,
		// An attempt that is made again is lost, and ends where the next begins.
		`seen([ask, start, [0, "step.started", { step: 1, attempt: 1 }], [1, "message.appended", { text: "a" }], [3, "step.started", { step: 1, attempt: 2 }], [4, "message.appended", { text: "b" }]])`: `["turn hi 0 open open (step Step 1 0 1 lost (text Reply 1 1 lost), step Step 1, attempt 2 3 open open (text Reply 4 open open))"]`,
		// A host that was killed: what its model said is lost, its call goes on, and the time between is nobody's work.
		`seen([ask, start, [0, "step.started", { step: 1, attempt: 1 }], [500, "turn.resumed", { attempt: 1 }], [500, "step.started", { step: 1, attempt: 2 }]])`:                                                                                                   `["turn hi 0 open open (step Step 1 0 0 lost, mark Taken up again after a restart of the host (1) 500 500 done, step Step 1, attempt 2 500 open open)"]`,
		`(() => { const t = fold([ask, start, [1, "actions.requested", { calls: [{ callId: "c1", toolName: "look" }] }], [2, "message.appended"], [500, "turn.resumed", { attempt: 1 }]]); return busy(t.roots, t.dead, 501000).filter((s) => s.to > s.from); })()`: `[{"from":1000,"to":2000},{"from":500000,"to":501000}]`,
		// A turn that fails ends what is open in it.
		`seen([ask, start, [0, "step.started", { step: 1, attempt: 1 }], [2, "turn.failed", { message: "no", code: "stopped", status: "cancelled" }]])`:                                                                                                             `["turn hi 0 2 cancelled (step Step 1 0 2 cancelled)"]`,
		`seen([ask, start, [0, "step.started", { step: 1, attempt: 1 }], [1, "actions.requested", { calls: [{ callId: "c1", toolName: "look" }] }], [2, "turn.failed", { message: "no", code: "model_error", status: "error" }]])`:                                  `["turn hi 0 2 failed (step Step 1 0 2 failed, tool look 1 2 cancelled)"]`,
		`parts(fold([ask, start, [1, "actions.requested", { calls: [{ callId: "c1", toolName: "look" }] }], [500, "turn.resumed", { attempt: 1 }], [501, "action.result", { callId: "c1" }]]).calls.get("c1"), 0).map((p) => [p.kind, p.from / 1000, p.to / 1000])`: `[["lost",1,500],["work",500,501]]`,
		// What a fork copied is older than the fork itself, and is marked.
		`(() => { const t = fold([[90, "session.started", { forkedFrom: { sessionId: "s", index: 3 } }], ask, start, [5, "turn.completed"], [90, "session.waiting"], [95, "message.received", { text: "on" }, "turn_2"]]); return [t.begins, ...t.roots.map((s) => [s.from / 1000, !!s.copied])]; })()`: `[0,[0,true],[95,false]]`,
		// A message that waits for the turn before it is queued.
		`parts(fold([ask, [4, "turn.started", {}], [5, "turn.completed", {}]]).roots[0], 0).map((p) => [p.kind, p.from / 1000, p.to / 1000])`: `[["wait",0,4],["work",4,5]]`,
		// Events of types that nobody knows change nothing, and one that comes twice counts once.
		`seen([[0, "sky.fell", null], ask])`: `["turn hi 0 open open"]`,
		`(() => { const t = new Trace(), all = tell([ask, start]); all.forEach((e) => t.take(e)); all.forEach((e) => t.take(e)); return t.roots.length; })()`: `1`,
		// What lies inside of a closed row, in few bits: what is close is one.
		`digest(fold(night).roots[0], 0).map((b) => [b.kind, b.from / 1000, b.to / 1000])`: `[["step",0,1],["step",28802,28804],["tool",28801,28802],["wait",1,28801]]`,
		`digest(fold([ask, start, ...[...Array(60).keys()].flatMap((n) => [[n, "actions.requested", { calls: [{ callId: "c" + n, toolName: "x" }] }], [n + 0.5, "action.result", { callId: "c" + n }]]), [70, "turn.completed"]]).roots[0], 0).length <= 8`: `true`,
		// Messages that came together are one turn.
		`(() => { const t = fold([ask, [1, "message.received", { text: "and?" }]]); return t.roots.map((s) => s.facts.text); })()`: `["hi\n\nand?"]`,
		// The trace at an index knows nothing of what came after.
		`fold(night.slice(0, 7)).roots.map(outline)`: `["turn hi 0 open open (step Step 1 0 1 done (text Reply 1 1 done), tool light 1 open waiting (wait Approval 1 open waiting))"]`,
	} {
		l.want(expression, want)
	}
}

// "A parked night must not flatten everything": idle time is compressed, and breaks are where it was.
func TestTrace_Axis(t *testing.T) {
	l := newLogic(t, "views/trace/axis", "views/trace/spans")
	l.run(tell + `
		var nightAxis = (() => { const t = fold(night); return new Axis(busy(t.roots, t.dead, t.last), { from: 0, to: t.last }); })();
		var round = (x) => Math.round(x * 1000) / 1000;`)
	for expression, want := range map[string]string{
		`nightAxis.pieces.map((p) => [p.from, p.to, p.gap, round(p.wide)])`: `[[0,1000,false,0.235],[1000,28801000,true,0.059],[28801000,28804000,false,0.706]]`,
		// Of thirty short turns over a day none is too narrow to be seen: their gaps take a quarter.
		`(() => { const a = new Axis([...Array(30).keys()].map((n) => ({ from: n * 3e6, to: n * 3e6 + 2000 })), { from: 0, to: 29 * 3e6 + 2000 }); const [turns, gaps] = [false, true].map((gap) => a.pieces.filter((p) => p.gap === gap)); return [turns.length, gaps.length, round(gaps.reduce((n, p) => n + p.wide, 0)), turns.every((p) => p.wide > 0.02)]; })()`: `[30,29,0.25,true]`,
		// A model that is tried again after two seconds is no break in a turn of ten.
		`new Axis([...Array(10).keys()].map((n) => ({ from: n * 3000, to: n * 3000 + 1000 })), { from: 0, to: 28000 }).pieces.length`: `1`,
		`[0, 1000, 28801000, 28804000, 9e9, -5].map((x) => round(nightAxis.place(x)))`:                                                `[0,0.235,0.294,1,1,0]`,
		`[0, 0.235, 0.295, 1].map((x) => Math.round(nightAxis.time(x) / 1000))`:                                                       `[0,1,28801,28804]`,
		`nightAxis.ticks(0, 1, 6).map((x) => x.label)`:                                                                                `["0","8h 00m","+1 s","+2 s","+3 s"]`,
		`new Axis([{ from: 0, to: 900 }, { from: 1800, to: 2000 }], { from: 0, to: 2000 }).pieces.length`:                             `1`,
		`new Axis([], { from: 5, to: 5 }).pieces`:                                                                                     `[{"from":5,"to":6,"gap":false,"at":0,"wide":1}]`,
		`union([{ from: 3, to: 4 }, { from: 0, to: 2 }, { from: 1, to: 3 }, { from: 9, to: 8 }])`:                                     `[{"from":0,"to":4},{"from":9,"to":9}]`,
		`[0, 3, 180, 4000, 1e8].map(nice)`:                                                                                            `[1,5,200,5000,100800000]`,
		`[[0, 1], [40, 10], [1250, 10], [1250, 100], [61000, 1000], [8100000, 60000], [2e8, 1]].map(([a, b]) => since(a, b))`:         `["0","40 ms","1.25 s","1.3 s","1m 01s","2h 15m","2d 7h"]`,
		`zoom({ a: 0, b: 1 }, 0.5)`:                         `{"a":0.25,"b":0.75}`,
		`zoom({ a: 0, b: 0.5 }, 4)`:                         `{"a":0,"b":1}`,
		`zoom({ a: 0.9, b: 1 }, 0.5, 1)`:                    `{"a":0.95,"b":1}`,
		`move({ a: 0.5, b: 1 }, 0.5)`:                       `{"a":0.5,"b":1}`,
		`between(0.75, 0.5)`:                                `{"a":0.5,"b":0.75}`,
		`round(between(1, 1).b - between(1, 1).a) <= 0.001`: `true`,
	} {
		l.want(expression, want)
	}
	// Zoomed far into a long piece, ticks are still few.
	l.want(`new Axis([{ from: 0, to: 6e5 }], { from: 0, to: 6e5 }).ticks(0.5, 0.501, 8).length < 12`, `true`)
	l.want(`new Axis([{ from: 0, to: 6e5 }], { from: 0, to: 6e5 }).ticks(0.5, 0.501, 8).length > 3`, `true`)
}

// "Keyboard navigation as a tree grid (arrows)".
func TestTrace_Keys(t *testing.T) {
	l := newLogic(t, "views/trace/spans", "views/trace/rows")
	l.run(tell + `
		var roots = fold(night).roots, [turn, step, reply, call, wait] = rows(roots, () => false).map((r) => r.span.key);
		var many = [...Array(10).keys()].map((n) => fold([[0, "message.received", { text: String(n) }], [1, "skill.loaded", { name: "x" }]]).roots[0]);
		many.forEach((s, n) => { s.key = "turn-" + n; s.children[0].key = "mark-" + n; });
		var key = (k, at, closed = []) => press(k, rows(roots, (s) => closed.includes(s.key)), at);`)
	for expression, want := range map[string]string{
		`rows(roots, () => false).map((r) => [r.level, r.nth, r.of, r.open ?? null])`: `[[1,1,1,true],[2,1,3,true],[3,1,1,null],[2,2,3,true],[3,1,1,null],[2,3,3,null]]`,
		`rows(roots, (s) => s.key === turn).map((r) => r.open)`:                       `[false]`,
		`key("ArrowDown", turn).to === step`:                                          `true`,
		`key("ArrowUp", turn).to === turn`:                                            `true`,
		`key("ArrowRight", turn).to === step`:                                         `true`,
		`key("ArrowRight", turn, [turn]).open === turn`:                               `true`,
		`key("ArrowRight", reply) ?? null`:                                            `null`,
		`key("ArrowLeft", reply).to === step`:                                         `true`,
		`key("ArrowLeft", step).close === step`:                                       `true`,
		`key("ArrowLeft", step, [step]).to === turn`:                                  `true`,
		`key("ArrowLeft", turn, [turn]) ?? null`:                                      `null`,
		`key("ArrowDown", undefined).to === turn`:                                     `true`,
		`key("Home", wait).to === turn`:                                               `true`,
		`key("PageDown", call).to === key("End", call).to`:                            `true`,
		`key("x", call) ?? null`:                                                      `null`,
		// Steps are closed, whose rows say what the model said; of many turns the newest is open, and the one with what is chosen.
		`rows(roots, closedAtFirst(roots)).map((r) => r.span.key === reply)`:                                     `[false,false,false,false,false]`,
		`rows(roots, closedAtFirst(roots, reply)).map((r) => r.span.key === reply)`:                              `[false,false,true,false,false,false]`,
		`rows(many, closedAtFirst(many)).filter((r) => r.open).map((r) => r.span.name)`:                          `["9"]`,
		`rows(many, closedAtFirst(many, many[3].children[0].key)).filter((r) => r.open).map((r) => r.span.name)`: `["3","9"]`,
		`rows(many.slice(2), closedAtFirst(many.slice(2))).filter((r) => r.open).length`:                         `8`,
		`press("End", [], undefined) ?? null`:                                                                    `null`,
	} {
		l.want(expression, want)
	}
}

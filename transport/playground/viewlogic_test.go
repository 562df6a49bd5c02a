package playground

import "testing"

// "Cost charts over sessions": by day, by model, and which cost most.
func TestCosts_Sums(t *testing.T) {
	l := newLogic(t, "views/costs/sums", "format")
	l.run(`
		var u = (n) => ({ inputTokens: n, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 });
		var row = (id, day, turns, n, usd, model = "m") => ({ id, turns, updatedAt: day + "T12:00:00", createdAt: day + "T12:00:00", usage: n ? u(n) : undefined, cost: usd === undefined ? undefined : { totalUsd: usd, model } });
		var all = [row("a", "2026-03-30", 2, 10, 0.5), row("b", "2026-03-28", 1, 99, 0.25, "k"), row("c", "2026-03-28", 1, 5), row("d", "2026-03-01", 1, 7, 0.125), row("e", "2026-03-30", 0)];
		var today = Date.parse("2026-03-30T23:00:00");`)
	for expression, want := range map[string]string{
		// A day without sessions is there, and so is one on which the clocks change.
		`byDay(all, 3, today).map((s) => [s.name, s.sessions, s.turns, tokens(s.usage), s.usd ?? null, s.unpriced])`:                                                                 `[["2026-03-28",2,2,106,0.25,1],["2026-03-29",0,0,0,null,0],["2026-03-30",2,2,11,0.5,0]]`,
		`byModel(all).map((s) => [s.name, s.sessions, s.usd ?? null])`:                                                                                                               `[["m",2,0.625],["k",1,0.25],["",2,null]]`,
		`byChannel([{ ...all[0], channelId: "http" }, { ...all[1], channelId: "http", purpose: "eval" }, { ...all[3], channelId: "http" }]).map((s) => [s.name, s.sessions, s.usd])`: `[["http",2,0.625],["evals",1,0.25]]`,
		// The tiles and the charts are of the same days.
		`[1, 3, 30].map((n) => within(all, n, today).length === byDay(all, n, today).reduce((sum, d) => sum + d.sessions, 0) && within(all, n, today).length)`: `[2,4,5]`,
		`top(all, 4).map((r) => r.id)`: `["a","b","d","c"]`,
		`sum("", []).usd ?? null`:      `null`,
		`scale(0)`:                     `[0,1]`,
		`scale(7.3)`:                   `[0,2,4,6,8]`,
		`scale(0.3)`:                   `[0,0.1,0.2,0.3]`,
		`scale(1000)`:                  `[0,250,500,750,1000]`,
	} {
		l.want(expression, want)
	}
}

// "Index, time, type, one-line summary; … filter by type and text".
func TestRaw_Lines(t *testing.T) {
	l := newLogic(t, "views/raw/summary")
	l.run(`var e = (type, data) => ({ type, data, line: JSON.stringify({ type, data }) });`)
	for expression, want := range map[string]string{
		`summary(e("message.received", { text: "a\n b", from: "user" }))`:                                                 `"a b"`,
		`summary(e("message.received", { text: "a", from: "schedule" }))`:                                                 `"from schedule · a"`,
		`summary(e("actions.requested", { calls: [{ toolName: "look", args: { at: 1 } }, { toolName: "go" }] }))`:         `"look({\"at\":1}), go()"`,
		`summary(e("action.result", { toolName: "look", isError: true, code: "timeout", output: "too slow" }))`:           `"look · timeout · too slow"`,
		`summary(e("step.completed", { step: 2, finishReason: "stop", usage: { inputTokens: 1200, outputTokens: 34 } }))`: `"step 2 · stop · 1,234 tokens"`,
		`summary(e("input.resolved", { decision: "deny", by: { id: "ann" }, reason: "not now" }))`:                        `"deny · by ann · not now"`,
		`summary(e("session.started", { agent: "x", channelId: "http", mode: "chat", purpose: "live", dryRun: true }))`:   `"x · by http · chat · dry run"`,
		`summary(e("sky.fell", { a: 1 }))`:                                  `"{\"a\":1}"`,
		`summary(e("session.waiting", {}))`:                                 `""`,
		`summary(e("turn.started"))`:                                        `""`,
		`summary(e("message.appended", { text: "x".repeat(5000) })).length`: `400`,
		`["tool_error", "denied", undefined].map((code) => family({ type: "action.result", data: { isError: true, code } }))`:                                                   `["bad","tool","bad"]`,
		`["turn.failed", "step.started", "action.result", "subagent.called", "input.requested", "session.waiting"].map((type) => family({ type }))`:                             `["bad","model","tool","sub","wait",""]`,
		`[["", ""], ["turn.failed", ""], ["turn.", ""], ["step.", ""], ["", "CLOSED"], ["turn.", "open"]].map(([t, w]) => fits(e("turn.failed", { message: "closed" }), t, w))`: `[true,true,true,false,true,false]`,
	} {
		l.want(expression, want)
	}
}

// What a row says besides its name is what a person looks for in it.
func TestTrace_Notes(t *testing.T) {
	l := newLogic(t, "views/trace/spans", "views/trace/words")
	l.run(tell + `var of = (kind, facts, more = {}) => note({ kind, facts, children: [], ...more });`)
	for expression, want := range map[string]string{
		`of("tool", { args: { path: "a.md" } })`:                            `"a.md"`,
		`of("tool", { args: { level: 3, reason: "fog" } })`:                 `"level: 3, reason: fog"`,
		`of("tool", { args: {} })`:                                          `""`,
		`of("tool", {})`:                                                    `""`,
		`of("sub", { task: "write" })`:                                      `"write"`,
		`of("text", { text: "hello" })`:                                     `"hello"`,
		`of("wait", {})`:                                                    `"waits for a person"`,
		`of("wait", { decision: "approve", by: "ann" })`:                    `"approved by ann"`,
		`of("wait", { decision: "expired" })`:                               `"expired"`,
		`of("turn", { from: "schedule" })`:                                  `"from schedule"`,
		`of("step", { model: "a" }, { inside: { facts: { model: "a" } } })`: `""`,
		`of("step", { model: "b", repair: "no JSON", finish: "length" }, { inside: { facts: {} } })`: `"mends its reply, length, b"`,
		// What went wrong says why, where it went wrong alone.
		`of("tool", { args: { ship: "Aurora" }, error: "no answer" })`:                                            `"no answer"`,
		`of("turn", { from: "schedule", error: "no" }, { children: [{ kind: "step", facts: { error: "no" } }] })`: `"from schedule"`,
		`of("turn", { error: "the budget is spent" }, { children: [{ kind: "tool", facts: { error: "no" } }] })`:  `"the budget is spent"`,
		// A step says what its model said, which is not shown a second time while it is closed.
		`of("step", {}, { children: [{ kind: "reasoning", facts: { text: "hm" } }, { kind: "text", facts: { text: "Merged." } }] })`: `"Merged."`,
		`of("step", { finish: "length" }, { children: [{ kind: "reasoning", facts: { text: "hm" } }], inside: { facts: {} } })`:      `"hm · length"`,
	} {
		l.want(expression, want)
	}
}

// Rows are found by their kind, how they went, and what they say; what they lie in is shown.
func TestTrace_Find(t *testing.T) {
	l := newLogic(t, "views/trace/spans", "views/trace/rows", "views/trace/words")
	l.run(tell + `
		var work = fold([ask, start, [0, "step.started", { step: 1, attempt: 1 }], [1, "message.completed", { text: "I look." }], [1, "step.completed", { step: 1, attempt: 1 }],
			[1, "actions.requested", { calls: [{ callId: "c1", toolName: "write", args: { path: "a.md" } }, { callId: "c2", toolName: "look" }] }], [1, "subagent.called", { callId: "c1", name: "clerk", task: "write" }],
			[2, "actions.requested", { parentCallId: "c1", calls: [{ callId: "c3", toolName: "save", args: { path: "b.md" } }] }], [3, "action.result", { callId: "c3", isError: true, code: "timeout", output: "too slow" }],
			[3, "action.result", { callId: "c1", output: "ok" }], [3, "action.result", { callId: "c2", output: 1, stubbed: true }]]).roots;
		var find = (words) => { const { shown, found } = sift(work, words); return [found, ...rows(work, () => true, shown).map((r) => r.span.name)]; };`)
	for expression, want := range map[string]string{
		`find("failed")`:          `[1,"hi","clerk","save"]`,
		`find("B.MD")`:            `[1,"hi","clerk","save"]`,
		`find("timeout")`:         `[1,"hi","clerk","save"]`,
		`find("tool done")`:       `[1,"hi","look"]`,
		`find("stubbed")`:         `[1,"hi","look"]`,
		`find("subagent")`:        `[1,"hi","clerk"]`,
		`find("model")`:           `[1,"hi","Step 1"]`,
		`find("reply look")`:      `[1,"hi","Step 1","Reply"]`,
		`find("nothing of that")`: `[0]`,
		// What is not shown is not counted among those beside it.
		`rows(work, () => false, sift(work, "stubbed").shown).map((r) => [r.nth, r.of, r.open ?? null])`: `[[1,1,true],[1,1,null]]`,
	} {
		l.want(expression, want)
	}
}

package playground

import "testing"

const suite = `
	var of = (id, more = {}) => ({ id, file: "evals/" + id + ".eval.ts", tags: [], iteration: 1, iterations: 1, timeoutMs: 1000, ...more });
	var listing = {
		cases: [
			of("merge/asks", { tags: ["smoke"], description: "Asks a person first" }), of("merge/denied"), of("review", { tags: ["smoke", "slow"] }), of("review/deep", { description: "Looks twice" }),
			...[1, 2, 3].map((iteration) => of("again/" + iteration, { iteration, iterations: 3, tags: ["slow"] })),
		],
		broken: [{ id: "odd/file", message: "evals/odd/file.eval.ts:2: it does not load" }],
	};
	var top = treeOf(listing), all = leaves(top), set = (...ids) => new Set(ids);
	var node = (id, n = top) => n.id === id ? n : n.children.map((c) => node(id, c)).find(Boolean);
	var rows = (...closed) => rowsOf(top, (id) => closed.includes(id));
	var shown = (words, ...tags) => leaves(treeOf(filtered(listing, { words, tags: set(...tags) })));`

// "The discovered cases as a tree by id", filtered by tag and text, with what is chosen.
func TestEvals_Tree(t *testing.T) {
	l := newLogic(t, "views/evals/tree")
	l.run(suite)
	for expression, want := range map[string]string{
		// Iterations are one row, a file with a fault is one too, and a case may lie below another.
		`all`: `["merge/asks","merge/denied","review","review/deep","again","odd/file"]`,
		`rows().map((r) => [r.level, r.node.name, r.open ?? null, r.nth, r.of])`: `[[1,"merge",true,1,4],[2,"asks",null,1,2],[2,"denied",null,2,2],[1,"review",true,2,4],[2,"deep",null,1,1],[1,"again",null,3,4],[1,"odd",true,4,4],[2,"file",null,1,1]]`,
		`rows("merge", "odd").map((r) => r.node.id)`:                             `["merge","review","review/deep","again","odd"]`,
		`tagsOf(listing.cases)`:                                                  `[["slow",2],["smoke",2]]`,
		`shown("", "slow")`:                                                      `["review","again"]`,
		`shown("SMOKE asks")`:                                                    `["merge/asks"]`,
		`shown("twice")`:                                                         `["review/deep"]`,
		`shown("does not load")`:                                                 `["odd/file"]`,
		`shown("nothing such")`:                                                  `[]`,
		// The shortest selection that reaches what is chosen, and nothing else.
		`selectorsOf(top, set(...all))`:                                         `[]`,
		`selectorsOf(top, set("merge/asks", "merge/denied", "again"))`:          `["merge","again"]`,
		`selectorsOf(top, set("merge/asks", "review/deep"))`:                    `["merge/asks","review/deep"]`,
		`selectorsOf(top, set("review", "review/deep"))`:                        `["review"]`,
		`["merge", "again"].map((id) => chosenOf(node(id), set("merge/asks")))`: `["some","none"]`,
		`[...toggled(node("merge"), set("merge/asks"))]`:                        `["merge/asks","merge/denied"]`,
		`[...toggled(node("merge"), set("merge/asks", "merge/denied"))]`:        `[]`,
		`keyed("ArrowDown", rows(), "merge")`:                                   `{"to":"merge/asks"}`,
		`keyed("ArrowLeft", rows(), "merge/asks")`:                              `{"to":"merge"}`,
		`keyed("ArrowLeft", rows(), "merge")`:                                   `{"close":"merge"}`,
		`keyed("ArrowRight", rows("merge"), "merge")`:                           `{"open":"merge"}`,
		`keyed("End", rows(), "merge")`:                                         `{"to":"odd/file"}`,
		`keyed("ArrowUp", rows(), "merge")`:                                     `{"to":"merge"}`,
		`keyed("ArrowDown", [], "")`:                                            `{}`,
		`keyed("x", rows(), "merge")`:                                           `{}`,
	} {
		l.want(expression, want)
	}
}

// A case that has others below it can be chosen by its id only with them: the host selects
// "the cases of an id and those below it".
func TestEvals_CaseAboveOthers(t *testing.T) {
	l := newLogic(t, "views/evals/tree")
	l.run(suite)
	l.want(`[...toggled(node("review"), set())]`, `["review","review/deep"]`)
	l.want(`[...toggled(node("review/deep"), set("review", "review/deep"))]`, `[]`)
	l.want(`selectorsOf(top, set("review/deep"))`, `["review/deep"]`)
	l.want(`selectorsOf(top, set("review"))`, `["review"]`)
}

const runs = `
	var use = (n) => ({ inputTokens: n, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 });
	var ended = (id, verdict, n = 10, costUsd = 0.01, more = {}) => ({ id, verdict, iteration: 1, iterations: 1, tags: [], assertions: [], durationMs: 5, metrics: { usage: use(n), costUsd, steps: n ? 1 : 0, judgeCalls: 0 }, ...more });
	var thrice = (...all) => all.map((v, i) => ended("again/" + (i + 1), v, 10, 0.01, { iteration: i + 1, iterations: 3 }));
	var run = (...results) => ({ runId: "r", status: "completed", filterIds: [], tags: [], running: [], durationMs: 9, results, totals: { cases: results.length, done: results.length, passed: 1, failed: 0, scored: 0, skipped: 0 } });
	var pairs = (a, b) => compare(run(...a), run(...b)).pairs.map((p) => [p.id, p.change]);`

// "Compare with another run of the history: changed verdicts, tokens and cost side by side".
func TestEvals_Compare(t *testing.T) {
	l := newLogic(t, "views/evals/compare")
	l.run(runs)
	for expression, want := range map[string]string{
		`pairs([ended("a", "passed"), ended("b", "failed"), ended("c", "scored"), ended("gone", "passed")], [ended("a", "failed"), ended("b", "passed"), ended("c", "scored"), ended("new", "passed")])`: `[["a","worse"],["b","better"],["c","same"],["new","added"],["gone","removed"]]`,
		`pairs([ended("a", "passed")], [ended("a", "skipped")])`:                               `[["a","changed"]]`,
		`pairs(thrice("passed", "failed", "failed"), thrice("passed", "passed", "failed"))`:    `[["again","better"]]`,
		`pairs(thrice("passed", "failed", "failed"), thrice("scored", "failed", "failed"))`:    `[["again","worse"]]`,
		`compare(run(ended("a", "passed", 10, null)), run(ended("a", "passed", 15))).pairs[0]`: `{"id":"a","change":"same","before":{"verdict":"passed","iterations":1,"passed":1,"failed":0,"tokens":10,"usd":null,"ms":5},"after":{"verdict":"passed","iterations":1,"passed":1,"failed":0,"tokens":15,"usd":0.01,"ms":5}}`,
		// What asked no model costs nothing, though no price is known.
		`compare(run(), run(ended("a", "skipped", 0, null))).pairs[0].after.usd`:                                                        `0`,
		`compare(run(), run(...thrice("passed", "failed", "passed"))).counts`:                                                           `{"worse":0,"better":0,"changed":0,"same":0,"added":1,"removed":0}`,
		`[more(100, 116), more(100, 50), more(1000, 1003), more(5, 5), more(0, 9), more(null, 1), more(1, null), more(100000, 100001)]`: `["+16 %","−50 %","+0.3 %","","","","",""]`,
	} {
		l.want(expression, want)
	}
}

// What a page says of runs and results.
func TestEvals_Words(t *testing.T) {
	l := newLogic(t, "views/evals/sums")
	l.run(runs + `var miss = (name, severity, passed) => ({ name, severity, passed, message: "it is 2", score: 0, threshold: 1 });`)
	for expression, want := range map[string]string{
		`told({ ...run(), status: "running", totals: { cases: 40, done: 12, passed: 10, failed: 2, scored: 0, skipped: 0 } })`: `"12 of 40 cases done: 2 failed, 10 passed"`,
		`told({ ...run(), status: "cancelled", totals: { cases: 3, done: 1, passed: 1, failed: 0, scored: 0, skipped: 0 } })`:  `"The run was cancelled: 1 passed, 2 not run"`,
		`told(run(ended("a", "passed")))`: `"The run ended: 1 passed"`,
		`[selected({ ids: [], tags: [] }), selected({ ids: ["a", "b", "c", "d"], tags: ["x"] })]`: `["all cases","a, b, c and 1 more, tagged x"]`,
		`[passed(1999, true), passed(1999, false), passed(61000, true)]`:                          `["1 s","2.00 s","1 min 1 s"]`,
		`[...latest([run(...thrice("passed", "scored", "passed"), ended("b", "passed"))])]`:       `[["again","scored"],["b","passed"]]`,
		`[...latest([{ ...run(ended("b", "passed")), running: ["c"] }])]`:                         `[["b","passed"],["c","running"]]`,
		`find(thrice("passed", "failed", "scored"), "again").id`:                                  `"again/2"`,
		`find(thrice("passed", "failed", "scored"), "again/3").id`:                                `"again/3"`,
		`find([], "a") ?? null`: `null`,
		`shownResults([ended("a", "passed"), ended("b", "failed")], new Set(["failed"]), "").map((r) => r.id)`:                       `["b"]`,
		`shownResults([ended("a", "passed"), ended("b", "failed", 1, 1, { tags: ["Slow"] })], new Set(), "slow B").map((r) => r.id)`: `["b"]`,
		`why(ended("a", "failed", 1, 1, { assertions: [miss("soft", "soft", false), miss("hard", "gate", false)] }))`:                `"hard: it is 2"`,
		`why(ended("a", "scored", 1, 1, { assertions: [miss("bar", "atLeast", false)] }))`:                                           `"bar: it is 2"`,
		`why(ended("a", "passed", 1, 1, { description: "Says hello", assertions: [miss("soft", "soft", false)] }))`:                  `"Says hello"`,
		`why(ended("a", "failed", 1, 1, { error: { kind: "test", message: "boom" } }))`:                                              `"boom"`,
		`why(ended("a", "skipped", 1, 1, { skipReason: "not yet" }))`:                                                                `"not yet"`,
	} {
		l.want(expression, want)
	}
}

// "Copy the CLI command": what a shell runs is what the page would, and no token stands in it.
func TestEvals_Command(t *testing.T) {
	l := newLogic(t, "views/evals/command")
	for expression, want := range map[string]string{
		`command("http://127.0.0.1:3000/clerk", { ids: [], tags: [] }, false)`:           `"bdk eval --url http://127.0.0.1:3000/clerk"`,
		`command("http://h", { ids: ["a/b", "c d", "e'f"], tags: ["x y", "-z"] }, true)`: `"bdk eval a/b 'c d' 'e'\\''f' --url http://h --tag='x y' --tag=-z --verbose"`,
		`command("http://h", { ids: ["-a", "b"], tags: [] }, true)`:                      `"bdk eval --url http://h --verbose -- -a b"`,
		`command("http://h", { ids: ["$(id)", "` + "`id`" + `"], tags: [] }, false)`:     `"bdk eval '$(id)' '` + "`id`" + `' --url http://h"`,
	} {
		l.want(expression, want)
	}
}

// "Live progress (polling with backoff)": often while cases end, seldom while none does or
// nobody looks, and never more often than the host can answer.
func TestEvals_Poll(t *testing.T) {
	l := newLogic(t, "views/evals/poll")
	l.run(`var waits = (...done) => { let pace = { wait: 250, done: -1 }; return done.map((d) => { const n = next(pace, d, 10, false); pace = n.pace; return n.sleep; }); };`)
	for expression, want := range map[string]string{
		`waits(0, 0, 0, 0, 0, 0, 1, 1)`:                                `[250,500,1000,2000,3000,3000,250,500]`,
		`waits(undefined, undefined, undefined)`:                       `[250,500,1000]`,
		`next({ wait: 250, done: 1 }, 2, 900, false).sleep`:            `3600`,
		`next({ wait: 250, done: 1 }, 2, 10, true).sleep`:              `3000`,
		`next({ wait: 250, done: 4 }, undefined, 10, false).pace.done`: `4`,
	} {
		l.want(expression, want)
	}
}

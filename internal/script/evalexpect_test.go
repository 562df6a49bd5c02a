package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/internal/eval"
)

// A grader is a driver that has no session, and a judge that answers what answer gives.
type grader struct {
	eval.Driver
	answer func(prompt string) (string, error)

	mu      sync.Mutex
	prompts []string
	configs []string
}

func (g *grader) Judge(_ context.Context, prompt string, config json.RawMessage) (*eval.Judgement, error) {
	g.mu.Lock()
	g.prompts, g.configs = append(g.prompts, prompt), append(g.configs, string(config))
	g.mu.Unlock()
	text, err := g.answer(prompt)
	if err != nil {
		return nil, err
	}
	return &eval.Judgement{Text: text, Model: "grader-1"}, nil
}

// evaluated runs the body of a test in a project of its own; what it throws and logs is
// in the record.
func evaluated(t *testing.T, body string, d eval.Driver, judge string, change ...func(*Options)) *eval.Record {
	t.Helper()
	text := `import { defineEval, includes, equals, matches, satisfies, similarity, normalizedSimilarity, fenceUntrusted, EVAL_JUDGE_INJECTION_GUARD } from "@cursor/bdk/evals";
import { z } from "zod";
export default defineEval({ async test(t) {` + body + `} });`
	if len(change) == 0 {
		text = strings.Replace(text, "import { z } from \"zod\";\n", "", 1)
	}
	p := load(t, map[string]string{"slots/case.ts": text}, change...)
	if l := p.loaded("slots/case"); l.Err != nil {
		t.Fatal(l.Err, l.Err.Place())
	}
	var config json.RawMessage
	if judge != "" {
		config = json.RawMessage(judge)
	}
	if d == nil {
		d = &grader{}
	}
	r, err := p.rt.RunEval(t.Context(), &eval.Case{ID: "case", Iteration: 1, Iterations: 1, Ref: eval.Ref{Module: "slots/case", Index: -1, Case: -1}}, config, 0, d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// row writes an assertion in one line.
func row(a eval.Assertion) string {
	return fmt.Sprintf("%s %v %s", a.Severity, a.Score, a.Message)
}

// findings are checks, and what each finds.
var findings = []struct{ check, want string }{
	{`t.check("a Deploy", includes("Deploy"))`, "gate 1 "},
	{`t.check("a deploy", includes("Deploy"))`, `gate 0 it is "a deploy"`},
	{`t.check("a deploy", includes(/DEPLOY/i))`, "gate 1 "},
	{`t.check("a deploy", includes(/^deploy/))`, `gate 0 it is "a deploy"`},
	{`t.check(42, includes("4"))`, "gate 1 "},
	{`t.check(true, includes(/^true$/))`, "gate 1 "},
	{`t.check(undefined, includes("x"))`, "gate 0 it is missing, and no text"},
	{`t.check(null, includes("x"))`, "gate 0 it is null, and no text"},
	{`t.check(["x"], includes("x"))`, "gate 0 it is an array, and no text"},
	{`t.check({ x: "x" }, includes(/x/))`, "gate 0 it is an object, and no text"},
	{`t.check("日本語 👩‍🚒", includes("本語 👩"))`, "gate 1 "},
	{`t.check("", includes(/^$/))`, "gate 1 "},

	{`t.check({ a: [1, { b: 2 }] }, equals({ a: [1, { b: 2 }] }))`, "gate 1 "},
	{`t.check({ b: 1, a: 2 }, equals({ a: 2, b: 1 }))`, "gate 1 "},
	{`t.check({ a: 1, more: 2 }, equals({ a: 1 }))`, "gate 0 more is not expected"},
	{`t.check({}, equals({ a: 1 }))`, "gate 0 a is missing"},
	{`t.check([1], equals([1, 2]))`, "gate 0 it has 1 items, not 2"},
	{`t.check([], equals({}))`, "gate 0 it is [], not {}"},
	{`t.check(NaN, equals(NaN))`, "gate 1 "},
	{`t.check(-0, equals(0))`, "gate 1 "},
	{`t.check("1", equals(1))`, `gate 0 it is "1", not 1`},
	{`t.check(null, equals(undefined))`, "gate 0 it is null, not undefined"},
	{`t.check("x", equals("x"))`, "gate 1 "},

	{`t.check({ n: 1 }, matches({ type: "object", required: ["n"] }))`, "gate 1 "},
	{`t.check({ m: 1 }, matches({ type: "object", required: ["n"], properties: { m: { type: "string" } } }))`, "gate 0 m: must be a string, not a number; n: is required"},
	{`t.check(undefined, matches({ type: "object" }))`, "gate 0 there is no value"},
	{`t.check("12", matches({ pattern: "^[0-9]+$" }))`, "gate 1 "},
	{`t.check(new Map(), matches({ type: "object" }))`, "gate 0 the value is a Map, which JSON cannot express; use Object.fromEntries(map) or [...map]"},

	{`t.check(4, satisfies((n) => n > 3, "more than three"))`, "gate 1 "},
	{`t.check(2, satisfies((n) => n > 3, "more than three"))`, "gate 0 the predicate gave false for 2"},
	{`t.check(4, satisfies(async (n) => n > 3, "more than three"))`, "gate 1 "},
	{`t.check(2, satisfies(async (n) => n > 3, "more than three"))`, "gate 0 the predicate gave false for 2"},
	{`t.check(null, satisfies((x) => x.name === "a", "is called a"))`, "gate 0 the predicate threw: cannot read property 'name' of null"},
	{`t.check(1, satisfies(async () => { throw new Error("offline"); }, "x"))`, "gate 0 the predicate threw: offline"},
	{`t.check(1, satisfies(() => { throw "bare"; }, "x"))`, "gate 0 the predicate threw: bare"},
	{`t.check("ab", satisfies((s) => s.match(/a/), "x"))`, "gate 1 "},
	{`t.check("ab", satisfies(() => {}, "forgets to return"))`, `gate 0 the predicate gave undefined for "ab"`},

	{`t.check("same", similarity("same"))`, "soft 1 "},
	{`t.check("abcd", similarity("abxd"))`, `soft 0.75 it is "abcd"`},
	{`t.check(undefined, similarity("x"))`, "soft 0 it is missing, and no text"},
	{`t.check(5, similarity("5"))`, "soft 0 it is 5, and no text"},
}

// "includes(string | RegExp), equals(value), matches(schema), satisfies(predicate, label):
// Hard gate; similarity(expected): Soft score", in both directions
func TestExpectations_HoldAndMiss(t *testing.T) {
	t.Parallel()
	body := ""
	for _, c := range findings {
		body += c.check + ";\n"
	}
	r := evaluated(t, body, nil, "")
	if r.Error != nil || len(r.Assertions) != len(findings) {
		t.Fatalf("%d rows: %+v", len(r.Assertions), r.Error)
	}
	for i, c := range findings {
		if got := row(r.Assertions[i]); got != c.want {
			t.Errorf("%s:\n%s\n%s", c.check, got, c.want)
		}
		if passed := strings.HasSuffix(c.want, " 1 "); r.Assertions[i].Passed != passed {
			t.Errorf("%s: passed %v", c.check, r.Assertions[i].Passed)
		}
	}
	if name := r.Assertions[0].Name; name != `check(includes("Deploy"))` {
		t.Error(name)
	}
}

// "matches accepts Standard Schema implementations such as Zod", with Zod 3 and 4, their
// async checks, and any other library's.
func TestMatches_TakesSchemasOfEveryKind(t *testing.T) {
	t.Parallel()
	body := `
const own = (validate) => ({ "~standard": { version: 1, vendor: "own", validate } });
t.check({ name: "a" }, matches(z.object({ name: z.string() })));
t.check({ name: 1 }, matches(z.object({ name: z.string() })));
t.check("a", matches(z.string().refine(async (s) => s === "a", "not a")));
t.check("b", matches(z.string().refine(async (s) => s === "a", "not a")));
t.check(1, matches(own((value) => ({ value }))));
t.check(1, matches(own(() => ({ issues: [{ message: "never", path: ["a", { key: 0 }] }] }))));
t.check(1, matches(own(async (value) => ({ value }))));
t.check(1, matches(own(async () => ({ issues: [{ message: "later" }] }))));
t.check(1, matches({ safeParse() { throw new Error("at once"); }, async safeParseAsync() { return { success: false, error: { issues: [{ message: "by and by", path: [] }] } }; } }));
t.check("2026", matches(z.coerce.number()));
`
	want := []string{"gate 1 ", "gate 0 name: ", "gate 1 ", "gate 0 not a", "gate 1 ", "gate 0 a[0]: never", "gate 1 ", "gate 0 later", "gate 0 by and by", "gate 1 "}
	for _, version := range []string{"zod3", "zod4"} {
		r := evaluated(t, body, nil, "", withPackages(t, version))
		if r.Error != nil || len(r.Assertions) != len(want) {
			t.Fatalf("%s: %d rows: %+v", version, len(r.Assertions), r.Error)
		}
		for i, a := range r.Assertions {
			if got := row(a); !strings.HasPrefix(got, want[i]) {
				t.Errorf("%s, %d: %s, want %s", version, i, got, want[i])
			}
		}
	}
}

// An expectation that could never miss, or was built wrong, is no expectation.
func TestExpectations_BuiltWrongAreRefused(t *testing.T) {
	t.Parallel()
	for build, want := range map[string]string{
		`includes("")`:                                 "includes needs a text or a regular expression, not empty",
		`includes(undefined)`:                          "includes needs a text or a regular expression, not missing",
		`includes(42)`:                                 "includes needs a text or a regular expression, not 42",
		`matches({ verdict: "review" })`:               "matches needs a schema, and this object has no word of JSON Schema, so any value would fit: use equals for a value, t.calledTool and its like for a part of one",
		`matches({})`:                                  "matches needs a schema, and this object has no word of JSON Schema, so any value would fit: use equals for a value, t.calledTool and its like for a part of one",
		`matches("object")`:                            `matches needs a schema, such as one of Zod's or a JSON Schema, not "object"`,
		`matches(undefined)`:                           "matches needs a schema, such as one of Zod's or a JSON Schema, not missing",
		`matches({ type: "objekt" })`:                  "matches was given no JSON Schema: ",
		`satisfies("x", "y")`:                          `satisfies needs a predicate, not "x"`,
		`satisfies(() => true, 5)`:                     "the label of satisfies is a text, not 5",
		`similarity(undefined)`:                        "similarity needs a text, not missing",
		`normalizedSimilarity("x")`:                    "normalizedSimilarity needs two texts, not missing",
		`normalizedSimilarity("x".repeat(100001), "")`: "a text of 100001 characters is too long to compare: at most 100000; compare a part of it",
		`fenceUntrusted({})`:                           "fenceUntrusted needs a text, not an object",
	} {
		r := evaluated(t, build, nil, "")
		if r.Error == nil || r.Error.Kind != eval.FaultTest || !strings.HasPrefix(r.Error.Message, want) {
			t.Errorf("%s: %+v, want %s", build, r.Error, want)
		}
	}
}

// "normalizedSimilarity(value, expected) returns the same 0-to-1 value used by
// similarity": (n - d) / n over code points, white space at the ends cut.
func TestSimilarity_IsTheDocumentedFormula(t *testing.T) {
	t.Parallel()
	table := []struct {
		value, expected string
		want            float64
	}{
		{"", "", 1}, {"  \n", "", 1}, {"abc", "", 0}, {"", "abc", 0}, {"abc", "abc", 1}, {"\t abc\n", "abc", 1}, {"abc", "ABC", 0},
		{"kitten", "sitting", 4.0 / 7}, {"abcd", "abxd", 0.75}, {"a b", "ab", 2.0 / 3}, {"café", "cafe", 0.75}, {"cafe\u0301", "café", 3.0 / 5},
		{"👩👩", "👩", 0.5}, {"日本語", "日本", 2.0 / 3}, {strings.Repeat("x", 20_000), strings.Repeat("x", 10_000) + strings.Repeat("y", 10_000), 0.5},
	}
	body := ""
	for _, c := range table {
		value, _ := json.Marshal(c.value)
		expected, _ := json.Marshal(c.expected)
		body += fmt.Sprintf("t.check(%s, similarity(%s)); t.score('n', normalizedSimilarity(%[1]s, %[2]s)); t.score('back', normalizedSimilarity(%[2]s, %[1]s));\n", value, expected)
	}
	r := evaluated(t, body, nil, "")
	if r.Error != nil || len(r.Assertions) != 3*len(table) {
		t.Fatalf("%d rows: %+v", len(r.Assertions), r.Error)
	}
	for i, a := range r.Assertions {
		if c := table[i/3]; a.Score != c.want {
			t.Errorf("%.20q, %.20q: %v, want %v", c.value, c.expected, a.Score, c.want)
		}
	}
}

// What looks at a value with g or y leaves no trace in the expression.
func TestIncludes_KeepsNoLastIndex(t *testing.T) {
	t.Parallel()
	r := evaluated(t, `const g = /a/g, y = /a/y, e = includes(g), f = includes(y);
for (let i = 0; i < 3; i++) { t.check("xa", e); t.check("ax", f); }
t.check([g.lastIndex, y.lastIndex], equals([0, 0]));`, nil, "")
	for i, a := range r.Assertions {
		if a.Score != 1 {
			t.Errorf("%d: %s", i, row(a))
		}
	}
}

// "Load committed JSON, JSONL, or YAML relative to the project root", with top-level await
func TestLoaders_ReadDataSetsAsTheModuleLoads(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"evals/data/cases.yaml": "- task: a\n  prompt: Say no\n  expected: no\n  n: .nan\n- task: b\n  prompt: Say 1:30\n  expected: 1:30\n  ver: 1.10\n",
		"evals/data/rows.jsonl": "\ufeff{\"a\":1}\r\n\r\n{\"a\":2}\r\n{\"a\":3}",
		"evals/data/one.json":   "{\"__proto__\":1,\"list\":[1,2]}",
		"evals/data/bad.jsonl":  "{\"a\":1}\n\n{\"a\":}\n",
		"slots/good.ts": `import { loadJson, loadJsonl, loadYaml } from "@cursor/bdk/evals/loaders";
import { defineEval } from "@cursor/bdk/evals";
const rows = await loadYaml<Array<{ task: string }>>("evals/data/cases.yaml"), lines = await loadJsonl("evals/data/rows.jsonl"), one = await loadJson("evals/data/one.json");
export default [defineEval({ description: JSON.stringify([rows, Number.isNaN(rows[0].n), lines, Object.keys(one)]), test() {} })];`,
		"slots/bad.ts":  `import { loadJsonl } from "@cursor/bdk/evals/loaders"; export default await loadJsonl("evals/data/bad.jsonl");`,
		"slots/none.ts": `import { loadYaml } from "@cursor/bdk/evals/loaders"; export default await loadYaml("data/cases.yaml");`,
		"slots/out.ts":  `import { loadJson } from "@cursor/bdk/evals/loaders"; export default await loadJson("../x.json");`,
		"slots/path.ts": `import { loadJson } from "@cursor/bdk/evals/loaders"; export default await loadJson(new URL("./x", import.meta.url) as any);`,
	})
	var spec []struct{ Description string }
	if err := json.Unmarshal(p.loaded("slots/good").Spec, &spec); err != nil {
		t.Fatal(err, p.loaded("slots/good").Err)
	}
	if want := `[[{"task":"a","prompt":"Say no","expected":"no","n":null},{"task":"b","prompt":"Say 1:30","expected":"1:30","ver":1.1}],true,[{"a":1},{"a":2},{"a":3}],["__proto__","list"]]`; spec[0].Description != want {
		t.Error(spec[0].Description)
	}
	for id, want := range map[string]string{
		"bad":  "loadJsonl: evals/data/bad.jsonl:3:6: is no JSON: invalid character '}' looking for beginning of value",
		"none": "loadYaml: data/cases.yaml: there is no such file; paths begin at the project's folder",
		"out":  "loadJson: ../x.json: the path leads out of the project's folder: put the file into the project, or read it with node:fs",
		"path": "loadJson needs a path, relative to the project's folder, not an object",
	} {
		if l := p.loaded("slots/" + id); l.Err == nil || l.Err.Message != want {
			t.Errorf("%s: %v, want %s", id, l.Err, want)
		}
	}
	if log := p.log.String(); !strings.Contains(log, `"level":"warn"`) || !strings.Contains(log, "loadYaml: evals/data/cases.yaml:8:8: 1.10 is the number 1.1: put quotes around what is meant as text") {
		t.Errorf("no warning of 1.10 in %s", log)
	}
}

// "Built-in reporters include JUnit({ filePath, suiteName? }) and Artifacts({ dir })"
func TestReporters_AreData(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"slots/config.ts": `import { defineEvalConfig, JUnit, Artifacts } from "@cursor/bdk/evals";
export default defineEvalConfig({ maxConcurrency: 1, reporters: [JUnit({ filePath: "junit.xml", suiteName: "s" }), Artifacts({ dir: "out", reporter: "mine" } as any)] });`,
		"slots/bad.ts": `import { JUnit } from "@cursor/bdk/evals"; export default JUnit("junit.xml" as any);`,
	})
	var spec struct{ Reporters json.RawMessage }
	if err := json.Unmarshal(p.loaded("slots/config").Spec, &spec); err != nil || string(spec.Reporters) != `[{"filePath":"junit.xml","suiteName":"s","reporter":"junit"},{"dir":"out","reporter":"artifacts"}]` {
		t.Error(err, string(spec.Reporters))
	}
	if l := p.loaded("slots/bad"); l.Err == nil || l.Err.Message != `JUnit needs an object of options, not "junit.xml"` {
		t.Error(l.Err)
	}
}

var errOffline = errors.New("the provider answered 500")

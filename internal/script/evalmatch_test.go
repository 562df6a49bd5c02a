package script

import (
	"fmt"
	"strings"
	"testing"
)

// comparisons are pairs of an expected and an actual value, and whether they match.
var comparisons = []struct {
	expected, value string
	partial, full   bool
}{
	{`{ a: 1 }`, `{ a: 1.0 }`, true, true},
	{`{ a: null }`, `{}`, false, false},
	{`{ a: undefined }`, `{}`, true, true},
	{`{}`, `{ a: undefined }`, true, true},
	{`{ a: undefined }`, `{ a: null }`, false, false},
	{`{ a: null }`, `{ a: null }`, true, true},
	{`[]`, `{}`, false, false},
	{`{}`, `[]`, false, false},
	{`{}`, `null`, false, false},
	{`{}`, `{ a: 1 }`, true, false},
	{`[]`, `[]`, true, true},
	{`[1, 2]`, `[1]`, false, false},
	{`[1]`, `[1, 2]`, false, false},
	{`[[1, 2], [3]]`, `[[1, 2], [3, 4]]`, false, false},
	{`[{ a: 1 }]`, `[{ a: 1, b: 2 }]`, true, false},
	{`NaN`, `NaN`, true, true},
	{`-0`, `0`, true, true},
	{`0`, `-0`, true, true},
	{`1e2`, `100`, true, true},
	{`0.1 + 0.2`, `0.3`, false, false},
	{`1`, `"1"`, false, false},
	{`1`, `true`, false, false},
	{`{ a: 1, b: 2 }`, `{ b: 2, a: 1 }`, true, true},
	{`"\u00e9"`, `"e\u0301"`, false, false},
	{`"\u00e9"`, `"é"`, true, true},
	{`""`, `null`, false, false},
	{`{ length: 2 }`, `[1, 2]`, false, false},
	{`{ toString: 1 }`, `{}`, false, false},
	{`JSON.parse('{"__proto__": 1}')`, `{}`, false, false},
	{`new Date(0)`, `"1970-01-01T00:00:00.000Z"`, true, true},
	{`new Date(0)`, `new Date(0)`, true, true},
	{`new Date(0)`, `new Date(1)`, false, false},
	{`1n`, `1n`, true, true},
	{`/a/`, `"cat"`, true, false},
	{`/^a/`, `"cat"`, false, false},
	{`/1/`, `10`, true, false},
	{`/true/`, `true`, true, false},
	{`/a/`, `{ a: 1 }`, false, false},
	{`/null/`, `null`, false, false},
}

// The corner cases of comparison, in both ways: partial, as matchers do it, and full, as
// equals does. "objects partial, arrays of equal length, null is not missing, NaN equals
// NaN, -0 equals 0, 1e2 equals 100, key order nothing, strings by code units".
func TestEval_Comparison(t *testing.T) {
	t.Parallel()
	body := "const rows: any[] = [\n"
	for _, c := range comparisons {
		body += fmt.Sprintf("[%s, %s],\n", c.expected, c.value)
	}
	body += `];
for (const [expected, value] of rows) t.check(value, equals(expected));`
	rec := runTest(t, &stage{}, body)
	if len(rec.Assertions) != len(comparisons) {
		t.Fatal(lines(rec))
	}
	for i, c := range comparisons {
		if got := rec.Assertions[i]; got.Passed != c.full {
			t.Errorf("equals(%s) of %s: %v, %s", c.expected, c.value, got.Passed, got.Message)
		}
	}
	partial := comparePartial(t, func() (list [][2]string) {
		for _, c := range comparisons {
			list = append(list, [2]string{c.expected, c.value})
		}
		return list
	}())
	for i, c := range comparisons {
		if partial[i] != c.partial {
			t.Errorf("matching %s with %s: %v", c.value, c.expected, partial[i])
		}
	}
}

// comparePartial matches values, which JSON may not have, as the parts of matchers.
func comparePartial(t *testing.T, pairs [][2]string) []bool {
	t.Helper()
	var body strings.Builder
	for _, p := range pairs {
		fmt.Fprintf(&body, "t.log(mismatch(%s, %s) === '');\n", p[0], p[1])
	}
	rec := runTest(t, &stage{}, `import { mismatch } from "bdk:platform/_evals/match.js";`+body.String())
	var out []bool
	for _, l := range rec.Logs {
		out = append(out, l == "true")
	}
	if len(out) != len(pairs) {
		t.Fatal(lines(rec))
	}
	return out
}

// "RegExp with g/y flags never keeps lastIndex"
func TestEval_ExpressionsKeepNothing(t *testing.T) {
	t.Parallel()
	same(t, "expressions", lines(runTest(t, &stage{}, `
const g = /a/g, y = /a/y;
for (let i = 0; i < 2; i++) { t.check("ba", includes(g)); t.check("ab", includes(y)) }
g.lastIndex = 1; t.check("a", includes(g)); t.log(g.lastIndex, y.lastIndex);
`)), strings.Split(strings.Repeat("hold check(includes(/a/g)) gate>=1\nhold check(includes(/a/y)) gate>=1\n", 2)+"hold check(includes(/a/g)) gate>=1\nlog 1 0", "\n")...)
}

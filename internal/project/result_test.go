package project

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "with a schema alone the reply's JSON (bare or fenced) is parsed and validated"
func TestParseReply(t *testing.T) {
	t.Parallel()
	block := func(info, body string) string { return "```" + info + "\n" + body + "\n```\n" }
	for text, want := range map[string]string{
		` {"a":1} `: `{"a":1}`,
		"[1, 2]":    `[1, 2]`,
		`"text"`:    `"text"`,
		"42\n":      `42`,
		"Here:\n\n" + block("json", `{"a":1}`) + "\nDone.": `{"a":1}`,
		block("", `{"a":1}`):                                       `{"a":1}`,
		block("JSON title=x", "{\n  \"a\": 1\n}"):                  "{\n  \"a\": 1\n}",
		block("json", "1") + block("json", "2"):                    `2`,
		block("json", "1") + block("ts", "2") + block("json", "{"): `1`,
		"~~~~json\n```\n1\n```\n~~~~\n" + block("json", "3"):       `3`,
		"- step\n\n  ```json\n  {\"a\": 1}\n  ```\n":               `{"a": 1}`,
		"```json\n{\"a\":1}":                                       `{"a":1}`,
		"{\"a\":\"```json\"}":                                      "{\"a\":\"```json\"}",
		`The answer is {"a":1}.`:                                   "!the reply is no JSON: answer with one JSON value, alone or in a ```json block",
		"":                                                         "!the reply is no JSON: answer with one JSON value, alone or in a ```json block",
		block("ts", "1"):                                           "!the reply is no JSON: answer with one JSON value, alone or in a ```json block",
		block("json", "{a: 1}"):                                    "!the fenced block of the reply is no JSON: answer with one JSON value, alone or in a ```json block",
		`{"a":1} {"b":2}`:                                          "!the reply is no JSON: answer with one JSON value, alone or in a ```json block",
	} {
		value, why := parseReply(text)
		got := string(value)
		if why != "" {
			got = "!" + why
		}
		if got != want {
			t.Errorf("%q gives %s, want %s", text, got, want)
		}
	}
}

const miniSchema = `
const positive = { "~standard": { version: 1, vendor: "mini", jsonSchema: { input: () => ({ type: "object" }) },
  validate: async (v) => v?.n > 0 ? { value: { n: v.n, checked: true } } : { issues: [{ message: "must be above 0", path: ["n"] }] } } };
`

// "`resolve({text, turn}, ctx)` → `{result}` | `{retry: reason}` | `{fail: reason}`"
func TestResult_Judges(t *testing.T) {
	t.Parallel()
	rules := map[string]string{
		"plain":   `{ schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } }`,
		"typed":   `{ schema: positive }`,
		"resolve": `{ async resolve({ text, turn }, ctx) { if (text === "throw") throw new Error("no shelf"); if (text === "nan") return { result: NaN }; return text[0] === "=" ? eval("(" + text.slice(1) + ")") : { result: [text, turn, ctx.session.id] } } }`,
		"both":    `{ schema: positive, resolve: ({ text }) => text === "retry" ? { retry: "again" } : { result: { n: Number(text), more: 1 } } }`,
	}
	agents := map[string]*agent.Agent{}
	for name, rule := range rules {
		agents[name] = loadFiles(t, map[string]string{"bot/result.ts": "import { defineResult } from \"@cursor/bdk\";\n" + miniSchema + "void positive;\nexport default defineResult(" + rule + ");"})
	}
	const other = `, where it gives {result}, {retry: "why"} or {fail: "why"}`
	for _, c := range []struct{ rule, text, want string }{
		{"plain", `{"n":12345678901234567890}`, `result {"n":12345678901234567890}`},
		{"plain", "So:\n```json\n{\"n\": 1}\n```", `result {"n": 1}`},
		{"plain", `{"n":"1"}`, `retry the result does not fit its schema: n: must be an integer, not a string`},
		{"plain", `one`, "retry the reply is no JSON: answer with one JSON value, alone or in a ```json block"},
		{"typed", `{"n":2,"more":1}`, `result {"n":2,"checked":true}`},
		{"typed", `{"n":0}`, `retry the result does not fit its schema: n: must be above 0`},
		{"typed", `{"n":12345678901234567891}`, `retry the result does not fit its schema: n: is a whole number that JavaScript would round to 12345678901234567000; send it as a string`},
		{"resolve", "hi", `result ["hi",{"id":"turn_1","message":"Say hi","repairs":1},"s_1"]`},
		{"resolve", `={ result: null }`, `result null`},
		{"resolve", `={ retry: "shorter" }`, `retry shorter`},
		{"resolve", `={ fail: "never" }`, `fail never`},
		{"resolve", `={ retry: "" }`, `fail resolve of result.ts gave {"retry":""}` + other},
		{"resolve", `={ result: 1, retry: "x" }`, `fail resolve of result.ts gave {"result":1,"retry":"x"}` + other},
		{"resolve", `=undefined`, `fail resolve of result.ts gave null` + other},
		{"resolve", `="done"`, `fail resolve of result.ts gave "done"` + other},
		{"resolve", "nan", `error asking resolve of result.ts: the result holds NaN at result, which JSON cannot express`},
		{"resolve", "throw", `error asking resolve of result.ts: no shelf`},
		{"both", "3", `result {"n":3,"checked":true}`},
		{"both", "-3", `retry the result does not fit its schema: n: must be above 0`},
		{"both", "retry", `retry again`},
	} {
		reply := &agent.Reply{Text: c.text, Turn: agent.ReplyTurn{ID: "turn_1", Message: "Say hi", Repairs: 1}}
		v, err := agents[c.rule].Result.Resolve(context.Background(), reply, hookCall(nil))
		if got := said(v, err); got != c.want {
			t.Errorf("%s of %q:\n got %s\nwant %s", c.rule, c.text, got, c.want)
		}
	}
	long := &agent.Reply{Text: `="` + strings.Repeat("é", 400) + `"`}
	if v, _ := agents["resolve"].Result.Resolve(context.Background(), long, hookCall(nil)); len(v.Fail) > 400 {
		t.Errorf("a long answer is shown whole, in %d bytes", len(v.Fail))
	}
}

func said(v agent.Verdict, err error) string {
	switch {
	case err != nil:
		return "error " + err.Error()
	case v.Retry != "":
		return "retry " + v.Retry
	case v.Fail != "":
		return "fail " + v.Fail
	}
	return fmt.Sprintf("result %s", v.Result)
}

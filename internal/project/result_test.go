package project

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

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
	const fits = "\nReply with JSON alone, or in one ```json block, that fits this schema: "
	const other = `, where it gives {result}, {retry: "why"} or {fail: "why"}`
	for _, c := range []struct{ rule, text, want string }{
		{"plain", `{"n":12345678901234567890}`, `result {"n":12345678901234567890}`},
		{"plain", "So:\n```json\n{\"n\": 1}\n```", `result {"n":1}`},
		{"plain", `{"n":"1"}`, `retry the reply does not fit the schema: n: must be an integer, not a string` + fits + `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`},
		{"plain", `one`, "retry the reply is not JSON: invalid character 'o' looking for beginning of value at byte 1" + fits + `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`},
		{"typed", `{"n":2,"more":1}`, `result {"n":2,"checked":true}`},
		{"typed", `{"n":0}`, `retry the reply does not fit the schema: n: must be above 0` + fits + `{"type":"object"}`},
		{"typed", `{"n":12345678901234567891}`, `retry the reply does not fit the schema: n: is a whole number that JavaScript would round to 12345678901234567000; send it as a string` + fits + `{"type":"object"}`},
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
		return strings.TrimSpace("retry " + v.Retry + "\n" + v.Advice)
	case v.Fail != "":
		return "fail " + v.Fail
	}
	return fmt.Sprintf("result %s", v.Result)
}

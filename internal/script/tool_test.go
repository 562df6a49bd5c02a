package script

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "Big integers keep their digits; NaN and Infinity become an error result"
func TestTool_ResultsAsJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`return undefined`: `null`,
		`return { a: undefined, f: () => 1, n: null }`:    `{"n":null}`,
		`return { big: 12345678901234567890n, s: ["é"] }`: `{"big":12345678901234567890,"s":["é"]}`,
		`return new Date(0)`:                              `"1970-01-01T00:00:00.000Z"`,
		`return "\ud83d" + "x"`:                           `"�x"`,
		`return { ["a\udc00"]: "\\ud83d" + "👩‍👩‍👧".slice(0, 4) + "\ude00\ud83d" }`: `{"a�":"\\ud83d👩‍😀�"}`,
		`return input`: `{}`,
		`return { a: {}, b: [{}], c: new Date(0), d: null }`:               `{"a":{},"b":[{}],"c":"1970-01-01T00:00:00.000Z","d":null}`,
		`return { content: [{ type: "text", text: "t" }], isError: true }`: `{"content":[{"type":"text","text":"t"}],"isError":true}`,
	} {
		if got := evaluate(t, body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	for body, want := range map[string]string{
		`return { a: [1, NaN] }`:                     "the result holds NaN at a[1], which JSON cannot express",
		`return -Infinity`:                           "the result holds -Infinity, which JSON cannot express",
		`return new Map([[1, 2]])`:                   "the result is a Map, which JSON cannot express; use Object.fromEntries(map) or [...map]",
		`return { a: [{ b: new Set() }] }`:           "the result holds a Set at a[0].b, which JSON cannot express; use [...set]",
		`return () => 1`:                             "the result is a function, which JSON cannot express",
		`return Symbol("x")`:                         "the result is a symbol, which JSON cannot express",
		`const a: any = {}; a.a = a; return a`:       "circular",
		`throw new Error("Not a pull request URL")`:  "Not a pull request URL",
		`throw "text"`:                               "text",
		`throw { message: "m", code: 7 }`:            "m",
		`throw { a: 1 }`:                             `{"a":1}`,
		`throw undefined`:                            "undefined was thrown",
		`null.x`:                                     "cannot read property 'x' of null",
		`throw new AggregateError([new Error("q")])`: "q",
		`await Promise.reject(new RangeError("r"))`:  "r",
	} {
		_, err := tool(t, body)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) || strings.Contains(e.Message, "\n") || strings.Contains(e.Message, "at ") && !strings.Contains(want, "at ") {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestTool_IsErrorResult(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"content":[{"type":"text","text":"t"}],"isError":true}`: true, `{"content":[],"isError":false}`: false,
		`{"isError":true}`: false, `[]`: false, `null`: false, ``: false, `{"content":"x","isError":true}`: false,
	} {
		if IsErrorResult(json.RawMessage(text)) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// "effect …: (input) => …, asked with the parsed input of each call; one that throws counts as write";
// "needsApproval …: one that throws counts as true"
func TestTool_PrepareAsksFunctions(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/a.ts": `export default { effect: (i: any) => i.confirm ? "write" : "read", needsApproval: async (i: any, ctx: any) => i.confirm && ctx.session.id === "s1", execute() {} }`,
		"tools/b.ts": `export default { effect: () => { throw new Error("x") }, needsApproval: () => { throw new Error("x") }, execute() {} }`,
		"tools/c.ts": `export default { effect: "write", needsApproval: true, execute() {} }`,
		"tools/d.ts": `export default { needsApproval: async () => { throw new Error("x") }, execute() {} }`,
	})
	for _, c := range [][3]string{
		{"a", `{"confirm":true}`, `{"input":{"confirm":true},"effect":"write","needsApproval":true}`},
		{"a", ``, `{"input":{},"effect":"read","needsApproval":false}`},
		{"b", `{}`, `{"input":{},"effect":"write","needsApproval":true}`},
		{"c", `{"n":9007199254740991}`, `{"input":{"n":9007199254740991},"effect":"write","needsApproval":true}`},
		{"d", `{}`, `{"input":{},"effect":"read","needsApproval":true}`},
	} {
		if out, err := p.call(OpPrepare, c[0], c[1]); err != nil || out != c[2] {
			t.Errorf("%s %s: %s %v", c[0], c[1], out, err)
		}
	}
}

// "dryRunResult: (input, ctx) => value: what a stubbed write answers; default {stubbed: true}"
func TestTool_DryRun(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/a.ts": `export default { dryRunResult: async (i: any) => ({ would: i.x }), execute() { throw new Error("ran") } }`,
		"tools/b.ts": `export default { execute() { throw new Error("ran") } }`,
	})
	if out, err := p.call(OpDryRun, "a", `{"x":1}`); out != `{"would":1}` || err != nil {
		t.Error(out, err)
	}
	if out, err := p.call(OpDryRun, "b", `{}`); out != `{"stubbed":true}` || err != nil {
		t.Error(out, err)
	}
}

// "outputSchema: optional; a result that does not fit is an error result"
func TestTool_OutputSchemaAndErrorsOfZod(t *testing.T) {
	t.Parallel()
	source := `import { z } from "zod"; import { defineTool } from "@cursor/bdk";
export default defineTool({ description: "x", inputSchema: z.object({ n: z.coerce.number() }), outputSchema: z.object({ n: z.number().max(5), d: z.string().default("d") }),
  async execute({ n }) { if (n === 9) z.object({ a: z.object({ b: z.string() }) }).parse({ a: {} }); if (n === 8) return { content: [{ type: "text", text: "no" }], isError: true }; return { n } } })`
	for _, version := range []string{"zod3", "zod4"} {
		p := load(t, map[string]string{"tools/x.ts": source}, withPackages(t, version))
		p.want("x", `{"n":"1"}`, `{"n":1,"d":"d"}`)
		p.want("x", `{"n":8}`, `{"content":[{"type":"text","text":"no"}],"isError":true}`)
		var e *Error
		if _, err := p.call(OpExecute, "x", `{"n":7}`); !errors.As(err, &e) || e.Code != CodeInvalidOutput || !strings.Contains(e.Message, "n: ") {
			t.Errorf("%s: %v", version, err)
		}
		if _, err := p.call(OpExecute, "x", `{"n":9}`); !errors.As(err, &e) || !strings.HasPrefix(e.Message, "invalid value: a.b: ") {
			t.Errorf("%s: %v", version, err)
		}
		var in *agent.InputError
		if _, err := p.call(OpExecute, "x", `{"n":"q"}`); !errors.As(err, &in) || in.Issues[0].Path != "n" {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// "returns JSON, or an MCP-shaped result {content: [...], structuredContent?, isError?}":
// the schema describes the value, which is structuredContent.
func TestTool_OutputSchemaOfZodHoldsStructuredContent(t *testing.T) {
	t.Parallel()
	source := `import { z } from "zod"; import { defineTool } from "@cursor/bdk";
const content = [{ type: "text", text: "t" }];
const results: any = {
  fits: { content, structuredContent: { n: 1 } },
  wrong: { content, structuredContent: { n: "1" } },
  none: { content },
  failed: { content, isError: true },
  own: { content, n: 1 },
  other: { content: [{ type: "shelf" }], structuredContent: { n: 1 }, n: 1 },
};
export default defineTool({ description: "x", inputSchema: z.object({ how: z.string() }), outputSchema: z.object({ n: z.number(), d: z.string().default("d") }),
  async execute({ how }) { return results[how] } })`
	for _, version := range []string{"zod3", "zod4"} {
		p := load(t, map[string]string{"tools/x.ts": source}, withPackages(t, version))
		p.want("x", `{"how":"fits"}`, `{"content":[{"type":"text","text":"t"}],"structuredContent":{"n":1,"d":"d"}}`)
		p.want("x", `{"how":"failed"}`, `{"content":[{"type":"text","text":"t"}],"isError":true}`)
		p.want("x", `{"how":"own"}`, `{"n":1,"d":"d"}`)
		p.want("x", `{"how":"other"}`, `{"n":1,"d":"d"}`)
		for how, want := range map[string]string{
			"wrong": "the result does not fit outputSchema: n: ",
			"none":  "the result has no structuredContent, which the tool's outputSchema asks for",
		} {
			var e *Error
			if _, err := p.call(OpExecute, "x", `{"how":"`+how+`"}`); !errors.As(err, &e) || e.Code != CodeInvalidOutput || !strings.HasPrefix(e.Message, want) {
				t.Errorf("%s, %s: %v", version, how, err)
			}
		}
	}
}

// "any other Standard Schema that can give JSON Schema"
func TestTool_AnyStandardSchema(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `
const schema = { "~standard": { version: 1, vendor: "own", async validate(v: any) { return typeof v.a === "number" ? { value: { a: v.a + 1 } } : { issues: [{ message: "a number is needed", path: [{ key: "a" }, 0] }] } },
  jsonSchema: { input: () => ({ type: "object", properties: { a: { type: "number" } } }) } } };
export default { description: "x", inputSchema: schema, execute: (i: any) => i }`})
	if spec := string(p.loaded("tools/x").Spec); !strings.Contains(spec, `"inputSchema":{"$schema":{"type":"object","properties":{"a":{"type":"number"}}},"vendor":"own"}`) {
		t.Error(spec)
	}
	p.want("x", `{"a":1}`, `{"a":2}`)
	var in *agent.InputError
	if _, err := p.call(OpPrepare, "x", `{}`); !errors.As(err, &in) || in.Issues[0] != (agent.Issue{Path: "a[0]", Message: "a number is needed"}) {
		t.Error(err)
	}
}

func TestTool_ErrorsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/x.ts": "import { fail } from '../lib/é.js';\nexport default {\n  // комментарий\n  async execute() {\n    await null;\n    return fail();\n  },\n};",
		"lib/é.ts":   "type X = string;\nexport function fail(): X {\n  const ü = 'ж';\n  throw new Error('deep ' + ü);\n}\n",
	})
	_, err := p.call(OpExecute, "x", "{}")
	var e *Error
	if !errors.As(err, &e) || e.Message != "deep ж" || e.File != "lib/é.ts" || e.Line != 4 || e.Column < 9 {
		t.Fatalf("%v %#v", err, e)
	}
	if !strings.Contains(e.Stack, "at fail (lib/é.ts:4:") || !strings.Contains(e.Stack, "tools/x.ts:6:") || strings.Contains(e.Stack, "eval") {
		t.Error(e.Stack)
	}
}

func TestRuntime_CallFunction(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"slots/instructions.ts": `import { defineInstructions } from "@cursor/bdk"; export default (ctx: any) => "# for " + ctx.session.id;`,
		"slots/other.ts":        `export default { a: { n: 2, async f(x: number, ctx: any) { return x * this.n } } }`,
	})
	c := &agent.Call{ID: "c", Session: agent.Session{ID: "s9"}}
	if p.loaded("slots/instructions").Kind != "function" {
		t.Error(p.loaded("slots/instructions"))
	}
	if out, err := p.rt.CallFunction(t.Context(), "slots/instructions", "", nil, c); string(out) != `"# for s9"` || err != nil {
		t.Error(string(out), err)
	}
	if out, err := p.rt.CallFunction(t.Context(), "slots/other", "a.f", json.RawMessage(`[21]`), c); string(out) != `42` || err != nil {
		t.Error(string(out), err)
	}
}

package script

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// zodSource uses the methods that real projects use, and some more.
const zodSource = `import { z } from "zod";
import { defineTool } from "@cursor/bdk/tools";
const arr = ["a", "b"];
export default defineTool({
  description: "zod",
  inputSchema: z.object({
    name: z.string().min(1).max(20).describe("a name"),
    days: z.number().int().min(1).max(14).default(1),
    n: z.number().int().positive().optional(),
    ratio: z.number().min(0).max(1).optional(),
    ok: z.boolean().optional().describe("fine?"),
    tags: z.array(z.string()).max(3).optional(),
    kind: z.enum(arr as [string, ...string[]]).optional(),
    one: z.literal("one").optional(),
    url: z.string().url().optional(),
    id: z.string().uuid().optional(),
    code: z.string().regex(/^[A-Z]{3}$/).optional(),
    maybe: z.string().nullable().optional(),
    any: z.unknown().optional(),
    either: z.union([z.string(), z.number()]).optional(),
    shape: z.discriminatedUnion("t", [z.object({ t: z.literal("a"), a: z.string() }), z.object({ t: z.literal("b"), b: z.number() })]).optional(),
    map: z.record(z.string(), z.number()).optional(),
    pair: z.tuple([z.string(), z.number()]).optional(),
    nested: z.array(z.object({ x: z.number() })).optional(),
    strict: z.object({ a: z.string() }).strict().optional(),
    loose: z.object({ a: z.string() }).passthrough().optional(),
    refined: z.string().refine((s) => s !== "no", "not no").optional(),
    mail: z.string().email().optional(),
  }),
  execute(input) { return input; },
});
`

func schemaOf(t *testing.T, p *project, id string) map[string]any {
	t.Helper()
	l := p.loaded(id)
	if l.Err != nil {
		t.Fatalf("%s: %v %s", id, l.Err, l.Err.Stack)
	}
	var spec struct {
		InputSchema struct {
			Schema map[string]any `json:"$schema"`
			Vendor string         `json:"vendor"`
		} `json:"inputSchema"`
	}
	if err := json.Unmarshal(l.Spec, &spec); err != nil {
		t.Fatal(err)
	}
	if spec.InputSchema.Vendor != "zod" {
		t.Fatalf("vendor %q in %s", spec.InputSchema.Vendor, l.Spec)
	}
	return spec.InputSchema.Schema
}

// "Zod 3 or 4 …: validated and parsed before execute, and advertised as JSON
// Schema with descriptions, defaults, enums, formats."
func TestZod_BothVersionsGiveTheSameJSONSchema(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tools/z.ts": zodSource}
	three := load(t, files, withPackages(t, "zod3"))
	four := load(t, files, withPackages(t, "zod4"))
	both := load(t, map[string]string{"tools/z.ts": strings.Replace(zodSource, `"zod"`, `"zod/v4"`, 1)}, withPackages(t, "zod3"))
	want, got := schemaOf(t, four, "tools/z")["properties"].(map[string]any), schemaOf(t, three, "tools/z")["properties"].(map[string]any)
	if len(want) != len(got) || len(want) < 20 {
		t.Fatalf("%d and %d properties", len(want), len(got))
	}
	for key := range want {
		w, _ := json.Marshal(want[key])
		g, _ := json.Marshal(got[key])
		if string(w) != string(g) {
			t.Errorf("%s:\nzod 4 %s\nzod 3 %s", key, w, g)
		}
	}
	if p := schemaOf(t, both, "tools/z"); len(p["properties"].(map[string]any)) != len(want) {
		t.Errorf("zod/v4 of 3.25 gives %v", p)
	}
}

func TestZod_InputIsParsedWithDefaultsAndIssues(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"zod3", "zod4"} {
		p := load(t, map[string]string{"tools/z.ts": zodSource}, withPackages(t, version))
		out, err := p.call(OpPrepare, "z", `{"name":"é","unknown":1}`)
		if err != nil || out != `{"input":{"name":"é","days":1},"effect":"read","needsApproval":false}` {
			t.Errorf("%s: %s %v", version, out, err)
		}
		p.want("z", `{"name":"x","days":3}`, `{"name":"x","days":3}`)
		_, err = p.call(OpPrepare, "z", `{"days":0,"nested":[{"x":1},{"x":"y"}]}`)
		var in *agent.InputError
		if !errors.As(err, &in) {
			t.Fatalf("%s: %v", version, err)
		}
		paths := map[string]bool{}
		for _, i := range in.Issues {
			paths[i.Path] = i.Message != ""
		}
		for _, want := range []string{"name", "days", "nested[1].x"} {
			if !paths[want] {
				t.Errorf("%s: no issue at %s in %v", version, want, in.Issues)
			}
		}
	}
}

// zodShapes are schemas that both versions say alike, and such that JSON cannot say.
var zodShapes = map[string]string{
	"same_catch":      `z.string().catch("x")`,
	"same_readonly":   `z.array(z.number()).readonly()`,
	"same_brand":      `z.string().brand("id")`,
	"same_transform":  `z.string().transform((s) => s.length)`,
	"same_pipe":       `z.string().pipe(z.string().max(3))`,
	"same_numbers":    `z.number().min(1).multipleOf(2)`,
	"same_preprocess": `z.preprocess((x) => Number(x), z.number().min(1))`,
	"same_positive":   `z.number().positive()`,
	"same_range":      `z.number().gt(1).lt(9).nonnegative()`,
	"same_integers":   `z.number().int().min(0).max(10)`,
	"same_text":       `z.string().min(2).max(5).describe("d").optional()`,
	"same_order":      `z.string().describe("d").min(2).default("xx")`,
	"same_unknown":    `z.unknown().optional()`,
	"same_nullable":   `z.enum(["a", "b"]).nullable().describe("d")`,
	"same_union":      `z.union([z.string().min(1), z.array(z.number()), z.object({ a: z.literal("x") })])`,
	"same_records":    `z.record(z.string(), z.object({ a: z.string().optional() }))`,
	"same_transform2": `z.object({ a: z.string() }).transform((o) => o.a)`,
	"same_refine":     `z.string().min(1).refine((s) => s !== "x", "not x")`,
	"same_coerce":     `z.coerce.number().int()`,
	"same_patterns":   `z.string().regex(/^a/).regex(/b$/)`,
	"same_formats":    `z.object({ u: z.string().uuid(), e: z.string().email().max(50), l: z.string().url().describe("l"), d: z.string().datetime() })`,
	"same_literals":   `z.union([z.literal("a"), z.literal(1), z.literal(true), z.null()])`,
	"same_length":     `z.array(z.string()).length(2)`,
	"same_default":    `z.object({ a: z.string().default("d"), b: z.number().nullish() })`,
	"same_record":     `z.record(z.string(), z.boolean())`,
	"same_any":        `z.any().describe("whatever")`,
	"same_native":     `z.nativeEnum({ A: "a", B: "b" } as const)`,
	"same_nested":     `z.array(z.array(z.enum(["x"]))).min(1)`,
	"bad_date":        `z.object({ d: z.date() })`,
	"bad_bigint":      `z.object({ d: z.bigint() })`,
	"bad_map":         `z.object({ d: z.map(z.string(), z.string()) })`,
	"bad_function":    `z.object({ d: z.promise(z.string()).or(z.undefined()) })`,
}

// What both versions can say is said alike, and what JSON cannot say is refused by both.
func TestZod_RarerSchemas(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for name, s := range zodShapes {
		files["tools/"+name+".ts"] = `import { z } from "zod"; export default { marker: 1, inputSchema: z.object({ v: ` + s + ` }) }`
	}
	files["tools/tree.ts"] = `import { z } from "zod"; type T = { kids: T[] }; const tree: z.ZodType<T> = z.lazy(() => z.object({ kids: z.array(tree) })); export default { inputSchema: z.object({ tree }), execute: (i: any) => i }`
	three, four := load(t, files, withPackages(t, "zod3")), load(t, files, withPackages(t, "zod4"))
	for name := range zodShapes {
		a, b := three.loaded("tools/"+name), four.loaded("tools/"+name)
		if strings.HasPrefix(name, "bad_") {
			if a.Err == nil || b.Err == nil || !strings.HasPrefix(a.Err.Message, "inputSchema cannot be given as JSON Schema: ") {
				t.Errorf("%s: %v, %v", name, a.Err, b.Err)
			}
			continue
		}
		if a.Err != nil || b.Err != nil {
			t.Errorf("%s: %v, %v", name, a.Err, b.Err)
			continue
		}
		x, _ := json.Marshal(schemaOf(t, three, "tools/"+name))
		y, _ := json.Marshal(schemaOf(t, four, "tools/"+name))
		if string(x) != string(y) {
			t.Errorf("%s:\nzod 3 %s\nzod 4 %s", name, x, y)
		}
	}
	for _, p := range []*project{three, four} {
		if text, _ := json.Marshal(schemaOf(t, p, "tools/tree")); !strings.Contains(string(text), `"$ref":"#`) {
			t.Errorf("%s", text)
		}
		p.want("tree", `{"tree":{"kids":[{"kids":[]}]}}`, `{"tree":{"kids":[{"kids":[]}]}}`)
	}
}

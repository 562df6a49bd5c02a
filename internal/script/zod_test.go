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
		if key == "id" || key == "url" || key == "mail" { // Zod 4 adds its own pattern to some formats
			w, _ = json.Marshal(map[string]any{"type": "string", "format": want[key].(map[string]any)["format"]})
		}
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

package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport"
)

// manyTools is how many the largest project known to us has.
const manyTools = 107

// writeMany makes a project whose tools, skills and subagents are built from one
// shared library, with JSON Schemas that no Zod made.
func writeMany(t *testing.T, dir string) {
	t.Helper()
	put := func(name, text string) { write(t, filepath.Join(dir, name), text) }
	put("package.json", `{"name":"warehouse","type":"module"}`)
	put("lib/stock.ts", `import type { JsonSchemaObject } from "@cursor/bdk";
const places = ["hall", "yard", "office"] as const;
export function shelf(nr: number) {
  const inputSchema: JsonSchemaObject = {
    type: "object",
    properties: {
      place: { type: "string", enum: [...places], description: "where to look; ".repeat(30) },
      limit: { type: "integer", minimum: 1, maximum: 50, default: 5 },
    },
    required: ["place"],
    additionalProperties: false,
  };
  const writes = nr % 3 === 0;
  return {
    description: "Looks through shelf " + nr,
    inputSchema,
    effect: writes ? ("write" as const) : undefined,
    needsApproval: writes,
    execute: async (input: { place: string }) =>
      input.place === "office"
        ? { content: [{ type: "text" as const, text: "shelf " + nr + " is not in the office" }], isError: true }
        : { content: [{ type: "text" as const, text: nr + " in the " + input.place }] },
  };
}
export const guide = (name: string) => ({ description: "Use when somebody asks for " + name + ".", markdown: "# " + name });
export const clerk = (name: string) => ({ description: "Does the " + name + ".", instructions: "You do the " + name + "." });
`)
	put("bot/agent.ts", `import { defineAgent } from "@cursor/bdk";
export default defineAgent({ name: "Warehouse", description: "Knows the shelves.", model: "scripted" });`)
	put("bot/instructions.ts", `import { defineInstructions } from "@cursor/bdk";
export default defineInstructions({ markdown: "You know the warehouse.\n" });`)
	for i := range manyTools {
		put(fmt.Sprintf("bot/tools/shelf_%03d.ts", i), fmt.Sprintf(`import { defineTool } from "@cursor/bdk/tools";
import { shelf } from "../../lib/stock.js";
export default defineTool(shelf(%d));`, i))
	}
	for _, name := range []string{"counting", "packing", "posting", "returns", "safety"} {
		put("bot/skills/"+name+".ts", fmt.Sprintf(`import { defineSkill } from "@cursor/bdk/skills";
import { guide } from "../../lib/stock.js";
export default defineSkill(guide(%q));`, name))
	}
	for _, name := range []string{"buyer", "counter"} {
		put("bot/subagents/"+name+"/agent.ts", fmt.Sprintf(`import { defineAgent } from "@cursor/bdk";
import { clerk } from "../../../lib/stock.js";
export default defineAgent(clerk(%q));`, name))
	}
}

// "info --json … A = name, runtime ("local"), diagnostics [], tools[{name,
// execution:"server", effect, inputSchema.type:"object"}], skills[{name}],
// subagents[{name}], instructions.chars", whole however long it is.
func TestInfo_ManyTools(t *testing.T) {
	t.Parallel()
	b := newBench(t, "info", "--json", "--dir", "warehouse")
	writeMany(t, filepath.Join(b.Dir, "warehouse"))
	b.want(t, ExitOK, "", "")
	out, errs := b.out.String(), b.err.String()
	if len(out) < 64<<10 {
		t.Errorf("the output has %d bytes: too few to show that it is whole", len(out))
	}
	var info struct {
		Agents []struct {
			transport.AgentInfo
			Diagnostics []agent.Diagnostic `json:"diagnostics"`
		} `json:"agents"`
	}
	if err := json.Unmarshal([]byte(out), &info); err != nil {
		t.Fatalf("info --json is not whole: %v", err)
	}
	a := info.Agents[0]
	if a.Name != "Warehouse" || a.Runtime != "local" || errs != "" || !strings.Contains(out, `"diagnostics": []`) {
		t.Errorf("%s runs %s, with %+v and %q", a.Name, a.Runtime, a.Diagnostics, errs)
	}
	if len(a.Tools) != manyTools || len(a.Skills) != 5 || len(a.Subagents) != 2 || a.Instructions.Chars == 0 {
		t.Fatalf("%d tools, %d skills, %d subagents and %d characters", len(a.Tools), len(a.Skills), len(a.Subagents), a.Instructions.Chars)
	}
	for i, tool := range a.Tools {
		effect, gate := "read", "false"
		if i%3 == 0 {
			effect, gate = "write", "true"
		}
		text, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			fmt.Sprintf(`"name":"shelf_%03d"`, i), `"execution":"server"`, `"effect":"` + effect + `"`, `"needsApproval":` + gate,
			`"inputSchema":{"type":"object","properties":{"place":{`, `"default":5`, `"required":["place"]`,
		} {
			if !strings.Contains(string(text), want) {
				t.Fatalf("tool %d lacks %s: %s", i, want, text)
			}
		}
	}
}

// A project of many tools runs them: "{}" is an input error, what a tool answers
// as an error is one.
func TestCall_ManyTools(t *testing.T) {
	t.Parallel()
	for input, c := range map[string]struct {
		code           int
		stdout, stderr string
	}{
		`{"place":"hall"}`:   {ExitOK, "7 in the hall", ""},
		`{"place":"office"}`: {ExitFailed, "", "shelf 7 is not in the office"},
		`{}`:                 {ExitFailed, "", "place"},
	} {
		b := newBench(t, "call", "shelf_007", "--input", input, "--dir", "warehouse")
		writeMany(t, filepath.Join(b.Dir, "warehouse"))
		b.want(t, c.code, c.stdout, c.stderr)
	}
}

// A finding in a file outside the project's folder has the place of that file.
func TestValidate_FileOutside(t *testing.T) {
	t.Parallel()
	b := newBench(t, "validate", "--dir", "warehouse")
	write(t, filepath.Join(b.Dir, "shared/rates.ts"), "import './gone.js';\nexport const rate = 1;\n")
	write(t, filepath.Join(b.Dir, "warehouse/bot/instructions.md"), "Help.")
	write(t, filepath.Join(b.Dir, "warehouse/bot/tools/rate.ts"), `import { defineTool } from "@cursor/bdk/tools";
import { rate } from "../../../shared/rates.js";
export default defineTool({ description: "Says the rate.", inputSchema: { type: "object" }, execute: () => rate });`)
	b.want(t, ExitFailed, "", "1 error")
	out := b.out.String()
	if want := "shared/rates.ts:1:8: error: bot/tools/rate.ts did not load: "; !strings.HasPrefix(out, want) {
		t.Errorf("the finding is\n%s\nwant %s", out, want)
	}
}

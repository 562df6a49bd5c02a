package project

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// "top-level await included": data sets are read while a file loads, relative to the
// project; the code of bot/lib and the environment are there as in tools.
func TestEvals_LoadAsToolsDo(t *testing.T) {
	t.Parallel()
	s := loadEvals(t, &Options{Env: []string{"CITY=nyc"}}, map[string]string{
		"evals/evals.config.ts":              evalsConfig,
		"tsconfig.json":                      `{"compilerOptions":{"paths":{"#lib/*":["./bot/lib/*"]}}}`,
		"bot/lib/names.ts":                   `import { defineTool } from "@cursor/bdk/tools"; import { z } from "zod-like"; export const shout = (s: string) => z(s).toUpperCase(); export { defineTool };`,
		"node_modules/zod-like/package.json": `{"name":"zod-like","type":"module","exports":"./index.js"}`,
		"node_modules/zod-like/index.js":     `export const z = (x) => x;`,
		"evals/data/rows.json":               `[{"task":"one"},{"task":"two"}]`,
		"evals/rows.eval.ts": `import { readFile } from "node:fs/promises";
import { defineEval } from "@cursor/bdk/evals";
import { shout } from "#lib/names";
import { shout as same } from "../bot/lib/names.js";
const rows = JSON.parse(await readFile("evals/data/rows.json", "utf8"));
export default rows.map((row: { task: string }) => defineEval({
  description: shout(row.task), tags: [process.env.CITY!], metadata: { same: same === shout }, test() {},
}));
`,
	})
	if len(s.Diagnostics) > 0 || len(s.Cases) != 2 {
		t.Fatalf("%v, %v", ids(s), s.Diagnostics)
	}
	if c := s.Cases[1]; c.ID != "rows/0001" || c.Description != "TWO" || c.Tags[0] != "nyc" || string(c.Metadata["same"]) != "true" {
		t.Errorf("the second case is %+v", c)
	}
}

// "With CheckOnly the suite has no program"; what reaches outside while a file loads is
// refused, as in tools.
func TestEvals_CheckOnly(t *testing.T) {
	t.Parallel()
	s := loadEvals(t, &Options{CheckOnly: true}, map[string]string{
		"evals/evals.config.ts": evalsConfig, "evals/a.eval.ts": oneEval,
		"evals/b.eval.ts": `await fetch("http://127.0.0.1:1/");`,
	})
	if s.Program != nil || len(s.Cases) != 1 || s.Config == nil || len(s.Broken) != 1 || !strings.Contains(s.Broken[0].Message, "fetch") {
		t.Errorf("the suite is %+v", s)
	}
}

// "Load committed JSON, JSONL, or YAML relative to the project root": the page's example,
// and a data set with a fault, which breaks the file that reads it.
func TestEvals_DataSets(t *testing.T) {
	t.Parallel()
	s := loadEvals(t, nil, map[string]string{
		"evals/evals.config.ts": evalsConfig,
		"evals/data/cases.yaml": "- task: one\n  prompt: Say one.\n  expected: one\n- task: two\n  prompt: Say two.\n  expected: two\n",
		"evals/data/bad.jsonl":  "{\"a\": 1}\n\n{\"a\": }\n",
		"evals/rows.eval.ts": `import { defineEval, includes } from "@cursor/bdk/evals";
import { loadYaml } from "@cursor/bdk/evals/loaders";

const rows = await loadYaml<
  Array<{ task: string; prompt: string; expected: string }>
>("evals/data/cases.yaml");

export default rows.map(row =>
  defineEval({
    description: row.task,
    async test(t) {
      await t.send(row.prompt);
      t.check(t.reply, includes(row.expected));
    },
  })
);
`,
		"evals/bad.eval.ts": `import { defineEval } from "@cursor/bdk/evals";
import { loadJsonl } from "@cursor/bdk/evals/loaders";
const rows = await loadJsonl("evals/data/bad.jsonl");
export default rows.map(() => defineEval({ test() {} }));
`,
		"evals/absent.eval.ts": `import { loadJson } from "@cursor/bdk/evals/loaders";
export default await loadJson("evals/data/absent.json");
`,
	})
	if got := strings.Join(ids(s), " "); got != "rows/0000 rows/0001" || s.Cases[1].Description != "two" {
		t.Errorf("the cases are %s, the last %+v", got, s.Cases)
	}
	for _, part := range []string{"evals/data/bad.jsonl:3", "evals/data/absent.json"} {
		if !slices.ContainsFunc(s.Broken, func(b eval.Broken) bool { return strings.Contains(b.Message, part) }) {
			t.Errorf("no broken file names %s: %+v", part, s.Broken)
		}
	}
	r, err := s.Program.Run(t.Context(), s.Cases[1], nil, time.Minute, driver{})
	if err != nil || r.Error != nil || len(r.Assertions) != 1 || !r.Assertions[0].Passed {
		t.Errorf("the last case gives %+v, %v", r, err)
	}
}

package script

import (
	"fmt"
	"strings"
	"testing"
)

// many is a project of n tools that share one file, and one tool that does not.
func many(n int, shared string) map[string]string {
	files := map[string]string{
		"lib/shared.ts":   shared,
		"lib/between.ts":  `export { rate } from "./shared.js"; export const here = 1;`,
		"tools/alone.ts":  `export default { execute: () => "alone" };`,
		"tools/second.ts": "import { rate } from \"../lib/between.js\";\nimport './gone.js';\nexport default { execute: () => rate };",
	}
	for i := range n {
		files[fmt.Sprintf("tools/t%03d.ts", i)] = `import { rate, type Rate } from "../lib/between.js"; export default { execute: (): Rate => rate };`
	}
	return files
}

// "A tool file that does not load is a diagnostic for that file; the rest loads": a
// file with a fault that all tools share is blamed without a build for each tool.
func TestBlame_SharedFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ shared, want string }{
		"a missing package":   {"export const rate = 1;\nimport 'not-there';", `lib/shared.ts:2:8 the package "not-there", which lib/shared.ts imports, is not installed`},
		"a text that is none": {"export const rate = ;", "lib/shared.ts:1:21 Unexpected \";\""},
		"the first of two":    {"import 'first-gone';\nimport 'then-gone';\nexport const rate = 1;", `lib/shared.ts:1:8 the package "first-gone", which lib/shared.ts imports, is not installed`},
		"a name that the package has not": {"import { inventTool } from '@cursor/bdk/evals';\nexport const rate = inventTool;",
			`lib/shared.ts:1:10 @cursor/bdk/evals has no export "inventTool"; it has: `},
		"an own name that is not there": {"import { here } from './other.js';\nexport const rate = here;",
			`lib/shared.ts:1:10 No matching export in "lib/other.ts" for import "here"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := many(40, c.shared)
			files["lib/other.ts"] = "export const there = 1;"
			p := write(t, files)
			_, errs := buildModules(p.o, p.o.Modules)
			guilty, ok := blame(p.o, errs)
			if !ok || len(guilty) != 41 {
				t.Fatalf("%d modules are blamed for %v (%v), want all 41 that import the file", len(guilty), errs, ok)
			}
			p.open()
			for _, l := range p.rt.Loaded() {
				if l.ID == "tools/alone" {
					if l.Err != nil {
						t.Errorf("a tool that does not import the file: %v", l.Err)
					}
					continue
				}
				got := fmt.Sprintf("%s:%d:%d %s", l.Err.File, l.Err.Line, l.Err.Column, l.Err.Message)
				if l.ID == "tools/second" && strings.HasPrefix(got, "tools/second.ts:2:8 ") {
					continue // its own fault comes first or last, by what is wrong with the other
				}
				if !strings.HasPrefix(got, c.want) {
					t.Fatalf("%s: %s\nwant %s", l.ID, got, c.want)
				}
			}
			p.want("alone", "{}", `"alone"`)
		})
	}
}

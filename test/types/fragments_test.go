package types

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/test/pages"
)

const tool = `import { defineTool } from "@cursor/bdk/tools";
%s
export default defineTool({ description: "x", inputSchema: { type: "object", properties: {} }, async execute(_input, ctx) {`

// around is what stands around TypeScript of a page that is no file of a project.
var around = map[string][2]string{
	"connections.md": {}, "oauth.md": {},
	"memory.md": {`import { memoryHook } from "@cursor/bdk/memory";`},
	"evals.md": {`import { defineEval, equals, EVAL_JUDGE_INJECTION_GUARD, fenceUntrusted } from "@cursor/bdk/evals";
export default defineEval({ async test(t) {`, "} });"},
	"github.md": {fmt.Sprintf(tool, "declare const owner: string, repo: string, pull_number: number, issue_number: number;"), "return files; } });"},
	"slack.md":  {fmt.Sprintf(tool, "declare const channel: string, timestamp: string, ts: string, trigger_id: string, view: object;"), "return messages; } });"},
}

// "code blocks checked by tests": TypeScript of a page that is no file of its sample type-checks.
func TestDocs_FragmentsTypeCheck(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../transport/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "bot/lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "bot/instructions.md"), "Answer.")
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		for _, b := range pages.Blocks(string(text)) {
			if b.Language != "ts" || b.From == "file" {
				continue
			}
			found++
			a, ok := around[name]
			if !ok {
				t.Errorf("%s:%d: say in this test what stands around", name, b.Line)
			}
			write(t, filepath.Join(dir, "bot/lib", fmt.Sprintf("%s_%d.ts", strings.TrimSuffix(name, ".md"), b.Line)), a[0]+"\n"+b.Text+a[1]+"\n")
		}
	}
	if found < len(around) {
		t.Errorf("%d pieces were found", found)
	}
	if code, said := bdk(t, dir, "validate", "--types"); code != 0 {
		t.Fatal(said)
	}
	if said := tsc(t, dir); said != "" {
		t.Errorf("tsc says\n%s", said)
	}
}

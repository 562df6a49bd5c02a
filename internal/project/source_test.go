package project

import (
	"strings"
	"testing"
)

const sourceText = `import { defineTool } from "@cursor/bdk/tools";
// description: not this one
const help = ` + "`execute: nor this`" + `;
const other = { effect: "read" };

/* effect: no */
export default defineTool({
  "description": "effect: 'no'",
  limits: { "maxSteps": 3 },
  effect: "write",
  timeoutMs,
  async execute({ a }) { return a; },
  events: { async "turn.completed"(e) {}, 'turn.failed': () => {}, "*"(e) {} },
});
`

func TestSource_PlacesOfFields(t *testing.T) {
	t.Parallel()
	s := &source{file: "x.ts", text: []byte(sourceText), masked: mask(sourceText)}
	for name, want := range map[string]place{
		"description":     {"x.ts", 8, 4},
		"limits.maxSteps": {"x.ts", 9, 14},
		"limits.absent":   {"x.ts", 9, 3},
		"effect":          {"x.ts", 10, 3},
		"timeoutMs":       {"x.ts", 11, 3},
		"execute":         {"x.ts", 12, 9},
		"absent":          {"x.ts", 7, 1},
	} {
		if got := s.field(strings.Split(name, ".")...); got != want {
			t.Errorf("field(%s) is at %v, want %v", name, got, want)
		}
	}
	for key, column := range map[string]int{"turn.completed": 20, "turn.failed": 44, "*": 69} {
		if got, want := s.field("events", key), (place{"x.ts", 13, column}); got != want {
			t.Errorf("the handler of %s is at %v, want %v", key, got, want)
		}
	}
	if got := s.export(); got != (place{"x.ts", 7, 1}) {
		t.Errorf("the default export is at %v", got)
	}
}

func TestSource_OddText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\"", "`", "/*", "//", "'\\", "export default", "a: \"b\n: c"} {
		s := &source{file: "x.ts", text: []byte(text), masked: mask(text)}
		if len(s.masked) != len(text) {
			t.Errorf("mask(%q) gives %q of another length", text, s.masked)
		}
		if got := s.field("b", "c"); got.File != "x.ts" {
			t.Errorf("field in %q is at %v", text, got)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"tool": "tools", "Tools": "tools", "connection": "mcp-connections", "connections": "mcp-connections", "mcp": "mcp-connections",
		"agents": "subagents", "libs": "lib", "skil": "skills", "prompts": "", "utils": "", "x": "",
	} {
		if got, _ := nearest(given, folderNames()); got != want {
			t.Errorf("nearest(%s) is %q, want %q", given, got, want)
		}
	}
}

package script

import (
	"errors"
	"testing"
)

// "A VM has a memory limit …; one that ran out … is replaced": whatever used the
// memory up, the error says so, and names the limit.
func TestMemory_TheEndOfItIsSaid(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"an array":          `const a: any[] = []; for (;;) a.push(new Array(1e4).fill(a.length))`,
		"a map":             `const m = new Map(); for (let i = 0; ; i++) m.set(i, {})`,
		"inside a built-in": `return Array.from({ length: 1e8 }, (_, i) => [i]).length`,
		"inside another":    `return Object.fromEntries(Array.from({ length: 1e7 }, (_, i) => ["key" + i, i]))`,
		"small objects":     `let list: any = null; for (;;) list = { list }`,
		"promises":          `await Promise.all(Array.from({ length: 3e6 }, async () => new Array(100).fill(0)))`,
		"bytes":             `return Buffer.alloc(5e8).toString("hex").length`,
		"one text":          `return "x".repeat(1e9).length`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := load(t, map[string]string{
				"tools/eat.ts":  "export default { async execute(): Promise<any> {\n" + body + "\n} };",
				"tools/fine.ts": `let n = 0; export default { execute: () => ++n }`,
			}, func(o *Options) { o.MemoryLimit = 32 << 20 })
			p.want("fine", "{}", "1")
			_, err := p.call(OpExecute, "eat", "{}")
			var e *Error
			if !errors.As(err, &e) || e.Code != CodeMemory || e.Message != "out of memory: the project's VM may use 32 MiB" {
				t.Fatalf("%v", err)
			}
			p.want("fine", "{}", "1")
		})
	}
	if _, err := tool(t, `throw null`); err == nil || err.Error() != "null" {
		t.Errorf("a tool's own null: %v", err)
	}
}

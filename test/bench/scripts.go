package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	typescript "github.com/gobdk/bdk/internal/script"
)

// A scriptTool is a TypeScript tool that is called again and again. Each returns two
// fields of its input and of ctx; they differ in how the input is checked.
type scriptTool struct {
	name, schema string
	// modules says which folder of packages it needs, if any.
	modules func(*settings) string
}

var scriptTools = []scriptTool{
	{"nothing is checked", "", nil},
	{"JSON Schema", `{ type: "object", properties: { city: { type: "string" } } }`, nil},
	{"Zod 3", zodSchema, func(s *settings) string { return s.zod3 }},
	{"Zod 4", zodSchema, func(s *settings) string { return s.zod4 }},
}

const zodSchema = `z.object({ city: z.string().min(1), days: z.number().int().min(1).max(14).default(1), tags: z.array(z.string()).optional() })`

// toolCost is what the script child says, in µs for one call.
type toolCost struct{ Wall, CPU float64 }

// scripts measures one call of a TypeScript tool without a session: what it is asked
// before it runs (its input is parsed, its effect and approval decided), and the run.
// The ratio is to a tool whose input nobody checks: it is the price of the check.
func scripts(s *settings, dir string, _ *template, out io.Writer) error {
	t := newTable(out, "a call of a TypeScript tool, one after the other", "input", "CPU µs", "µs", "ratio")
	var floor float64
	for _, tool := range scriptTools {
		modules := ""
		if tool.modules != nil {
			if modules = tool.modules(s); modules == "" {
				continue
			}
		}
		var cpu, wall []float64
		for round := range s.rounds {
			project := filepath.Join(dir, fmt.Sprintf("script-%s-%d", tool.name, round))
			if err := writeTool(project, tool.schema, modules); err != nil {
				return err
			}
			var r toolCost
			if err := ask(&r, "script", project, s.duration.String()); err != nil {
				return err
			}
			cpu, wall = append(cpu, r.CPU), append(wall, r.Wall)
		}
		if floor == 0 {
			floor = median(cpu)
		}
		t.row(tool.name, median(cpu), median(wall), median(cpu)/floor)
	}
	return t.flush()
}

// writeTool makes a project with one tool.
func writeTool(dir, schema, modules string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	source := "export default { description: \"x\", "
	if schema != "" {
		source += "inputSchema: " + schema + ", "
	}
	source += "async execute(input, ctx) { return { city: input.city, session: ctx.session.id }; } };\n"
	if modules != "" {
		from, err := filepath.Abs(modules)
		if err != nil {
			return err
		}
		source = "import { z } from \"zod\";\n" + source
		if err := os.Symlink(from, filepath.Join(dir, "node_modules")); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "tool.ts"), []byte(source), 0o644)
}

// scriptChild calls the tool for a while: args are the project and the time.
func scriptChild(args []string) error {
	limit, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	ctx := context.Background()
	rt, err := typescript.Load(ctx, &typescript.Options{Dir: args[0], Modules: []typescript.Module{{ID: "tools/tool", File: filepath.Join(args[0], "tool.ts")}}})
	if err != nil {
		return err
	}
	defer rt.Close()
	if e := rt.Loaded()[0].Err; e != nil {
		return fmt.Errorf("loading the tool: %w", e)
	}
	call := &agent.Call{ID: "call", Args: json.RawMessage(`{"city":"Prague","tags":["a","b"]}`), Session: agent.Session{ID: "s"}}
	calls, before, began := 0, ownUsage().CPU, time.Now()
	for time.Since(began) < limit || calls == 0 {
		for _, op := range []string{typescript.OpPrepare, typescript.OpExecute} {
			if _, err := rt.CallTool(ctx, "tools/tool", op, call); err != nil {
				return err
			}
		}
		calls++
	}
	each := func(seconds float64) float64 { return seconds * 1e6 / float64(calls) }
	return say(toolCost{Wall: each(time.Since(began).Seconds()), CPU: each(ownUsage().CPU - before)})
}

//go:build !windows

package script

import (
	"context"
	"encoding/json"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/rs/zerolog"
)

// BenchmarkCallTool is prepare and execute of a trivial tool, one after the
// other, as a session asks for them. The target is 120 µs of CPU for both.
func BenchmarkCallTool(b *testing.B) {
	for _, version := range []string{"zod3", "zod4"} {
		b.Run(version, func(b *testing.B) {
			benchmarkTool(b, version, `z.object({ city: z.string().min(1), days: z.number().int().min(1).max(14).default(1), tags: z.array(z.string()).optional() })`)
		})
	}
	b.Run("json-schema", func(b *testing.B) { benchmarkTool(b, "zod3", `{ type: "object" }`) })
}

func benchmarkTool(b *testing.B, version, schema string) {
	modules, err := fixtures[version]()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := os.Symlink(modules, dir+"/node_modules"); err != nil {
		b.Fatal(err)
	}
	source := `import { z } from "zod"; import { defineTool } from "@cursor/bdk/tools"; void z;
export default defineTool({ description: "x", inputSchema: ` + schema + `, async execute(input, ctx) { return { city: input.city, session: ctx.session.id }; } });`
	if err := os.WriteFile(dir+"/x.ts", []byte(source), 0o644); err != nil {
		b.Fatal(err)
	}
	rt, err := Load(context.Background(), &Options{Dir: dir, Modules: []Module{{ID: "tools/x", File: dir + "/x.ts"}}, Logger: zerolog.Nop()})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	ctx := context.Background()
	c := &agent.Call{ID: "call_1", Args: json.RawMessage(`{"city":"Prague","tags":["a","b"]}`), Session: agent.Session{ID: "s"}}
	before := cpu()
	for b.Loop() {
		if _, err := rt.CallTool(ctx, "tools/x", OpPrepare, c); err != nil {
			b.Fatal(err)
		}
		if _, err := rt.CallTool(ctx, "tools/x", OpExecute, c); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

// cpu is what the process has used so far.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCallRoute is a webhook with a body of some hundred bytes and an answer in JSON.
func BenchmarkCallRoute(b *testing.B) {
	dir := b.TempDir()
	source := `import { defineChannel, POST } from "@cursor/bdk/channels";
export default defineChannel({ routes: [POST("/:id", async (request, { body, params }) => Response.json({ id: params.id, n: body.items.length }, { status: 202 }))] });`
	if err := os.WriteFile(dir+"/web.ts", []byte(source), 0o644); err != nil {
		b.Fatal(err)
	}
	rt, err := Load(context.Background(), &Options{Dir: dir, Modules: []Module{{ID: "channels/web", File: dir + "/web.ts"}}, Logger: zerolog.Nop()})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	body := json.RawMessage(`{"service":"checkout","status":"down","text":"no answer for a minute","items":[1,2,3,4,5,6,7,8]}`)
	c := &agent.Call{Request: &agent.Request{Method: "POST", URL: "http://127.0.0.1:3000/v1/channels/web/7", Body: body, Params: map[string]string{"id": "7"},
		Header: map[string][]string{"Content-Type": {"application/json"}, "User-Agent": {"curl"}, "Accept": {"*/*"}}}}
	before := cpu()
	for b.Loop() {
		if _, err := rt.CallRoute(context.Background(), "channels/web", 0, Incoming{Body: body, Query: json.RawMessage(`{}`)}, c); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

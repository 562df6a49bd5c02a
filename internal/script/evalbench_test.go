//go:build !windows

package script

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/eval"
	"github.com/rs/zerolog"
)

// BenchmarkRunEval is a case of one turn with a call, and five assertions. 200 cases are
// to take a small part of 3 s of CPU: the target is 3 ms for each.
func BenchmarkRunEval(b *testing.B) {
	dir := b.TempDir()
	source := `import { defineEval, includes } from "@cursor/bdk/evals";
export default defineEval({ tags: ["smoke"], async test(t) {
  const turn = await t.send("Review 42.");
  t.succeeded();
  t.calledTool("inspect", { input: { pr: /42/ }, status: "completed", count: 1 });
  turn.notCalledTool("post");
  t.maxToolCalls(3);
  t.check(t.reply, includes(/approve/i));
} });`
	if err := os.WriteFile(dir+"/x.eval.ts", []byte(source), 0o644); err != nil {
		b.Fatal(err)
	}
	rt, err := Load(context.Background(), &Options{Dir: dir, Modules: []Module{{ID: "evals/x.eval.ts", File: dir + "/x.eval.ts"}}, Logger: zerolog.Nop(), KeepWorn: true})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	reply := ranTools()
	for i := range 20 {
		reply.Events = append(reply.Events, json.RawMessage(fmt.Sprintf(`{"type":"message.appended","index":%d,"sessionId":"ses_1","turnId":"turn_1","at":"2026-01-31T12:00:00.000Z","data":{"text":"some words of it"}}`, 14+i)))
	}
	before := cpu()
	for b.Loop() {
		rec, err := rt.RunEval(context.Background(), oneCase("evals/x.eval.ts"), nil, time.Minute, &stage{turns: []*eval.Turn{reply}})
		if err != nil || len(rec.Assertions) != 5 || rec.Error != nil {
			b.Fatal(err, rec)
		}
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

package project

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// A driver is a session that answers with what it is asked.
type driver struct{ eval.Driver }

func (driver) Send(_ context.Context, message string, _ eval.SendOptions) (*eval.Turn, error) {
	return &eval.Turn{SessionID: "ses_1", TurnID: "turn_1", Index: 1, Status: eval.TurnFinished, Message: "you said " + message}, nil
}

// The program of a suite runs the case that a reference names, in modules that all cases
// share, and tells the reporters of a file, of a case and of the config.
func TestEvals_ProgramRunsWhatWasLoaded(t *testing.T) {
	t.Parallel()
	s := loadEvals(t, nil, map[string]string{
		"bot/lib/told.ts": "export const told: string[] = [];",
		"evals/evals.config.ts": `import { defineEvalConfig } from "@cursor/bdk/evals";
import { told } from "../bot/lib/told.ts";
export default defineEvalConfig({ maxConcurrency: 4, reporters: [{ onRunStart(run) { told.push("config " + run.runId); } }] });
`,
		"evals/prs.eval.ts": `import { defineEval } from "@cursor/bdk/evals";
import { told } from "../bot/lib/told.ts";
class Own { onRunStart(run) { told.push("case " + run.runId); } }
export default [defineEval({ test() {} }), defineEval({
  reporters: [{ onEvalComplete() {} }, { onRunStart(run) { told.push("file " + run.runId); } }],
  cases: [
    { id: "a", test() { throw new Error("not this one"); } },
    { id: "b", reporters: [new Own()], async test(t) { await t.send("hello"); t.log(t.reply, ...told, t.iteration, t.iterations); }, iterations: 2 },
  ],
})];
`,
	})
	if len(s.Diagnostics) > 0 || len(s.Cases) != 4 {
		t.Fatalf("%v, %v", ids(s), s.Diagnostics)
	}
	c := s.Cases[3]
	for _, r := range append(c.Reporters, s.Config.Reporters...) {
		if err := s.Program.Report(context.Background(), r, eval.OnRunStart, json.RawMessage(`{"runId":"r"}`)); err != nil {
			t.Error(err)
		}
	}
	r, err := s.Program.Run(context.Background(), c, nil, time.Minute, driver{})
	if err != nil || r.Error != nil {
		t.Fatalf("the case %s gives %+v, %v", c.ID, r, err)
	}
	if len(r.Logs) != 1 || r.Logs[0] != "you said hello file r case r config r 2 2" {
		t.Errorf("the case logged %q", r.Logs)
	}
}

package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// evalsOf writes a suite with one case, which asks for a word.
func evalsOf(t *testing.T, dir, word string) {
	t.Helper()
	write(t, filepath.Join(dir, "evals/evals.config.ts"), `import { defineEvalConfig } from "@cursor/bdk/evals";
export default defineEvalConfig({ maxConcurrency: 1 });
`)
	write(t, filepath.Join(dir, "evals/word.eval.ts"), `import { defineEval, includes } from "@cursor/bdk/evals";
export default defineEval({ async test(t) {
  await t.send("/call word {}");
  t.calledTool("word", { output: "`+word+`" });
} });
`)
}

// evalRun starts a run of everything and gives it when it has ended.
func (h *devHost) evalRun(slug string) *eval.Run {
	h.t.Helper()
	var reply struct{ Run *eval.Run }
	read := func(text string) {
		h.t.Helper()
		if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.Run == nil {
			h.t.Fatalf("%v: %s", err, text)
		}
	}
	at := "/" + slug + runsRoute
	read(h.ask("POST", at, "{}"))
	timeout := time.After(30 * time.Second)
	for tick := time.NewTicker(20 * time.Millisecond); reply.Run.Status == eval.RunRunning; {
		select {
		case <-tick.C:
			read(h.ask("GET", at+"/"+reply.Run.ID, ""))
		case <-timeout:
			h.t.Fatalf("the run does not end: %+v", reply.Run)
		}
	}
	return reply.Run
}

// A run on a host under dev is one of the files as they are now: the agent is the host's
// newest, and the cases are loaded for each run. Routes come and go with the folder.
func TestDev_Evals(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	newProject(t, dir, "one")
	h := startDev(t, dir)
	if got := h.ask("GET", "/demo/v1/dev/evals", ""); !strings.Contains(got, `"not_found"`) {
		t.Errorf("without a folder: %s", got)
	}
	evalsOf(t, dir, "one")
	if r := h.evalRun("demo"); r.Totals.Passed != 1 {
		t.Errorf("the first suite: %+v", r)
	}
	sayWord(t, dir, "two")
	h.err.await(t, `"changed":["bot/tools/word.ts"]`, 1)
	if r := h.evalRun("demo"); r.Totals.Failed != 1 {
		t.Errorf("the agent is that of before: %+v", r)
	}
	evalsOf(t, dir, "two")
	if r := h.evalRun("demo"); r.Totals.Passed != 1 {
		t.Errorf("the suite is that of before: %+v", r)
	}
	write(t, filepath.Join(dir, "evals/word.eval.ts"), "export default {\n")
	r := h.evalRun("demo")
	if r.Totals.Failed != 1 || r.Results[0].Error == nil || r.Results[0].Error.Kind != eval.FaultLoad {
		t.Errorf("a broken file: %+v", r)
	}
	if got := h.ask("GET", "/demo/v1/dev/evals", ""); !strings.Contains(got, `"broken":[{"id":"word"`) {
		t.Errorf("a broken file: %s", got)
	}
}

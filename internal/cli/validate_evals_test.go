package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// "every rule a diagnostic": validate has those of the evals; what keeps evals from
// running keeps no agent from being served.
func TestValidate_HasTheFindingsOfEvals(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", "new-one")
	b.want(t, ExitOK, "", "")
	dir := filepath.Join(b.Dir, "new-one")
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("evals/both.eval.ts", `import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ test() {}, cases: [] });
`)
	v := newBench(t, "validate", "--dir", dir)
	v.want(t, ExitFailed, "evals/both.eval.ts:2:29: error: the eval has both test and cases [eval/test]", "1 agent: 1 error, 0 warnings")
	newBench(t, "run", "--text", "--message", "add buy milk", "--dir", dir).want(t, ExitOK, "Added", "")

	put("evals/both.eval.ts", `import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ test() {} });
`)
	if err := os.Remove(filepath.Join(dir, "evals/evals.config.ts")); err != nil {
		t.Fatal(err)
	}
	newBench(t, "validate", "--types", "--dir", dir).want(t, ExitOK, "evals: warning: there is no evals/evals.config.ts, so no eval can run [eval/no-config]", "1 agent: 0 errors, 1 warning")
}

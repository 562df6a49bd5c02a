package project

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Every import that a finding proposes is one that loads.
func TestForgotten_ImportsThatThereAre(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	writeFile(t, filepath.Join(dir, "bot/instructions.md"), []byte("Be brief."))
	var b strings.Builder
	for name := range strings.FieldsSeq(`defineAgent defineInstructions defineResult prompt defineTool defineSkill defineHook defineArtifacts defineSchedule defineStorage
		defineChannel defineConnection defineExtension defineEval defineEvalConfig JUnit Artifacts loadJson loadJsonl loadYaml
		GET POST includes bearerAuth githubChannel memoryHook cursorPlugin fileKv`) {
		fmt.Fprintf(&b, "%s;\nvoid %s;\n", forgotten("'"+name+"' is not defined"), name)
		fmt.Fprintf(&b, "if (typeof %s !== \"function\") throw new Error(%q);\n", name, name)
	}
	writeFile(t, filepath.Join(dir, "evals/all.eval.ts"), []byte(b.String()+"export default defineEval({ test() {} });"))
	suite, err := LoadEvals(t.Context(), Place{Slug: "demo", Dir: dir, Root: "bot"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := suite.Close(); err != nil {
			t.Error(err)
		}
	}()
	if len(suite.Cases) != 1 {
		t.Errorf("%+v", suite.Diagnostics)
	}
	if got := forgotten("'rows' is not defined") + forgotten("defineTool is 5"); got != "" {
		t.Errorf("proposes %q", got)
	}
}

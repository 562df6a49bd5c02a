package project

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
)

// loadEvals writes files and loads the evals among them.
func loadEvals(t *testing.T, o *Options, files map[string]string) *eval.Suite {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), []byte(text))
	}
	return suiteIn(t, dir, o)
}

func suiteIn(t *testing.T, dir string, o *Options) *eval.Suite {
	t.Helper()
	s, err := LoadEvals(context.Background(), Place{Dir: dir, Root: "bot", Slug: "demo"}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func ids(s *eval.Suite) []string {
	list := make([]string, len(s.Cases))
	for i, c := range s.Cases {
		list[i] = c.ID
	}
	return list
}

const evalsConfig = `import { defineEvalConfig } from "@cursor/bdk/evals";
export default defineEvalConfig({ maxConcurrency: 4 });
`

const oneEval = `import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ async test(t) { await t.send("hello"); t.succeeded(); } });
`

// A project without evals/ is silent; so is one whose folder has nothing that is read.
func TestEvals_None(t *testing.T) {
	t.Parallel()
	for _, files := range []map[string]string{{"bot/instructions.md": "x"}, {"evals/data/cases.yaml": "a: 1", "evals/helper.ts": "throw 1"}, {"evals": "a file"}} {
		s := loadEvals(t, nil, files)
		if len(s.Cases)+len(s.Broken)+len(s.Diagnostics) > 0 || s.Program != nil || s.Config != nil {
			t.Errorf("the suite of %v is %+v", files, s)
		}
		if got := HasEvals(Place{Dir: s.Dir}); got != (len(files) == 2) {
			t.Errorf("HasEvals says %v of %v", got, files)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A context that ended is the one error.
func TestEvals_ContextThatEnded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	for _, files := range []map[string]string{{}, {"evals/a.eval.ts": oneEval}} {
		for name, text := range files {
			writeFile(t, filepath.Join(dir, name), []byte(text))
		}
		if s, err := LoadEvals(ctx, Place{Dir: dir}, nil); s != nil || err == nil {
			t.Errorf("LoadEvals gives %v, %v", s, err)
		}
	}
}

// "A file can also export an array": the ids of a large one keep their form, and sort.
func TestEvals_LargeArray(t *testing.T) {
	t.Parallel()
	const n = 2000
	s := loadEvals(t, nil, map[string]string{
		"evals/evals.config.ts": evalsConfig,
		"evals/sql.eval.ts": fmt.Sprintf(`import { defineEval } from "@cursor/bdk/evals";
export default Array.from({ length: %d }, (_, i) => defineEval({ description: "row " + i, metadata: { i }, test(t) { t.log(i); } }));
`, n),
	})
	got := ids(s)
	if len(got) != n || got[0] != "sql/0000" || got[n-1] != "sql/1999" || !slices.IsSorted(got) || len(s.Broken) > 0 {
		t.Fatalf("%d cases, from %v to %v, broken %v, %v", len(got), got[0], got[len(got)-1], s.Broken, s.Diagnostics)
	}
	if c := s.Cases[1234]; c.Description != "row 1234" || string(c.Metadata["i"]) != "1234" || c.Ref.Index != 1234 {
		t.Errorf("the case 1234 is %+v", c)
	}
}

// The same fault in each item of a large array is not listed 2,000 times, and none of them runs.
func TestEvals_LargeArrayOfFaults(t *testing.T) {
	t.Parallel()
	s := loadEvals(t, nil, map[string]string{
		"evals/evals.config.ts": evalsConfig,
		"evals/sql.eval.ts": `import { defineEval } from "@cursor/bdk/evals";
export default Array.from({ length: 100 }, (_, i) => defineEval({ timeoutMs: i % 2 ? 5 : -1, test() {} }));
`,
	})
	if len(s.Cases) != 50 || len(s.Broken) != 50 || len(s.Diagnostics) != maxSaid+1 {
		t.Errorf("%d cases, %d broken, %d findings", len(s.Cases), len(s.Broken), len(s.Diagnostics))
	}
	if b := s.Broken[1]; b.ID != "sql/0002" || b.Message != "evals/sql.eval.ts:2:67: item 0002: timeoutMs is -1" {
		t.Errorf("the second broken one is %+v", b)
	}
}

// "A broken eval file is a failed case of its own in every run that could have held one
// of its cases; the others run."
func TestEvals_BrokenFilesAreSelected(t *testing.T) {
	t.Parallel()
	s := loadEvals(t, nil, map[string]string{
		"evals/evals.config.ts": evalsConfig,
		"evals/good.eval.ts":    oneEval,
		"evals/bad.eval.ts":     "import './absent.js';",
		"evals/prs.eval.ts": `import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ cases: [{ id: "fine", test() {} }, { id: "wrong", test: 5 }] });
`,
	})
	for id, want := range map[string]string{"good": "good|", "bad/x": "|bad", "prs": "prs/fine|prs/wrong", "prs/fine": "prs/fine|", "prs/wrong": "|prs/wrong", "other": "|"} {
		cases, broken := s.Select(&eval.Selection{IDs: []string{id}})
		var got []string
		for _, c := range cases {
			got = append(got, c.ID)
		}
		text := strings.Join(got, ",") + "|"
		for _, b := range broken {
			text += b.ID
		}
		if text != want {
			t.Errorf("%s selects %s, want %s", id, text, want)
		}
	}
}

// renderSuites tells a reader what the evals of the agents are.
func renderSuites(t *testing.T, agents []*agent.Agent, o *Options) string {
	t.Helper()
	var b strings.Builder
	for _, a := range agents {
		p := Place{Dir: a.Dir, Root: "bot", Slug: a.Slug}
		if !HasEvals(p) {
			continue
		}
		s, err := LoadEvals(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		fmt.Fprintf(&b, "evals of %s, program=%v\n", a.Slug, s.Program != nil)
		if c := s.Config; c != nil {
			fmt.Fprintf(&b, "  config max=%d timeout=%v judge=%s history=%d%s\n", c.MaxConcurrency, c.Timeout, c.Judge, c.MaxPlaygroundRuns, renderReporters(c.Reporters))
		}
		for _, c := range s.Cases {
			renderCase(&b, c)
		}
		for _, br := range s.Broken {
			fmt.Fprintf(&b, "  broken %s: %s\n", br.ID, br.Message)
		}
		for _, d := range s.Diagnostics {
			renderDiagnostic(&b, d)
		}
	}
	return b.String()
}

func renderCase(b *strings.Builder, c *eval.Case) {
	fmt.Fprintf(b, "  case %s %d/%d (%s %d %d)", c.ID, c.Iteration, c.Iterations, c.Ref.Module, c.Ref.Index, c.Ref.Case)
	show := func(name string, v any, is bool) {
		if is {
			fmt.Fprintf(b, " %s=%v", name, v)
		}
	}
	show("description", fmt.Sprintf("%q", c.Description), c.Description != "")
	show("tags", fmt.Sprintf("%q", c.Tags), c.Tags != nil)
	show("timeout", c.Timeout, c.Timeout != 0)
	show("judge", string(c.Judge), c.Judge != nil)
	show("replay", c.Replay, c.Replay != "")
	for _, name := range slices.Sorted(maps.Keys(c.Metadata)) {
		show(name, string(c.Metadata[name]), true)
	}
	b.WriteString(renderReporters(c.Reporters) + "\n")
}

func renderReporters(list []eval.Reporter) string {
	text := ""
	for _, r := range list {
		text += fmt.Sprintf(" %s(%s%s%s of %s %d %d %d)", r.Kind, r.FilePath, r.SuiteName, r.Dir, r.Ref.Module, r.Ref.Index, r.Ref.Case, r.Index)
	}
	return text
}

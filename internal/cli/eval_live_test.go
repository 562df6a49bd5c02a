package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// cli.md: "Ctrl-C stops cleanly"; C85: "JUnit written; cancel stops the turn".
func TestEval_CtrlCFinishesTheReport(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{
		"evals.config.ts": "export default defineEvalConfig({ maxConcurrency: 1 });",
		"a.eval.ts":       passes,
		"b.eval.ts":       test(`await t.send("hello"); t.succeeded(); await new Promise(() => {});`),
		"c.eval.ts":       passes,
	}, "--junit", "junit.xml").onTerminal()
	b.Environ = []string{"NO_COLOR=1"}
	signals := make(chan os.Signal, 1)
	b.Signals = signals
	ended := make(chan int, 1)
	go func() { ended <- Main(b.Process) }()
	b.err.await(t, "1/3: b …", 1)
	signals <- syscall.SIGINT
	if code := <-ended; code != ExitInterrupted {
		t.Errorf("the exit code is %d", code)
	}
	for _, want := range []string{"✓ a ", "✗ b failed\n  ! stopped: the run was cancelled", "3 cases: 1 passed, 1 failed, 1 not run in "} {
		if !strings.Contains(b.out.String(), want) {
			t.Errorf("no %q in %s", want, b.out.String())
		}
	}
	junit, err := os.ReadFile(filepath.Join(b.Dir, "junit.xml"))
	if err != nil || !strings.Contains(string(junit), `message="the run was cancelled: 2 of 3 cases ended"`) {
		t.Errorf("the report is %s, %v", junit, err)
	}
	runs, _ := filepath.Glob(filepath.Join(b.Dir, ".bdk/evals/*"))
	if run, err := eval.ReadRun(strings.Join(runs, "")); err != nil || run.Status != eval.RunCancelled {
		t.Errorf("kept %+v, %v", run, err)
	}
}

// cli.md: "colour only on a terminal, none with NO_COLOR".
func TestEval_ColourOnATerminalAlone(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.eval.ts": passes, "b.eval.ts": fails}
	plain := evalBench(t, files)
	plain.want(t, ExitFailed, "✓ a ", "")
	if strings.Contains(plain.out.String()+plain.err.String(), "\x1b") || strings.Contains(plain.err.String(), "1/2") {
		t.Errorf("without a terminal it prints %q %q", plain.out.String(), plain.err.String())
	}
	colour := evalBench(t, files).onTerminal()
	colour.want(t, ExitFailed, "\x1b[32m✓\x1b[0m a\x1b[90m ", "")
	none := evalBench(t, files).onTerminal()
	none.Environ = []string{"NO_COLOR=1"}
	none.want(t, ExitFailed, "✓ a ", "1/2")
	if strings.Contains(none.out.String(), "\x1b[3") {
		t.Errorf("with NO_COLOR it prints %q", none.out.String())
	}
}

// aConsole is one without a host, on no terminal.
func aConsole(t *testing.T, f *evalFlags, ids ...string) (*evalConsole, *bench) {
	t.Helper()
	b := newBench(t)
	cases := make([]*eval.Case, len(ids))
	for i, id := range ids {
		cases[i] = &eval.Case{ID: id}
	}
	return newApp(b.Process, nil).newEvalConsole(filepath.Join(b.Dir, "desk"), f, cases), b
}

// A report has failures in the order of the suite with all that helps, whatever the order
// in which cases end; nothing of an agent's own moves a terminal, and no secret is in it.
func TestEvalConsole_Report(t *testing.T) {
	t.Parallel()
	c, b := aConsole(t, &evalFlags{}, "a/one", "a/three", "b")
	c.app.redactor.Add("canary-0123456789")
	c.opens = func(id string) string { return "bdk sessions events " + id + " --state-root 'my root'" }
	c.kept = ".bdk/evals/x"
	cost, judges := 0.25, 0.125
	one := &eval.Result{ID: "a/one", Verdict: eval.Failed, Description: "Says hello.", SessionID: "ses_1", DurationMs: 1234,
		Logs:    slices.Repeat([]string{"key canary-0123456789\x1b[2J"}, 21),
		Metrics: eval.Metrics{Spent: eval.Spent{CostUSD: &cost}},
		Error:   &eval.Fault{Kind: eval.FaultTest, Message: "boom\nand more", Place: "evals/a.eval.ts:3:1", Stack: "at x"},
		Assertions: []eval.Assertion{
			{Name: "succeeded()", Severity: eval.Gate, Score: 1, Passed: true},
			{Name: `calledTool("x")`, Severity: eval.Gate, Message: "called " + strings.Repeat("y", 3000), Place: "evals/a.eval.ts:4:5"},
			{Name: `score("tone")`, Severity: eval.AtLeast, Threshold: 0.8, Score: 0.5},
		}}
	one.Metrics.Usage.InputTokens = 1_234_567
	two := &eval.Result{ID: "a/three", Verdict: eval.Skipped, SkipReason: "not\ntoday"}
	three := &eval.Result{ID: "b", Verdict: eval.Passed, DurationMs: 65_000}
	run := &eval.Run{DurationMs: 66_000, Totals: eval.Totals{Cases: 4, Done: 3, Passed: 1, Failed: 1, Skipped: 1}, Results: []*eval.Result{one, two, three}, Error: "the reporter failed"}
	run.Totals.Spent = eval.Spent{CostUSD: &cost, JudgeCostUSD: &judges}
	run.Totals.Usage.InputTokens, run.Totals.Usage.CacheReadTokens, run.Totals.Usage.OutputTokens = 1_000_000, 200, 30
	for _, err := range []error{c.RunStarted(run), c.CaseStarted(&eval.Case{ID: "b"}), c.CaseEnded(three), c.CaseEnded(two), c.CaseEnded(one), c.RunEnded(run)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	logs := strings.Repeat("  log: key [redacted]\\x1b[2J\n", 20)
	want := "✓ b           1m5s         0 tokens\n" +
		"- a/three  skipped: not today\n" +
		"✗ a/one      1.2 s  1,234,567 tokens  $0.2500\n" +
		"\n✗ a/one failed\n  Says hello.\n" +
		"  ! test: boom\n    and more (desk/evals/a.eval.ts:3:1)\n" +
		"  ✗ calledTool(\"x\"): called " + strings.Repeat("y", 1993) + "… (1007 more characters) (desk/evals/a.eval.ts:4:5)\n" +
		"  ~ score(\"tone\") scored 0.5 of 0.8\n" +
		"  log: … (1 before; --verbose shows them)\n" + logs +
		"  session: bdk sessions events ses_1 --state-root 'my root'\n" +
		"\n4 cases: 1 passed, 1 failed, 1 skipped, 1 not run in 1m6s\n" +
		"tokens: 1,000,000 in, 200 cached, 30 out; cost: $0.2500, $0.1250 of it for judges\n" +
		"kept in .bdk/evals/x\n! the reporter failed\n"
	if got := b.out.String(); got != want {
		t.Errorf("the report is\n%s\nwant\n%s", got, want)
	}
}

func TestEvalConsole_Verbose(t *testing.T) {
	t.Parallel()
	c, b := aConsole(t, &evalFlags{verbose: true}, "a")
	r := &eval.Result{ID: "a", Verdict: eval.Passed, Logs: slices.Repeat([]string{"l"}, 30), Assertions: []eval.Assertion{
		{Name: "succeeded()", Severity: eval.Gate, Score: 1, Passed: true, Place: "evals/a.eval.ts:1:2"}, {Name: `score("x")`, Severity: eval.Soft, Score: 0.25, Passed: true},
	}}
	if err := c.RunEnded(&eval.Run{Results: []*eval.Result{r}, Totals: eval.Totals{Cases: 1, Done: 1, Passed: 1}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"✓ a passed\n  ✓ succeeded() (desk/evals/a.eval.ts:1:2)\n  ✓ score(\"x\") scored 0.25\n  log: l\n", "cost: not known, since a model has no price\n"} {
		if !strings.Contains(b.out.String(), want) {
			t.Errorf("no %q in %s", want, b.out.String())
		}
	}
	if n := strings.Count(b.out.String(), "log: l\n"); n != 30 {
		t.Errorf("%d of 30 logs are shown", n)
	}
}

// The line of what is under way is one line, however many cases run.
func TestEvalConsole_LiveLine(t *testing.T) {
	t.Parallel()
	b := newBench(t).onTerminal()
	a := newApp(b.Process, nil)
	c := a.newEvalConsole(b.Dir, &evalFlags{}, nil)
	_ = c.RunStarted(&eval.Run{Totals: eval.Totals{Cases: 200}})
	for i := range 200 {
		_ = c.CaseStarted(&eval.Case{ID: fmt.Sprintf("suite/case-%03d", i)})
	}
	_ = c.CaseEnded(&eval.Result{ID: "suite/case-000", Verdict: eval.Failed})
	a.status.end()
	lines := strings.Split(b.err.String(), clearLine)
	if want := "1/200, 1 failed: suite/case-001, suite/case-002, suite/case-003 and 196 more …"; !slices.Contains(lines, want) {
		t.Errorf("the last lines are %q", lines[max(0, len(lines)-3):])
	}
	for _, l := range lines {
		if len([]rune(l)) > 79 {
			t.Errorf("%q does not fit", l)
		}
	}
}

// A report that nobody reads any more is an error, said once the run has ended.
func TestEvalConsole_KeepsTheFirstErrorOfWriting(t *testing.T) {
	t.Parallel()
	c, _ := aConsole(t, &evalFlags{}, "a")
	c.out = closedPipe{}
	err := c.CaseEnded(&eval.Result{ID: "a", Verdict: eval.Passed})
	if again := c.RunEnded(&eval.Run{}); err == nil || again == nil || again.Error() != err.Error() {
		t.Errorf("the errors are %v, %v", err, again)
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestCompareTable_RatiosAndReasons(t *testing.T) {
	t.Parallel()
	was, now, none := 0.5, 0.25, 0.0
	c := &eval.Comparison{
		Old: eval.ComparedRun{ID: "20260131-120000-abcd", Tokens: 1000, Totals: eval.Totals{Spent: eval.Spent{CostUSD: &was}}},
		New: eval.ComparedRun{Tokens: 2500, Totals: eval.Totals{Spent: eval.Spent{CostUSD: &now}}},
		Rows: []eval.CompareRow{
			{ID: "a", Change: eval.ChangeNone, Old: &eval.CompareSide{}, New: &eval.CompareSide{}},
			{ID: "b/c", Change: eval.ChangeWorse, Old: &eval.CompareSide{Verdict: eval.Passed, Iterations: 3, Passed: 3, Tokens: 0, CostUSD: &none},
				New: &eval.CompareSide{Verdict: eval.Failed, Iterations: 3, Passed: 1, Tokens: 12000, CostUSD: &none, Why: []string{"succeeded():\nno"}}},
			{ID: "d", Change: eval.ChangeAdded, New: &eval.CompareSide{Verdict: eval.Scored, Iterations: 1}},
		},
		Worse: 1, Same: 1, Added: 1,
	}
	want := `since 20260131-120000-abcd: 1 worse, 1 added, 1 as before
  b/c        worse  passed (3 of 3 passed) → failed (1 of 3 passed)  0 → 12,000 tokens
  d          added  none → scored
  all cases                                                          1,000 → 2,500 tokens (×2.50)  $0.5000 → $0.2500 (×0.50)
  b/c: succeeded(): no
`
	if got := compareTable(c); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
	if got := compareTable(&eval.Comparison{}); !strings.Contains(got, "nothing to compare") || !strings.Contains(got, "cost not known") {
		t.Errorf("of nothing it is %s", got)
	}
}

func TestRedactJSON_ChangesStringsAlone(t *testing.T) {
	t.Parallel()
	redact := func(s string) string { return strings.ReplaceAll(s, `se"cret`, "[redacted]") }
	in := `{"a": "x se\"cret \\", "n": 1.50, "b": ["\u0073e\"cret", "plain \u00e9 <"], "": true}`
	want := `{"a": "x [redacted] \\", "n": 1.50, "b": ["[redacted]", "plain \u00e9 <"], "": true}`
	if got := string(redactJSON([]byte(in), redact)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestShellWord_IsOneWord(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "''", ".bdk/evals/x": ".bdk/evals/x", "my root": "'my root'", "it's": `'it'\''s'`, "$HOME": "'$HOME'"} {
		if got := shellWord(in); got != want {
			t.Errorf("%q is written %s, want %s", in, got, want)
		}
	}
}

func TestBriefly_HasTheDigitsThatCount(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{0: "0 ms", 999 * time.Millisecond: "999 ms", 1250 * time.Millisecond: "1.2 s", time.Minute: "1m0s", 3723 * time.Second: "1h2m3s"} {
		if got := briefly(d.Milliseconds()); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}

// cli.md: "shell completion".
func TestEval_CompletesIDsAndTags(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{
		"a.eval.ts": `export default defineEval({ tags: ["smoke", "slow"], test() {} });`,
		"b.eval.ts": `export default defineEval({ tags: ["smoke"], cases: [{ id: "x", test() {} }, { id: "y", test() {} }] });`,
	})
	if got := completes(t, b, "eval", "b"); got != "b/x b/y" {
		t.Errorf("ids complete to %q", got)
	}
	again := newBench(t)
	again.Dir = b.Dir
	if got := completes(t, again, "eval", "--tag", ""); got != "smoke slow" {
		t.Errorf("tags complete to %q", got)
	}
}

// cli.md: "--slug" where a folder has several projects; peers of it are loaded as well.
func TestEval_OneOfSeveralProjects(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{"a.eval.ts": passes}, "--slug", "desk", "--dir", "..")
	write(t, filepath.Join(b.Dir, "../other/bot/instructions.md"), "Nothing.")
	b.want(t, ExitOK, "1 passed", "")
	if runs, _ := filepath.Glob(filepath.Join(b.Dir, ".bdk/evals/*/summary.json")); len(runs) != 1 {
		t.Errorf("kept %v", runs)
	}
	none := newBench(t, "eval")
	none.Dir = filepath.Dir(b.Dir)
	none.want(t, ExitUsage, "", "there are several agents: choose one with --slug: desk, other")
}

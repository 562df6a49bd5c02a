package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/eval"
)

// evalFiles are a project whose model answers each message with itself, but for one that
// begins with "break", on which it fails.
var evalFiles = map[string]string{
	"bot/instructions.md": "Repeat.",
	"bot/agent.ts":        `import { defineAgent } from "@cursor/bdk"; export default defineAgent({ model: "scripted" });`,
	"bot/script.yaml": `- when: /^break/
  steps: [{ error: { status: 500, message: the provider is down } }]
- when: ""
  steps: [{ say: "I heard: {{ .text }}" }]
`,
	"evals/evals.config.ts": `import { defineEvalConfig } from "@cursor/bdk/evals";
export default defineEvalConfig({ maxConcurrency: 4 });`,
}

// evalBench is a bench in a project with these eval files, by their names below evals/.
func evalBench(t *testing.T, evals map[string]string, args ...string) *bench {
	t.Helper()
	b := newBench(t, append([]string{"eval"}, args...)...)
	b.Dir = filepath.Join(b.Dir, "desk")
	for name, text := range evalFiles {
		write(t, filepath.Join(b.Dir, name), text)
	}
	for name, text := range evals {
		file := filepath.Join(b.Dir, "evals", name)
		if text == "" {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !strings.Contains(text, "import ") {
			text = `import { defineEval, defineEvalConfig, includes, JUnit, Artifacts } from "@cursor/bdk/evals"; ` + text
		}
		write(t, file, text)
	}
	return b
}

// test is an eval file with one test.
func test(body string) string { return "export default defineEval({ async test(t) {" + body + "} });" }

var (
	passes = test(`await t.send("hello"); t.succeeded(); t.check(t.reply, includes("I heard: hello"));`)
	fails  = test(`t.log("before"); await t.send("hello"); t.calledTool("look"); t.check(t.reply, includes("nothing of it"));`)
	scores = test(`await t.send("hello"); t.score("tone", 0.5).atLeast(0.8);`)
	skips  = test(`t.skip("not today");`)
)

// cli.md: exit codes; P48: "An eval run that executed no case is never green (exit 2);
// infrastructure failure is never a pass."
func TestEval_ExitCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		evals          map[string]string
		args           string
		code           int
		stdout, stderr string
	}{
		"all pass":                        {map[string]string{"a.eval.ts": passes}, "", ExitOK, "1 case: 1 passed in ", ""},
		"a gate is missed":                {map[string]string{"a.eval.ts": passes, "b.eval.ts": fails}, "", ExitFailed, "2 cases: 1 passed, 1 failed in ", ""},
		"a case is scored":                {map[string]string{"a.eval.ts": scores}, "", ExitOK, "1 case: 0 passed, 1 scored in ", ""},
		"a case is scored, strictly":      {map[string]string{"a.eval.ts": scores}, "--strict", ExitFailed, "~ a scored", ""},
		"every case is skipped":           {map[string]string{"a.eval.ts": skips}, "", ExitUsage, "- a  skipped: not today", "no case was run: every one was skipped"},
		"one of two is skipped":           {map[string]string{"a.eval.ts": skips, "b.eval.ts": passes}, "", ExitOK, "2 cases: 1 passed, 1 skipped in ", ""},
		"nothing has the id":              {map[string]string{"builds/api.eval.ts": passes}, "builds/apo", ExitUsage, "", "near: builds/api"},
		"nothing is near the id":          {map[string]string{"builds/api.eval.ts": passes}, "zzz", ExitUsage, "", `"zzz"; bdk eval --list shows those that there are`},
		"one id of two has nothing":       {map[string]string{"builds/api.eval.ts": passes}, "builds/api builds/apo", ExitOK, "1 case: 1 passed in ", `bdk: warning: no id is or lies below "builds/apo" (near: builds/api, builds)`},
		"one id of two, listed":           {map[string]string{"builds/api.eval.ts": passes}, "builds/api zzz --list", ExitOK, "builds/api", `bdk: warning: no id is or lies below "zzz"`},
		"one tag of two has nothing":      {map[string]string{"a.eval.ts": strings.Replace(passes, "{ async", `{ tags: ["smoke"], async`, 1)}, "--tag smoke --tag smok", ExitOK, "1 case: 1 passed in ", `bdk: warning: no case has the tag "smok" (there are: smoke)`},
		"nothing has the tag":             {map[string]string{"a.eval.ts": passes}, "--tag smoke", ExitUsage, "", `no case has the tag "smoke"`},
		"there are no evals":              {nil, "", ExitUsage, "", "no case is selected"},
		"there is no config":              {map[string]string{"a.eval.ts": passes, "evals.config.ts": ""}, "", ExitUsage, "", "evals.config.ts"},
		"the config does not hold":        {map[string]string{"a.eval.ts": passes, "evals.config.ts": "export default defineEvalConfig({});"}, "", ExitUsage, "", "maxConcurrency"},
		"a file does not load":            {map[string]string{"a.eval.ts": passes, "b.eval.ts": `throw new Error("no such table");`}, "", ExitFailed, "2 cases: 1 passed, 1 failed in ", "b.eval.ts"},
		"a file that is not meant":        {map[string]string{"a.eval.ts": passes, "b.eval.ts": `throw new Error("no such table");`}, "a", ExitOK, "1 case: 1 passed in ", "b.eval.ts"},
		"the test throws":                 {map[string]string{"a.eval.ts": test(`throw new Error("boom");`)}, "", ExitFailed, "! test: boom", ""},
		"the provider fails":              {map[string]string{"a.eval.ts": test(`await t.send("break it"); t.notCalledTool("look");`)}, "", ExitFailed, "the provider is down", ""},
		"time is over":                    {map[string]string{"a.eval.ts": test(`await new Promise(() => {});`)}, "--timeout 50ms", ExitFailed, "! timeout: the case took longer than its time limit of 50ms", ""},
		"a reporter throws":               {map[string]string{"a.eval.ts": passes, "evals.config.ts": `export default defineEvalConfig({ maxConcurrency: 1, reporters: [{ onRunComplete() { throw new Error("no disk"); } }] });`}, "", ExitFailed, "no disk", ""},
		"a reporter cannot write":         {map[string]string{"a.eval.ts": passes}, "--junit evals/a.eval.ts/junit.xml", ExitFailed, "junit.xml", ""},
		"a case that is named as command": {map[string]string{"status.eval.ts": passes}, "-- status", ExitOK, "✓ status ", ""},
		"a command that was mistyped":     {map[string]string{"a.eval.ts": passes}, "stauts 20260131-120000-x7ab", ExitUsage, "", "for the command, type bdk eval status"},
		"the state root of the host":      {map[string]string{"a.eval.ts": passes}, "--state-root .bdk", ExitUsage, "", "evals have one of their own"},
		"a run that there is not":         {map[string]string{"a.eval.ts": passes}, "--compare last", ExitUsage, "", "no run of desk has completed yet"},
		"another run that there is not":   {map[string]string{"a.eval.ts": passes}, "--compare elsewhere", ExitUsage, "", "there is no run in elsewhere"},
		"a file that is no run":           {map[string]string{"a.eval.ts": passes}, "--compare evals/a.eval.ts", ExitUsage, "", "no summary.json of a run"},
		"an agent that there is not":      {map[string]string{"a.eval.ts": passes}, "--slug other", ExitUsage, "", `there is no agent "other": there is desk`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			evalBench(t, c.evals, strings.Fields(c.args)...).want(t, c.code, c.stdout, c.stderr)
		})
	}
}

// A project with errors is refused, as for every command that starts a host.
func TestEval_RefusesAProjectWithErrors(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{"a.eval.ts": passes})
	write(t, filepath.Join(b.Dir, "bot/tools/broken.ts"), `throw new Error("no");`)
	b.want(t, ExitNoStart, "", "the project has 1 error")
}

// evals.md: "Repeated IDs use OR; repeated tags use OR. When both are present, a case must
// match both groups."
func TestEval_ListsWhatIsSelected(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"evals.config.ts":    "",
		"a.eval.ts":          `export default defineEval({ tags: ["smoke"], description: "Says  hello.\u001b[2J", iterations: 2, test() {} });`,
		"builds/api.eval.ts": `export default defineEval({ cases: [{ id: "one", tags: ["slow", "smoke"], test() {} }, { id: "two", test() {} }] });`,
	}
	all := "a/1             smoke       Says hello.\\x1b[2J\na/2             smoke       Says hello.\\x1b[2J\nbuilds/api/one  slow,smoke\nbuilds/api/two\n"
	for args, want := range map[string]string{
		"":                           all,
		"a builds":                   all,
		"builds":                     "builds/api/one  slow,smoke\nbuilds/api/two\n",
		"--tag slow --tag smoke a":   "a/1  smoke  Says hello.\\x1b[2J\na/2  smoke  Says hello.\\x1b[2J\n",
		"builds/api/two builds/api/": "builds/api/one  slow,smoke\nbuilds/api/two\n",
	} {
		b := evalBench(t, map[string]string{"a.eval.ts": files["a.eval.ts"], "builds/api.eval.ts": files["builds/api.eval.ts"], "evals.config.ts": ""},
			append([]string{"--list"}, strings.Fields(args)...)...).onTerminal()
		b.want(t, ExitOK, "", "case")
		if b.out.String() != want {
			t.Errorf("%s lists\n%s, want\n%s", args, b.out.String(), want)
		}
		if _, err := os.Stat(filepath.Join(b.Dir, ".bdk")); !os.IsNotExist(err) {
			t.Errorf("a list left something behind: %v", err)
		}
	}
	b := evalBench(t, files, "--list", "--json", "--tag", "slow")
	b.want(t, ExitOK, "", "")
	var list eval.Listing
	if err := json.Unmarshal([]byte(b.out.String()), &list); err != nil || len(list.Cases) != 1 || list.Cases[0].ID != "builds/api/one" || list.Agent != "desk" {
		t.Errorf("listed %s, %v", b.out.String(), err)
	}
	evalBench(t, files, "--list", "build").want(t, ExitUsage, "", "near: builds")
	evalBench(t, map[string]string{"a.eval.ts": passes, "b.eval.ts": "export default 1;"}, "--list").want(t, ExitFailed, "a\n", "b.eval.ts")
	// evals.md: "2: there is no configuration that holds"; what there is is listed all the same.
	evalBench(t, map[string]string{"a.eval.ts": passes, "evals.config.ts": "export default {};"}, "--list").want(t, ExitUsage, "a\n", "evals.config.ts")
}

// evals.md: "JSON output contains run totals and one result per case."
func TestEval_JSONIsTheWholeRun(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{"b.eval.ts": passes, "a.eval.ts": test(`t.log("key is " + process.env.DESK_KEY); await t.send("hello"); t.succeeded();`)}, "--json")
	b.Environ = []string{`DESK_KEY=canary-"0123456789`}
	b.want(t, ExitOK, "", "✓ a ")
	var run struct {
		eval.Run
		Compare *eval.Comparison
	}
	if err := json.Unmarshal([]byte(b.out.String()), &run); err != nil {
		t.Fatalf("%v in %s", err, b.out.String())
	}
	if len(run.Results) != 2 || run.Results[0].ID != "a" || run.Results[1].ID != "b" || run.Totals.Passed != 2 || run.Status != eval.RunCompleted || run.Compare != nil {
		t.Errorf("the run is %s", b.out.String())
	}
	if strings.Contains(b.out.String()+b.err.String(), "0123456789") || len(run.Results[0].Logs) != 1 || run.Results[0].Logs[0] != "key is [redacted]" {
		t.Errorf("the secret was not taken out: %s %s", b.out.String(), b.err.String())
	}
	for _, name := range []string{"results.jsonl", "evals/a.json"} {
		found, _ := filepath.Glob(filepath.Join(b.Dir, ".bdk/evals/*", name))
		if len(found) != 1 {
			t.Fatalf("%s: %v", name, found)
		}
		if kept, err := os.ReadFile(found[0]); err != nil || !strings.Contains(string(kept), "key is [redacted]") {
			t.Errorf("%s holds %s, %v", name, kept, err)
		}
	}
}

// evals.md: "Default run artifacts go under evals/<stamp>/ in the project state directory and
// include summary.json, results.jsonl, and evals/<case-id>.json. --artifacts <dir> chooses
// another destination; --no-artifacts disables them. This location is independent of
// --state-root."
func TestEval_KeepsTheRun(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]struct{ folder, root string }{
		"":                               {".bdk/evals/*", ".bdk/evals/*/root"},
		"--artifacts out/here":           {"out/here", "out/here/root"},
		"--state-root sessions":          {".bdk/evals/*", "sessions"},
		"--no-artifacts --state-root s2": {"", "s2"},
		"--no-artifacts":                 {"", ""},
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			b := evalBench(t, map[string]string{"in/a.eval.ts": fails}, strings.Fields(args)...)
			b.Environ = []string{"BDK_STATE_ROOT=" + filepath.Join(b.Dir, "served")}
			b.want(t, ExitFailed, "", "")
			for _, file := range []string{"summary.json", "results.jsonl", "evals/in/a.json"} {
				found, _ := filepath.Glob(filepath.Join(b.Dir, want.folder, file))
				if (len(found) == 1) != (want.folder != "") {
					t.Errorf("%s: %v", file, found)
				}
			}
			if want.folder == "" {
				if _, err := os.Stat(filepath.Join(b.Dir, ".bdk")); !os.IsNotExist(err) {
					t.Errorf("something was left behind: %v", err)
				}
			}
			if _, err := os.Stat(filepath.Join(b.Dir, "served")); !os.IsNotExist(err) {
				t.Errorf("evals touched the state root of the host: %v", err)
			}
			shows := strings.Contains(b.out.String(), "bdk sessions events ses_")
			if shows != (want.root != "") {
				t.Errorf("the report is %s", b.out.String())
			}
			if shows {
				opens(t, b, want.root)
			}
		})
	}
}

// opens types the command that the report gives for a session.
func opens(t *testing.T, b *bench, root string) {
	t.Helper()
	_, command, _ := strings.Cut(b.out.String(), "session: bdk ")
	command, _, _ = strings.Cut(command, "\n")
	s := newBench(t, strings.Fields(command)...)
	s.Dir = b.Dir
	s.want(t, ExitOK, `"purpose":"eval"`, "")
	if found, _ := filepath.Glob(filepath.Join(b.Dir, root)); len(found) != 1 || !strings.HasSuffix(command, strings.TrimPrefix(found[0], b.Dir+"/")) {
		t.Errorf("the command is %s, the root %v", command, found)
	}
}

// evals.md: "case reporters add to the file's reporters"; JUnit of a file has its cases alone.
func TestEval_WritesTheReportsOfConfigFilesAndFlags(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{
		"evals.config.ts": `export default defineEvalConfig({ maxConcurrency: 2, reporters: [JUnit({ filePath: "out/all.xml", suiteName: "nightly" }), Artifacts({ dir: "out/kept" })] });`,
		"a.eval.ts":       passes,
		"b.eval.ts":       `export default defineEval({ reporters: [JUnit({ filePath: "out/b.xml" })], async test(t) { await t.send("x"); t.calledTool("look"); } });`,
	}, "--junit", "flag.xml", "--artifacts", "mine")
	b.want(t, ExitFailed, "", "")
	for file, want := range map[string]string{
		"out/all.xml": `<testsuite name="nightly" tests="2" failures="1" errors="0"`,
		"flag.xml":    `<testsuite name="evals of desk" tests="2" failures="1" errors="0"`,
		"out/b.xml":   `tests="1" failures="1" errors="0"`,
	} {
		text, err := os.ReadFile(filepath.Join(b.Dir, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s is %s, %v; want %s", file, text, err, want)
		}
	}
	for _, dir := range []string{"out/kept", "mine"} {
		if run, err := eval.ReadRun(filepath.Join(b.Dir, dir)); err != nil || len(run.Results) != 2 {
			t.Errorf("%s holds %+v, %v", dir, run, err)
		}
	}
}

// "bdk eval --compare <run>: which cases changed, tokens and cost beside them".
func TestEval_ComparesWithARun(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{"a.eval.ts": passes, "b.eval.ts": passes, "c.eval.ts": passes}, "--junit", "j.xml")
	b.want(t, ExitOK, "", "")
	runs, _ := filepath.Glob(filepath.Join(b.Dir, ".bdk/evals/*"))
	if len(runs) != 1 {
		t.Fatalf("kept %v", runs)
	}
	write(t, filepath.Join(b.Dir, "evals/a.eval.ts"), strings.ReplaceAll(`import { defineEval } from "@cursor/bdk/evals"; `+fails, "includes(", "String("))
	if err := os.Remove(filepath.Join(b.Dir, "evals/c.eval.ts")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Base(runs[0]), runs[0], filepath.Join(runs[0], "summary.json")} {
		again := newBench(t, "eval", "--compare", name, "--no-artifacts")
		again.Dir = b.Dir
		again.want(t, ExitFailed, "since "+filepath.Base(runs[0])+": 1 worse, 1 removed, 1 as before\n", "")
		for _, want := range []string{"  a          worse    passed → failed  ", " tokens", "  c          removed  passed → none\n", "all cases"} {
			if !strings.Contains(again.out.String(), want) {
				t.Errorf("no %q in %s", want, again.out.String())
			}
		}
	}
	last := newBench(t, "eval", "--compare", "last", "--json")
	last.Dir = b.Dir
	last.want(t, ExitFailed, `"compare": {`, "")
	var told toldRun
	if err := json.Unmarshal([]byte(last.out.String()), &told); err != nil || told.Compare == nil || told.Compare.Worse != 1 {
		t.Errorf("%v in %s", err, last.out.String())
	}
}

// cli.md: "eval always has a state root of its own": never that of a host, by whatever name.
func TestEval_NeverUsesTheStateRootOfAHost(t *testing.T) {
	t.Parallel()
	b := evalBench(t, map[string]string{"a.eval.ts": passes}, "--state-root", "link", "--no-artifacts")
	if err := errors.Join(os.Mkdir(filepath.Join(b.Dir, ".bdk"), 0o700), os.Symlink(".bdk", filepath.Join(b.Dir, "link"))); err != nil {
		t.Fatal(err)
	}
	b.want(t, ExitUsage, "", "evals have one of their own")
	b = evalBench(t, map[string]string{"a.eval.ts": passes}, "--state-root", "served", "--no-artifacts")
	b.Environ = []string{"BDK_STATE_ROOT=" + filepath.Join(b.Dir, "served")}
	b.want(t, ExitUsage, "", "evals have one of their own")
}

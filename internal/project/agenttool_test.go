//go:build unix

package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/harness"
	"github.com/gobdk/bdk/internal/sandbox"
	"github.com/gobdk/bdk/internal/workspace"
)

// An apartRig is a project whose tools run in processes of their own.
type apartRig struct {
	agent   *agent.Agent
	dir     string // the workspace
	scratch workspace.Scratch
	path    string
}

func loadApart(t *testing.T, files map[string]string) *apartRig {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "calls")
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), []byte(strings.Replace(text, "  description:", "  execution: \"agent\",\n  description:", 1)))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{"SECRET=canary"}, ToolCommand: []string{self, runsTool}, CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(agents) })
	if d := agents[0].Diagnostics; len(d) > 0 {
		t.Fatalf("the project has diagnostics: %+v", d)
	}
	return &apartRig{agents[0], t.TempDir(), workspace.Scratch{Home: t.TempDir(), Tmp: t.TempDir(), Notes: t.TempDir()}, os.Getenv("PATH")}
}

// call runs a tool as a turn does.
func (r *apartRig) call(ctx context.Context, tool, args string) string {
	c := callOf(tool, args)
	c.RunScript = func(ctx context.Context, argv []string, input []byte) (agent.Result, error) {
		return harness.RunScript(ctx, &harness.Script{
			Programs: harness.Programs{Environ: []string{"PATH=" + r.path, "SECRET=canary"}},
			Dir:      r.dir, Scratch: r.scratch, Argv: argv, Input: input, Log: zerolog.Nop(),
		})
	}
	res, err := r.agent.Tool(tool).Execute(ctx, c)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(res.Code + " " + string(res.Output))
}

// "the compiled tool is called in a process of its own, input as JSON on stdin, the
// result as the last line of stdout, exit code 0 or an error result": what it gives is
// what it gives in the host.
func TestAgentExecution_SameResults(t *testing.T) {
	t.Parallel()
	r := loadApart(t, callFiles)
	for _, c := range []struct{ tool, args, want string }{
		{"plain", `{"n":4}`, `{"twice":8}`},
		{"plain", `{"n":400}`, `invalid_output "the tool's result does not fit its output schema: twice: must be at most 100"`},
		{"parsed", `{"n":"3"}`, `{"n":2}`},
		{"parsed", `{"n":1}`, `invalid_output "the result does not fit outputSchema: n: must be above 0"`},
		{"throws", `{}`, `tool_error "the shelf is empty"`},
		{"decides", `{}`, "null"},
		{"envelope", `{}`, `{"content":[{"type":"text","text":"x"}],"structuredContent":{"ok":true}}`},
		{"envelope", `{"how":"failed"}`, `tool_error "first\n<second> & third"`},
		{"knows", `{"a":1}`, `{"input":{"a":1},"id":"call_1","turn":"turn_1","agent":"calls","session":"s_1","now":"2026-03-04T05:06:07.000Z"}`},
	} {
		if r.agent.Tool(c.tool).Execution != agent.ExecutionAgent {
			t.Errorf("%s runs in the host", c.tool)
		}
		if got := r.call(t.Context(), c.tool, c.args); got != c.want {
			t.Errorf("%s %s is %s, want %s", c.tool, c.args, got, c.want)
		}
	}
}

var scriptFiles = map[string]string{
	"bot/instructions.md": "Here.",
	"bot/tools/works.ts": `
import { readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { defineTool } from "@cursor/bdk/tools";
console.log("loading");
export default defineTool({
  description: "Works in the workspace.",
  inputSchema: { type: "object" },
  async execute({ what }, ctx) {
    console.log("a line that is no result");
    switch (what) {
      case "files":
        writeFileSync("made.txt", "made");
        return [process.cwd() === ctx.workspaceDir, readFileSync(ctx.workspaceDir + "/made.txt", "utf8"), execFileSync("cat", ["made.txt"]).toString()];
      case "env":
        return [process.env.SECRET ?? "no secret", process.env.HOME?.length > 0, Object.keys(process.env).includes("BDK_RUN")];
      case "outside":
        writeFileSync(import.meta.dirname + "/made.txt", "made");
        return "written";
      case "kv":
        return await ctx.host.kv.get("a");
      case "wait":
        writeFileSync("pid", String(process.pid));
        await new Promise((done) => ctx.signal.addEventListener("abort", () => { writeFileSync("told", "yes"); done(); }));
        return "late";
      case "spin":
        writeFileSync("pid", String(process.pid));
        while (true) {}
      case "exit":
        throw new Error("two\nlines");
    }
  },
});
`,
	"bot/tools/broken.ts": `
import { defineTool } from "@cursor/bdk/tools";
if (!process.env.SECRET) throw new Error("SECRET is missing");
export default defineTool({
  description: "Needs a secret to load.",
  inputSchema: { type: "object" },
  execute: () => 1,
});
`,
}

// "runs in the session's workspace as a script of the harness … limits as for `shell`".
func TestAgentExecution_InTheWorkspace(t *testing.T) {
	t.Parallel()
	r := loadApart(t, scriptFiles)
	for what, want := range map[string]string{
		"files": `[true,"made","made"]`,
		"env":   `["no secret",true,true]`,
		"kv":    `tool_error "loading\na line that is no result\nctx.host.kv is not available: this call has no store"`,
		"exit":  `tool_error "loading\na line that is no result\ntwo\nlines"`,
		"":      "null",
	} {
		if got := r.call(t.Context(), "works", `{"what":"`+what+`"}`); got != want {
			t.Errorf("%s is %s, want %s", what, got, want)
		}
	}
	if got := r.call(t.Context(), "works", `{"what":"outside"}`); !strings.Contains(got, "EACCES") && sandbox.Status("") == sandbox.StatusWorkspace {
		t.Errorf("it wrote into the project: %s", got)
	}
	if got := r.call(t.Context(), "broken", `{}`); !strings.HasSuffix(got, `SECRET is missing"`) {
		t.Errorf("a tool that does not load: %s", got)
	}
}

func TestAgentExecution_Stopped(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"wait", "spin"} {
		r := loadApart(t, scriptFiles)
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		stop := errors.New("stopped")
		go func() {
			awaitFile(ctx, filepath.Join(r.dir, "pid"))
			cancel(stop)
		}()
		if got := r.call(ctx, "works", `{"what":"`+what+`"}`); got != stop.Error() {
			t.Errorf("%s gave %s", what, got)
		}
		if b, err := os.ReadFile(filepath.Join(r.dir, "told")); what == "wait" && (err != nil || string(b) != "yes") {
			t.Errorf("the tool's signal: %q, %v", b, err)
		}
	}
}

// awaitFile waits for a file that another process makes.
func awaitFile(ctx context.Context, name string) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func TestAgentExecution_NowhereToRun(t *testing.T) {
	t.Parallel()
	r := loadApart(t, scriptFiles)
	tool := r.agent.Tool("works")
	if _, err := tool.Execute(t.Context(), callOf("works", `{}`)); err == nil || !strings.Contains(err.Error(), "it runs in a turn only") {
		t.Errorf("outside of a turn: %v", err)
	}
	agents, err := Load(t.Context(), r.agent.Dir, &Options{Env: []string{"SECRET=x"}})
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(agents)
	if _, err := agents[0].Tool("works").Execute(t.Context(), callOf("works", `{}`)); err == nil || !strings.Contains(err.Error(), "no command that runs it") {
		t.Errorf("without a command: %v", err)
	}
}

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// evalConcurrency is how many cases run at once.
const evalConcurrency = 20

// evalProject are the files of an agent with one tool and the scripted model, and of
// evals that are as long as is asked.
var evalProject = map[string]string{
	"bot/instructions.md": "Look before you answer.",
	"bot/agent.ts":        `import { defineAgent } from "@cursor/bdk"; export default defineAgent({ model: "scripted" });`,
	"bot/tools/look.ts": `import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "Looks.", effect: "read",
  inputSchema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
  async execute({ at }) { return { at, seen: at.length }; },
});`,
	"bot/script.yaml": `- when: /look at (\S+)/
  steps:
    - say: Looking.
      call: [{ look: { at: "$1" } }]
    - say: 'Seen {{ index .results 0 "seen" }} at $1.'
`,
	"evals/evals.config.ts": `import { defineEvalConfig } from "@cursor/bdk/evals";
export default defineEvalConfig({ maxConcurrency: ` + strconv.Itoa(evalConcurrency) + ` });`,
	"evals/many.eval.ts": `import { defineEval, includes } from "@cursor/bdk/evals";
export default Array.from({ length: CASES }, (_, i) => defineEval({
  async test(t) {
    await t.send("look at place-" + i);
    t.succeeded();
    t.calledTool("look", { input: { at: "place-" + i }, status: "completed", count: 1 });
    t.check(t.reply, includes("Seen"));
  },
}));`,
}

// evalCost is what one run of the command used, in seconds.
type evalCost struct{ cpu, wall float64 }

// evals measures bdk eval with as many cases as were asked for, each a session with one
// tool call and three assertions, and beside it a run of one case: what loading the
// project, starting a host and ending it cost. The processor time is what the operating
// system counted for the process, from its start to its end.
func evals(s *settings, dir string, _ *template, out io.Writer) error {
	project := filepath.Join(dir, "evals-project")
	for name, content := range evalProject {
		if name == "evals/many.eval.ts" {
			content = "const CASES = " + strconv.Itoa(s.cases) + ";\n" + content
		}
		if err := writeFile(filepath.Join(project, name), content); err != nil {
			return err
		}
	}
	bdk := filepath.Join(dir, "bdk") // not linked into this program, whose start and size are measured too
	if said, err := exec.Command("go", "build", "-ldflags=-w", "-o", bdk, "github.com/gobdk/bdk/cmd/bdk").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, said)
	}
	var many, one []evalCost
	if _, err := evalRun(bdk, project, "many/"+evalIndex(0, s.cases)); err != nil { // it fills the cache
		return err
	}
	for range s.rounds {
		for ids, costs := range map[string]*[]evalCost{"": &many, "many/" + evalIndex(0, s.cases): &one} {
			c, err := evalRun(bdk, project, ids)
			if err != nil {
				return err
			}
			*costs = append(*costs, c)
		}
	}
	t := newTable(out, fmt.Sprintf("bdk eval on the scripted model, %d at once", evalConcurrency), "cases", "CPU s", "s", "CPU ms/case", "ratio")
	floor := median(each(one, func(c evalCost) float64 { return c.cpu }))
	t.row(1, floor, median(each(one, func(c evalCost) float64 { return c.wall })), "", 1.0)
	cpu := median(each(many, func(c evalCost) float64 { return c.cpu }))
	t.row(s.cases, cpu, median(each(many, func(c evalCost) float64 { return c.wall })), (cpu-floor)/float64(max(1, s.cases-1))*1e3, cpu/floor)
	return t.flush()
}

// evalIndex is how the cases of an array are named.
func evalIndex(i, cases int) string {
	return fmt.Sprintf("%0*d", max(4, len(strconv.Itoa(cases-1))), i)
}

func each(costs []evalCost, of func(evalCost) float64) []float64 {
	xs := make([]float64, len(costs))
	for i, c := range costs {
		xs[i] = of(c)
	}
	return xs
}

// evalRun runs the command of the program bdk; an empty id means all cases.
func evalRun(bdk, project, id string) (evalCost, error) {
	args := []string{"eval", "--dir", project}
	if id != "" {
		args = append(args, id)
	}
	cmd := exec.Command(bdk, args...)
	began := time.Now()
	report, err := cmd.CombinedOutput()
	if err != nil {
		return evalCost{}, fmt.Errorf("bdk eval: %w: %s", err, report)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return evalCost{cpu: used.Seconds(), wall: time.Since(began).Seconds()}, nil
}

func writeFile(file, content string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(content), 0o644)
}

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cli.md: "writes a project that runs at once, offline (--template, --model); never overwrites".
func TestInit_WritesAProject(t *testing.T) {
	t.Parallel()
	for _, template := range templateNames {
		b := newBench(t, "init", "my-agent", "--template", template, "--model", `openai/"x`)
		b.want(t, ExitOK, "cd my-agent\n  bdk run --message", "")
		for _, file := range []string{"README.md", "package.json", "tsconfig.json", ".gitignore", "AGENTS.md", "bot/instructions.md", "bot/script.yaml",
			"bot/hooks/memory.ts", "evals/evals.config.ts", "evals/smoke.eval.ts", "types/bdk/index.d.ts", "types/bdk/_json.d.ts"} {
			text, err := os.ReadFile(filepath.Join(b.Dir, "my-agent", file))
			if err != nil {
				t.Error(err)
			}
			if strings.Contains(string(text), "__NAME__") {
				t.Errorf("%s: the name is not filled in", file)
			}
		}
		agent, err := os.ReadFile(filepath.Join(b.Dir, "my-agent", "bot/agent.ts"))
		if err != nil || !strings.Contains(string(agent), "\n  model: \"openai/\\\"x\",\n") {
			t.Errorf("the model is not in agent.ts: %s %v", agent, err)
		}
	}
}

// cli.md: "runs at once, offline"; authoring.md: "Every diagnostic …": a new project
// has none.
func TestInit_TemplatesValidate(t *testing.T) {
	t.Parallel()
	for _, template := range templateNames {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "init", "new-one", "--template", template)
			b.want(t, ExitOK, "", "")
			dir := filepath.Join(b.Dir, "new-one")
			v := newBench(t, "validate", "--json", "--dir", dir)
			v.want(t, ExitOK, `"ok": true`, "")
			var found struct{ Agents []checked }
			if err := json.Unmarshal([]byte(v.out.String()), &found); err != nil || len(found.Agents) != 1 {
				t.Fatalf("%s, %v", v.out.String(), err)
			}
			for _, d := range found.Agents[0].Diagnostics {
				t.Errorf("%s: %+v", template, d)
			}
			r := newBench(t, "run", "--text", "--message", firstMessage[template], "--dir", dir)
			r.want(t, ExitOK, map[string]string{"assistant": "Added \"buy milk\".", "pr-reviewer": "Verdict: looks fine.", "webhook": "checkout is down."}[template], "")
		})
	}
}

// "All templates pass bdk eval as they come", and their text says how to run it.
func TestInit_TemplatesPassTheirEvals(t *testing.T) {
	t.Parallel()
	for _, template := range templateNames {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "init", "new-one", "--template", template)
			b.want(t, ExitOK, "  bdk eval\n", "")
			dir := filepath.Join(b.Dir, "new-one")
			newBench(t, "eval", "--dir", dir, "--strict").want(t, ExitOK, "2 cases: 2 passed in ", "")
			newBench(t, "eval", "--dir", dir, "--strict", "--tag", "smoke", "--no-artifacts").want(t, ExitOK, "2 cases: 2 passed in ", "")
		})
	}
}

// A template's fallback, README and eval name messages: each does what it says, and
// nothing of the script's own writing is left in what the model says.
func TestInit_TemplatesAnswerWhatTheyProposeToSay(t *testing.T) {
	t.Parallel()
	for template, said := range map[string][][2]string{
		"assistant": {
			{"add buy milk", `Added "buy milk".`}, {"list my tasks", "Your tasks: buy milk."},
			{"plan a party", "The planner says: choose a day, invite everybody, buy what is missing."}, {"clear the list", "waits for your approval of clear_tasks"},
		},
		"pr-reviewer": {{"review https://example.com/pull/42", "Verdict: looks fine."}, {"post https://example.com/pull/42", "waits for your approval of post_review"}},
		"webhook":     {{"alert checkout: down, no answer", "checkout is down."}, {"what happened?", "So far: checkout is down."}},
	} {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "init", "new-one", "--template", template)
			b.want(t, ExitOK, "", "")
			for _, m := range said {
				r := newBench(t, "run", "--text", "--message", m[0], "--dir", filepath.Join(b.Dir, "new-one"))
				if strings.HasPrefix(m[1], "waits for") {
					r.want(t, ExitParked, "", m[1])
				} else {
					r.want(t, ExitOK, m[1], "")
				}
			}
		})
	}
}

func TestInit_NeverOverwrites(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", "x")
	write(t, filepath.Join(b.Dir, "x/README.md"), "mine")
	b.want(t, ExitFailed, "", "has a file README.md already")
	if _, err := os.Stat(filepath.Join(b.Dir, "x/bot")); !os.IsNotExist(err) {
		t.Errorf("something was written before the refusal: %v", err)
	}
	write(t, filepath.Join(b.Dir, "file"), "mine")
	for _, dir := range []string{"file", "file/in/it"} {
		b.Args = []string{"init", dir}
		b.want(t, ExitFailed, "", filepath.Join(b.Dir, "file")+" is a file: choose another folder")
	}
	b = newBench(t, "init", ".")
	b.Dir = filepath.Join(b.Dir, "here")
	write(t, filepath.Join(b.Dir, "agent/agent.ts"), "")
	b.want(t, ExitFailed, "", "has a folder agent/ already")
}

func TestInit_TakesAFolderThatIsThere(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", ".")
	b.Dir = filepath.Join(b.Dir, "here")
	write(t, filepath.Join(b.Dir, "notes.txt"), "mine")
	b.want(t, ExitOK, "a new project", "")
	text, err := os.ReadFile(filepath.Join(b.Dir, "package.json"))
	if err != nil || !strings.Contains(string(text), `"name": "here"`) {
		t.Errorf("package.json is %s, %v", text, err)
	}
}

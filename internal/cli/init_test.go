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
// has none, but that its channel is not served where the build serves none.
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
				if d.Rule != "slot/unserved" || d.File != "bot/channels/alerts.ts" {
					t.Errorf("%s: %+v", template, d)
				}
			}
			r := newBench(t, "run", "--text", "--message", firstMessage[template], "--dir", dir)
			r.want(t, ExitOK, map[string]string{"assistant": "Added \"buy milk\".", "pr-reviewer": "Verdict: looks fine.", "webhook": "checkout is down."}[template], "")
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

package cli

import (
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
		for _, file := range []string{"README.md", "package.json", "tsconfig.json", ".gitignore", "bot/instructions.md", "bot/script.yaml", "types/bdk/index.d.ts", "types/bdk/tools.d.ts"} {
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

func TestInit_NeverOverwrites(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", "x")
	write(t, filepath.Join(b.Dir, "x/README.md"), "mine")
	b.want(t, ExitFailed, "", "has a file README.md already")
	if _, err := os.Stat(filepath.Join(b.Dir, "x/bot")); !os.IsNotExist(err) {
		t.Errorf("something was written before the refusal: %v", err)
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

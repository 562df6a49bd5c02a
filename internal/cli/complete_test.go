package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// completes runs what a shell runs and gives the words.
func completes(t *testing.T, b *bench, args ...string) string {
	t.Helper()
	b.Args = append([]string{"__complete"}, args...)
	b.want(t, ExitOK, ":4\n", "")
	words, _, _ := strings.Cut(b.out.String(), ":")
	return strings.TrimSpace(strings.ReplaceAll(words, "\n", " "))
}

// cli.md: "a standard Go CLI library, shell completion".
func TestComplete_ValuesOfFlags(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"serve --mode ":           "multi single",
		"dev --mode ":             "multi single",
		"sessions list --status ": "running parked waiting completed failed",
		"sessions --purpose ":     "live eval",
		"chat --log-level ":       "debug info warn error off",
		"serve --log-format ":     "auto json console",
		"init x --template ":      "assistant pr-reviewer webhook",
	} {
		if got := completes(t, newBench(t), strings.Split(line, " ")...); got != want {
			t.Errorf("%s completes to %q, want %q", line, got, want)
		}
	}
}

// Every value that is offered is taken.
func TestComplete_OffersWhatFlagsTake(t *testing.T) {
	t.Parallel()
	commands := map[string]string{"mode": "serve", "status": "sessions", "purpose": "sessions", "log-level": "sessions", "log-format": "sessions", "template": "init ok"}
	for flag, values := range flagValues {
		for _, value := range values {
			b := newBench(t, append(strings.Fields(commands[flag]), "--"+flag, value)...)
			if got := Main(b.Process); got == ExitUsage {
				t.Errorf("--%s %s: %s", flag, value, b.err.String())
			}
		}
	}
}

func TestComplete_ToolsOfAHost(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"GET /v1/info": {`{"ok":true,"agent":{"tools":[{"name":"add","execution":"server"},{"name":"inner","execution":"agent"},{"name":"take","execution":"server"}]}}`}})
	b := newBench(t)
	b.Environ = []string{"BDK_URL=" + url}
	if got := completes(t, b, "call", ""); got != "add take" {
		t.Errorf("completes to %q", got)
	}
	if got := completes(t, newBench(t), "call", "--url", url, "add", ""); got != "" {
		t.Errorf("a second tool completes to %q", got)
	}
	if got := completes(t, newBench(t), "call", "--url", "http://127.0.0.1:1", ""); got != "" {
		t.Errorf("without a host it completes to %q", got)
	}
}

func TestComplete_ToolsOfAProject(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if code := Main(&Process{Args: []string{"init", "bot"}, Dir: b.Dir, Stdout: &b.err, Stderr: &b.err}); code != ExitOK {
		t.Fatal(b.err.String())
	}
	if got := completes(t, b, "call", "--dir", "bot", ""); !strings.Contains(got, "add_task") || !strings.Contains(got, "list_tasks") {
		t.Errorf("completes to %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(b.Dir, "bot", ".bdk")); len(left) > 0 {
		t.Errorf("completing made %v", left)
	}
	if got := completes(t, newBench(t), "call", ""); got != "" {
		t.Errorf("without a project it completes to %q", got)
	}
}

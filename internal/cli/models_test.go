package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

func testApp(t *testing.T, environ ...string) *app {
	t.Helper()
	b := newBench(t)
	b.Environ = environ
	a := newApp(b.Process, nil)
	return a
}

// S33 of the reliability page: "remote base-URL overrides need explicit flag": a
// project's file cannot send a key of the user's elsewhere.
func TestLookup_AKeyIsNotSentWhereAProjectNamesTheAddress(t *testing.T) {
	t.Parallel()
	address, both := []string{"OPENAI_BASE_URL=http://evil"}, []string{"OPENAI_BASE_URL=http://mine", "OPENAI_API_KEY=own"}
	for name, tc := range map[string]struct {
		environ, own []string
		key          string
	}{
		"key of the process":                {[]string{"OPENAI_API_KEY=secret"}, nil, "secret"},
		"address of the project":            {[]string{"OPENAI_API_KEY=secret"}, address, ""},
		"address and key of the project":    {[]string{"OPENAI_API_KEY=secret"}, both, "own"},
		"both of the process win":           {[]string{"OPENAI_API_KEY=secret", "OPENAI_BASE_URL=http://x"}, both, "secret"},
		"an empty variable is none":         {[]string{"OPENAI_API_KEY="}, []string{"OPENAI_API_KEY=own"}, "own"},
		"the last of the process's counts":  {[]string{"OPENAI_API_KEY=a", "OPENAI_API_KEY=b"}, nil, "b"},
		"the later file of the project's":   {nil, []string{"OPENAI_API_KEY=a", "OPENAI_API_KEY=b"}, "b"},
		"nothing of another provider's key": {[]string{"XAI_API_KEY=secret"}, nil, ""},
	} {
		if got, _ := lookup(tc.environ, tc.own)("OPENAI_API_KEY"); got != tc.key {
			t.Errorf("%s: the key is %q, want %q", name, got, tc.key)
		}
	}
	if got, ok := lookup([]string{"BDK_PROVIDER_X_KEY=secret"}, []string{"BDK_PROVIDER_X_URL=http://evil"})("BDK_PROVIDER_X_KEY"); ok {
		t.Errorf("the key of a named provider is %q", got)
	}
}

func TestModels_FindingsAndChoices(t *testing.T) {
	t.Parallel()
	a := testApp(t)
	dir := t.TempDir()
	ag := &agent.Agent{Slug: "bot", Dir: dir, Model: agent.Model{ID: "openai/gpt-5", Params: []agent.Param{{ID: "spin", Value: "fast"}}}}
	m := a.newModels([]*agent.Agent{ag}, &projectFlags{})
	if got := m.notices(""); len(got) != 2 || !strings.HasPrefix(got[0], "OPENAI_API_KEY is not set") || !strings.Contains(got[1], `does not know the param "spin"`) {
		t.Errorf("notices %q", got)
	}
	write(t, filepath.Join(dir, "bot/agent.ts"), "export default defineAgent({\n  model: { id: \"openai/gpt-5\" },\n});\n")
	for _, d := range m.findings(ag, "") {
		if d.File != "bot/agent.ts" || d.Line != 2 || d.Column != 3 || d.Fix == "" {
			t.Errorf("a finding without its place or mend: %+v", d)
		}
	}
	if got := m.name(ag, ""); got != "openai/gpt-5" {
		t.Errorf("an unusable model is named %q", got)
	}
	if m.offline("") || len(m.notices("scripted")) != 0 {
		t.Error("a chosen scripted model is no reason for a notice")
	}
	ag.Model = agent.Model{}
	if !m.offline("") || m.name(ag, "") != "scripted" {
		t.Error("without a model and a key the offline one answers")
	}
	write(t, filepath.Join(dir, "bot/script.yaml"), "- when: /(/\n")
	m = a.newModels([]*agent.Agent{ag}, &projectFlags{})
	if got := m.findings(ag, ""); len(got) != 1 || got[0].Rule != "model/unusable" {
		t.Errorf("a script that cannot be played: %+v", got)
	}
	ag.Diagnostics = []agent.Diagnostic{{Rule: "scripted/file"}}
	if got := m.findings(ag, ""); len(got) != 0 {
		t.Errorf("what the loader said of the script is said again: %+v", got)
	}
	ag.Diagnostics = nil
	write(t, filepath.Join(dir, "bot/script.yaml"), "")
	write(t, filepath.Join(dir, ".env"), "BDK_MODEL=openai/a\nBDK_ALLOW_ANONYMOUS=1\n")
	write(t, filepath.Join(dir, ".env.local"), "BDK_MODEL=openai/b\n")
	m = a.newModels([]*agent.Agent{ag}, &projectFlags{})
	if m.chosen("") != "openai/b" || m.chosen("scripted") != "scripted" {
		t.Errorf("chosen %q", m.chosen(""))
	}
}

// host.md: "bdk.prices.json at the project root overrides or adds."
func TestModels_PricesOfTheProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := testApp(t).newModels([]*agent.Agent{{Slug: "bot", Dir: dir}}, &projectFlags{})
	if _, err := m.prices(); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(dir, "bdk.prices.json"), `{"openai/any":{"input":"free"}}`)
	_, err := m.prices()
	if exitCode(err) != ExitNoStart || !strings.Contains(err.Error(), "the prices of bot in bdk.prices.json: openai/any: ") {
		t.Errorf("error %v", err)
	}
	m.diagnose("scripted") // what keeps a host from starting, validate knows
	if d := m.agents[0].Diagnostics; len(d) != 1 || d[0].Rule != "model/prices" || d[0].Severity != agent.SeverityError || d[0].File != "bdk.prices.json" {
		t.Errorf("diagnostics %+v", d)
	}
	write(t, filepath.Join(dir, "bdk.prices.json"), "\uFEFF"+`{"openai/any":{"input":1,"output":2}}`)
	if _, err := m.prices(); err != nil {
		t.Errorf("with a byte order mark: %v", err)
	}
}

// A finding's file is relative to the project, or lies outside of it and is absolute.
func TestDiagnosticLine_NamesTheFile(t *testing.T) {
	t.Parallel()
	a := testApp(t)
	a.Dir = filepath.FromSlash("/srv/projects")
	ag := &agent.Agent{Slug: "bot", Dir: filepath.FromSlash("/srv/projects/bot")}
	for file, want := range map[string]string{
		"":                             "bot: warning: seen [rule]",
		"bot/agent.ts":                 filepath.FromSlash("bot/bot/agent.ts") + ":3: warning: seen [rule]",
		"/srv/desk/.cursor/hooks.json": filepath.FromSlash("../desk/.cursor/hooks.json") + ":3: warning: seen [rule]",
	} {
		if got := a.diagnosticLine(ag, agent.Diagnostic{Rule: "rule", Severity: "warning", File: file, Line: 3, Message: "seen"}); got != want {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
}

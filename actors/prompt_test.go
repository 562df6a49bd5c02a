package actors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// folders writes files below a folder of the test's own, which nothing lies above.
func folders(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func rulesFor(t *testing.T, a agent.Agent) (names []string, text string) {
	t.Helper()
	r := &agentRuntime{Agent: &a}
	for _, f := range r.ambient("", zerolog.Nop()) {
		names = append(names, f.name)
		text += f.text + "\n"
	}
	return names, text
}

// "parent folders' AGENTS.md and .cursor/rules contribute by default where the session
// works in a folder of the user's (cwd, workspaceDir), not in a workspace the host made."
func TestAmbient_WhereAndWhen(t *testing.T) {
	t.Parallel()
	top := folders(t, map[string]string{
		"AGENTS.md": "outer", "a/AGENTS.md": "middle\n", "a/b/AGENTS.md": "inner",
		"a/.cursor/rules/2.md": "plain rule", "a/.cursor/rules/1.mdc": "---\ndescription: x\nalwaysApply: true # yes\n---\nalways rule",
		"a/.cursor/rules/3.mdc": "---\nglobs: '*.go'\nalwaysApply: false\n---\nsometimes rule", "a/.cursor/rules/4.mdc": "---\nalwaysApply: true\nno end",
		"a/.cursor/rules/5.txt": "no rule", "a/.cursor/hooks.json": `{"version":1}`, "a/b/.cursor/rules/empty.md": " \n",
	})
	b := filepath.Join(top, "a", "b")
	all := []string{"../../AGENTS.md", "../AGENTS.md", "../.cursor/rules/1.mdc", "../.cursor/rules/2.md", "AGENTS.md"}
	yes, no := true, false
	for _, tt := range []struct {
		name  string
		agent agent.Agent
		want  []string
	}{
		{"cwd", agent.Agent{Local: agent.Local{Cwd: b}}, all},
		{"workspaceDir", agent.Agent{Dir: top, Local: agent.Local{WorkspaceDir: b}}, all},
		{"cwd, off", agent.Agent{Local: agent.Local{Cwd: b, Ambient: &no}}, nil},
		{"a workspace of the host's", agent.Agent{Dir: b}, nil},
		{"the same, on", agent.Agent{Dir: b, Local: agent.Local{Ambient: &yes}}, all[:4]},
		{"in Go, on", agent.Agent{Local: agent.Local{Ambient: &yes}}, nil},
		{"nowhere", agent.Agent{Local: agent.Local{Cwd: filepath.Join(top, "none", "there")}}, []string{"../../AGENTS.md"}},
	} {
		got, text := rulesFor(t, tt.agent)
		if strings.Join(got, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		if len(got) == 5 && text != "outer\nmiddle\nalways rule\nplain rule\ninner\n" {
			t.Errorf("%s: %q", tt.name, text)
		}
	}
}

// Links lead nowhere outside of their folder, strangers say nothing, and what is no
// file or too long does no harm.
func TestAmbient_Hostile(t *testing.T) {
	t.Parallel()
	top := folders(t, map[string]string{
		"secret.md": "secret", "in/CLAUDE.md": "linked inside", "out/x.md": "", "open/AGENTS.md": "by anybody", "shut/AGENTS.md": "shut",
		"long/AGENTS.md": strings.Repeat("ё", maxAmbientFile), "bytes/AGENTS.md": "a\xffb", "ok/AGENTS.md": "fine",
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink("CLAUDE.md", filepath.Join(top, "in", "AGENTS.md")))
	must(os.Symlink("../secret.md", filepath.Join(top, "out", "AGENTS.md")))
	must(os.Chmod(filepath.Join(top, "open", "AGENTS.md"), 0o666))
	must(os.Chmod(filepath.Join(top, "shut", "AGENTS.md"), 0o000))
	must(os.Mkdir(filepath.Join(top, "pipe"), 0o755))
	must(unix.Mkfifo(filepath.Join(top, "pipe", "AGENTS.md"), 0o644))
	must(os.MkdirAll(filepath.Join(top, "dir", "AGENTS.md"), 0o755))
	for name, want := range map[string]string{
		"in": "linked inside\n", "out": "", "open": "", "pipe": "", "dir": "", "bytes": "a\uFFFDb\n", "ok": "fine\n",
	} {
		if _, text := rulesFor(t, agent.Agent{Local: agent.Local{Cwd: filepath.Join(top, name)}}); text != want {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
	}
	if _, text := rulesFor(t, agent.Agent{Local: agent.Local{Cwd: filepath.Join(top, "shut")}}); os.Geteuid() != 0 && text != "" {
		t.Errorf("a file that cannot be read says %q", text)
	}
	if _, text := rulesFor(t, agent.Agent{Local: agent.Local{Cwd: filepath.Join(top, "long")}}); len(text) > maxAmbientFile+100 || !strings.HasSuffix(text, "ё\n(The rest is left out.)\n") {
		t.Errorf("a long file: %d bytes", len(text))
	}
}

// When there is too much, the outermost are left out.
func TestAmbient_Bounded(t *testing.T) {
	t.Parallel()
	files, name := map[string]string{}, ""
	for range 8 {
		files[name+"AGENTS.md"] = strings.Repeat("x", 30<<10)
		name += "d/"
	}
	files[name+"AGENTS.md"] = "innermost"
	got, text := rulesFor(t, agent.Agent{Local: agent.Local{Cwd: filepath.Join(folders(t, files), filepath.FromSlash(name))}})
	if len(text) > maxAmbient+100 || len(got) != 5 || got[4] != "AGENTS.md" || got[0] != "../../../../AGENTS.md" {
		t.Errorf("%d bytes of %v", len(text), got)
	}
}

// "one place that composes: instructions, ambient files, skills list": a skill is
// told by name, description and path.
func TestSystem(t *testing.T) {
	t.Parallel()
	top := folders(t, map[string]string{"AGENTS.md": "Be brief."})
	h := &Host{o: Options{Logger: zerolog.Nop()}}
	system := func(a agent.Agent) string {
		t.Helper()
		j := &job{h: h, agent: &agentRuntime{Agent: &a, h: h}, start: &events.SessionStarted{}}
		text, err := j.system(t.Context(), "turn_1")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := system(agent.Agent{Instructions: "Just me.\n"}); got != "Just me.\n" {
		t.Errorf("instructions alone: %q", got)
	}
	skills := []*agent.Skill{{Name: "release", Description: "How to\nrelease", Markdown: "never told"}}
	want := `I am me.

# Rules of the folders around

They add to the instructions above, which hold where the two disagree; of the rules the later ones hold.

## AGENTS.md

Be brief.

# Skills

Each is a procedure for one kind of work. Before you do such work, read its file and follow it.

- release: How to release (.cursor/skills/release/SKILL.md)`
	if got := system(agent.Agent{Instructions: "I am me.\n", Local: agent.Local{Cwd: top}, Skills: skills}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r := &agentRuntime{Agent: &agent.Agent{Instructions: "12345678", Skills: skills}}
	if n := r.baseTokens(); n < 40 || n > 60 {
		t.Errorf("%d tokens", n)
	}
}

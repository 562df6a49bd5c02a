//go:build unix

package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "`local.workspaceDir` / an eval's `workspaceDir` uses a folder of the user's instead and
// never deletes from it": it goes before the agent's own folder, holds after a restart, and
// nothing is laid down in it.
func TestEvalSession_WorkspaceDir(t *testing.T) {
	t.Parallel()
	for _, agents := range []string{"", t.TempDir()} {
		dir := t.TempDir()
		for name, text := range map[string]string{"own.txt": "own", "AGENTS.md": "Mind the folder."} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		h := newWorkHouse(t, func(a *agent.Agent) {
			a.Local.Cwd = agents
			a.Skills = []*agent.Skill{{Name: "sums", Description: "Adds.", Markdown: "Add."}}
			a.Seeds = []agent.SeedFile{{Path: "own.txt", Content: []byte("seed")}}
		})
		s := evalOf(shell("cat own.txt; echo made > made.txt; ls -A"))
		s.WorkspaceDir = dir + "/"
		id := h.startWith(s).SessionID
		h.rest(id, "waiting")
		if got := h.output(id); got != "ownAGENTS.md\nmade.txt\nown.txt\n" {
			t.Errorf("got %q", got)
		}
		asked := h.requests.all[0].System
		if !strings.Contains(asked, "Mind the folder.") {
			t.Errorf("the model was told %q", asked)
		}
		h.restart()
		for text, want := range map[string]string{
			`/call read {"path":".cursor/skills/sums/SKILL.md"}`: "Add.",
			`/call write {"path":"new.txt","content":"x"}`:       "wrote new.txt",
			shell("cat made.txt"):                                "made",
		} {
			if _, err := h.host.Send(t.Context(), id, actors.Message{Text: text}); err != nil {
				t.Fatal(err)
			}
			h.rest(id, "waiting")
			if got := string(h.result(id).Output); !strings.Contains(got, want) {
				t.Errorf("%s gives %s", text, got)
			}
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 4 {
			t.Errorf("the folder has %v, %v", list, err)
		}
		if start := h.log(id)[0].Data.(*events.SessionStarted); start.WorkspaceDir != dir {
			t.Errorf("the log says %q", start.WorkspaceDir)
		}
	}
}

// "workspace writes stay in the session's workspace" in a dry run, so that in a folder of
// the user's none runs.
func TestEvalSession_WorkspaceDirDryRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newWorkHouse(t, nil)
	s := evalOf(`/call write {"path":"f","content":"x"}`)
	s.WorkspaceDir, s.DryRun = dir, true
	id := h.startWith(s).SessionID
	h.rest(id, "waiting")
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 || !h.result(id).Stubbed {
		t.Errorf("the folder has %v, %v", list, err)
	}
}

//go:build unix

package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// newWorkHouse is a house whose agent is changed, and whose model calls tools by
// name: "/call shell {…}".
func newWorkHouse(t *testing.T, tune func(*agent.Agent)) *house {
	t.Helper()
	return newShapedHouse(t, actors.Options{Environ: os.Environ()}, "[]", func(a *agent.Agent) {
		a.Harness = nil // all that there are
		if tune != nil {
			tune(a)
		}
	})
}

// shell is a message that makes the model call the shell.
func shell(command string) string { return callOf("shell", map[string]any{"command": command}) }

func callOf(tool string, args any) string {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return "/call " + tool + " " + string(b)
}

// output is what the newest shell call of a session wrote.
func (h *house) output(id string) string {
	h.t.Helper()
	var out struct{ Output string }
	if err := json.Unmarshal(h.result(id).Output, &out); err != nil {
		h.t.Fatalf("%v:\n%s", err, h.story(id))
	}
	return out.Output
}

// result is the newest result of a call.
func (h *house) result(id string) *events.ActionResult {
	h.t.Helper()
	for _, e := range slices.Backward(h.log(id)) {
		if d, ok := e.Data.(*events.ActionResult); ok {
			return d
		}
	}
	h.t.Fatalf("no call has a result:\n%s", h.story(id))
	return nil
}

// ask runs one turn and gives the result of its call.
func (h *house) ask(text string) (session string) {
	h.t.Helper()
	a := h.start(text)
	h.rest(a.SessionID, "waiting")
	return a.SessionID
}

// awaitFile waits for a file that another process makes, and gives its text.
func awaitFile(t *testing.T, name string) string {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for {
		if b, err := os.ReadFile(name); err == nil && len(b) > 0 {
			return strings.TrimSpace(string(b))
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s never came", name)
		}
	}
}

// awaitGone waits until a process has ended.
func awaitGone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if syscall.Kill(n, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("process %s still runs", pid)
		}
	}
}

// "Each session has a folder under the state root, made on first need: `AGENTS.md` (the
// instructions), `.cursor/skills/**`, the agent's `sandbox/workspace/**`, then `workspaceFiles`".
func TestWorkspace_Seeded(t *testing.T) {
	t.Parallel()
	h := newWorkHouse(t, func(a *agent.Agent) {
		a.Skills = []*agent.Skill{{Name: "sums", Description: "Adds.", Markdown: "Add.", Files: []agent.SeedFile{{Path: "t.txt", Content: []byte("1")}}}}
		a.Seeds = []agent.SeedFile{{Path: "data/a.txt", Content: []byte("seed")}, {Path: "data/b.txt", Content: []byte("seed")}}
	})
	a := h.startWith(actors.NewSession{
		Agent: "tester", Principal: local, Message: shell("find . -type f | sort; cat AGENTS.md data/*"),
		Files: []actors.File{{Path: "data/b.txt", Content: []byte("sent")}},
	})
	h.rest(a.SessionID, "waiting")
	want := "./.cursor/skills/sums/SKILL.md\n./.cursor/skills/sums/t.txt\n./AGENTS.md\n./data/a.txt\n./data/b.txt\nTest.seedsent"
	if got := h.output(a.SessionID); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	h.ask("no tools") // a session without need of one has none
	list, err := os.ReadDir(filepath.Join(h.dir, "workspaces"))
	if err != nil {
		t.Fatal(err)
	}
	var sessions []string
	for _, d := range list {
		if !strings.HasPrefix(d.Name(), ".") {
			sessions = append(sessions, d.Name())
		}
	}
	if len(sessions) != 1 || sessions[0] != a.SessionID {
		t.Errorf("folders are %v", sessions)
	}
}

// "opening that file with `read` records `skill.loaded`": before the result, in its append.
func TestWorkspace_SkillLoaded(t *testing.T) {
	t.Parallel()
	h := newWorkHouse(t, func(a *agent.Agent) {
		a.Skills = []*agent.Skill{{Name: "sums", Description: "Adds.", Markdown: "Add."}}
		a.Harness = []string{}
	})
	id := h.ask(`/call read {"path":".cursor/skills/sums/SKILL.md"}`)
	h.until(id, "skill.loaded")
	log := h.log(id)
	at := slices.IndexFunc(log, func(e *events.Event) bool { return e.Type == "skill.loaded" })
	if d := log[at].Data.(*events.SkillLoaded); d.Name != "sums" || log[at].TurnID == "" || log[at+1].Type != "action.result" {
		t.Errorf("got %+v, then %s", log[at], log[at+1].Type)
	}
	h.ask(`/call ls {}`)
	if _, err := os.Stat(filepath.Join(h.dir, "workspaces")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading a skill made a workspace: %v", err)
	}
}

// "Dry run: read tools run, write tools answer `dryRunResult` …, and workspace writes stay
// in the session's workspace"; "`shell` counts as a write (stubbed in dry runs …)".
func TestWorkspace_DryRun(t *testing.T) {
	t.Parallel()
	users := t.TempDir()
	for _, folder := range []string{"", users} {
		h := newWorkHouse(t, func(a *agent.Agent) { a.Local.Cwd = folder })
		h.script = `[{ when: go, steps: [{ call: [{ write: { path: f, content: x } }] }, { call: [{ shell: { command: "echo y > g" } }, { read: { path: f } }, { ls: {} }] }, { say: done }] }]`
		h.restart()
		a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "go", DryRun: true})
		h.rest(a.SessionID, "waiting")
		stubbed := map[string]bool{}
		for _, e := range h.log(a.SessionID) {
			if d, ok := e.Data.(*events.ActionResult); ok {
				stubbed[d.ToolName] = d.Stubbed
			}
		}
		if want := map[string]bool{"write": folder != "", "shell": true, "read": false, "ls": false}; fmt.Sprint(stubbed) != fmt.Sprint(want) {
			t.Errorf("in %q stubbed are %v, want %v", folder, stubbed, want)
		}
	}
	if left, err := os.ReadDir(users); err != nil || len(left) > 0 {
		t.Errorf("a dry run left %v in the user's folder, %v", left, err)
	}
}

// "`local.workspaceDir` … uses a folder of the user's instead and never deletes from it".
func TestWorkspace_FolderOfTheUsers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "own.txt"), []byte("own"), 0o644); err != nil {
		t.Fatal(err)
	}
	h := newWorkHouse(t, func(a *agent.Agent) {
		a.Local.WorkspaceDir = dir
		a.Skills = []*agent.Skill{{Name: "sums", Description: "Adds.", Markdown: "Add."}}
		a.Seeds = []agent.SeedFile{{Path: "own.txt", Content: []byte("seed")}}
	})
	id := h.ask(shell("cat own.txt; echo made > made.txt; ls -A"))
	if got := h.output(id); got != "ownmade.txt\nown.txt\n" {
		t.Errorf("got %q", got)
	}
	if got := string(h.result(h.ask(`/call read {"path":".cursor/skills/sums/SKILL.md"}`)).Output); !strings.Contains(got, "Add.") {
		t.Errorf("the skill reads %s", got)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("the folder has %v, %v", list, err)
	}
	var refused *actors.PathError // and not taken, to be seen nowhere
	_, err := h.host.StartSession(context.Background(), actors.NewSession{Agent: "tester", Principal: local, Message: "x", Files: []actors.File{{Path: "in.txt"}}})
	if !errors.As(err, &refused) || refused.Path != "in.txt" {
		t.Errorf("files for a session in the user's folder: %v", err)
	}
	gone := newWorkHouse(t, func(a *agent.Agent) { a.Local.Cwd = filepath.Join(dir, "nowhere") })
	if r := gone.result(gone.ask(`/call ls {}`)); !r.IsError || !strings.Contains(string(r.Output), "no such file") {
		t.Errorf("a folder that is not there: %s", r.Output)
	}
}

// "A project tool of the same name" takes the place of the harness's.
func TestWorkspace_ToolsOfTheProjectWin(t *testing.T) {
	t.Parallel()
	h := newWorkHouse(t, func(a *agent.Agent) {
		a.Tools = append(a.Tools, newTool(t, "read", func(context.Context, map[string]any, *agent.Call) (string, error) { return "mine", nil }, nil))
		a.Harness = []string{"read", "grep"}
	})
	if got := string(h.result(h.ask(`/call read {}`)).Output); got != `"mine"` {
		t.Errorf("read gives %s", got)
	}
	if got := h.result(h.ask(`/call grap {}`)); !strings.Contains(string(got.Output), "did you mean grep") {
		t.Errorf("got %s", got.Output)
	}
	if got := h.result(h.ask(shell("true"))); got.Code != events.CodeUnknownTool {
		t.Errorf("shell is not on the allowlist: %s %s", got.Code, got.Output)
	}
	if _, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "grep", Principal: local}); !errors.Is(err, actors.ErrAgentExecution) {
		t.Errorf("a direct call of a harness tool: %v", err)
	}
}

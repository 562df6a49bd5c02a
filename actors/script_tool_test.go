//go:build unix

package actors_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "the new turn's workspace tools wait for it": what the old turn's program does while
// it ends comes first.
func TestShell_NewTurnWaitsForTheOld(t *testing.T) {
	t.Parallel()
	h := newWorkHouse(t, nil)
	a := h.start(shell(`trap 'sleep 0.3; echo old >> log; exit' TERM; echo $$ > pid; while :; do sleep 0.02; done`))
	dir := filepath.Join(h.dir, "workspaces", a.SessionID)
	awaitFile(t, filepath.Join(dir, "pid"))
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: shell("echo new >> log; cat log")}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	if got := h.output(a.SessionID); got != "old\nnew\n" {
		t.Errorf("the log is %q", got)
	}
}

// C22: "`trap ” INT TERM; while :; do sleep 1; done`; STOP" → "Killed (group SIGKILL)
// within grace; turn.failed cancelled; no orphan process", and C20: "STOP returns; call
// closed as unknown/cancelled; FU accepted".
func TestShell_StopKillsTheGroup(t *testing.T) {
	t.Parallel()
	h := newWorkHouse(t, nil)
	a := h.start(shell(`trap '' INT TERM; sleep 600 & echo $! > child; echo $$ > pid; while :; do sleep 1; done`))
	dir := filepath.Join(h.dir, "workspaces", a.SessionID)
	pids := []string{awaitFile(t, filepath.Join(dir, "pid")), awaitFile(t, filepath.Join(dir, "child"))}
	if _, err := h.host.Stop(t.Context(), a.SessionID); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	story := h.story(a.SessionID)
	if !strings.Contains(story, "outcome_unknown\nturn.failed cancelled stopped") {
		t.Errorf("the log is\n%s", story)
	}
	for _, pid := range pids {
		awaitGone(t, pid)
	}
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: shell("echo on")}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	if got := h.output(a.SessionID); got != "on\n" {
		t.Errorf("after the stop: %q", got)
	}
}

// "`shell` … not run again after a crash; `write` and `edit` are idempotent writes".
func TestShell_NotRunAgain(t *testing.T) {
	t.Parallel()
	h := newWorkHouse(t, nil)
	a := h.start(shell(`echo x >> runs; echo $$ > pid; exec sleep 600`))
	dir := filepath.Join(h.dir, "workspaces", a.SessionID)
	pid := awaitFile(t, filepath.Join(dir, "pid"))
	h.restart()
	h.rest(a.SessionID, "waiting")
	awaitGone(t, pid)
	if r := h.result(a.SessionID); r.Code != events.CodeOutcomeUnknown {
		t.Errorf("the result is %s %s", r.Code, r.Output)
	}
	if got := awaitFile(t, filepath.Join(dir, "runs")); got != "x" {
		t.Errorf("it ran: %q", got)
	}
	h.ask(callOf("write", map[string]any{"path": "f", "content": "x"}))
	for _, e := range h.log(h.ask(`/call edit {"path":"nope","old":"a","new":"b"}`)) {
		if d, ok := e.Data.(*events.ActionsRequested); ok && (d.Calls[0].Effect != "write" || !d.Calls[0].Idempotent) {
			t.Errorf("an edit is recorded as %+v", d.Calls[0])
		}
	}
}

// "`execution: \"agent\"` tools are run as a script in the workspace": only inside a turn.
func TestScriptTool_RunsInTheWorkspace(t *testing.T) {
	t.Parallel()
	script := func(_ context.Context, in struct {
		Command string `json:"command"`
	}, c *agent.Call) (any, error) {
		res, err := c.RunScript(t.Context(), []string{"sh", "-c", in.Command}, []byte(`{"n":1}`))
		if res.IsError {
			return nil, errors.New(string(res.Output))
		}
		return res.Output, err
	}
	h := newWorkHouse(t, func(a *agent.Agent) {
		tool := newTool(t, "job", script, nil)
		tool.Execution = agent.ExecutionAgent
		a.Tools = append(a.Tools, tool)
	})
	id := h.ask(callOf("job", map[string]any{"command": "cat > in; pwd > at; cat in"}))
	if got := string(h.result(id).Output); got != `{"n":1}` {
		t.Errorf("got %s", got)
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(h.dir, "workspaces", id))
	if err != nil {
		t.Fatal(err)
	}
	if at, err := os.ReadFile(filepath.Join(dir, "at")); err != nil || strings.TrimSpace(string(at)) != dir {
		t.Errorf("it ran in %q, %v", at, err)
	}
	if got := h.result(h.ask(callOf("job", map[string]any{"command": "echo no >&2; exit 2"}))); !got.IsError || !strings.Contains(string(got.Output), "no") {
		t.Errorf("got %s", got.Output)
	}
	if _, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "job", Principal: local}); !errors.Is(err, actors.ErrAgentExecution) {
		t.Errorf("a direct call: %v", err)
	}
}

package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "a function `(ctx) => markdown` is evaluated once per session", outside of tools and
// also over a restart; "Instructions reach the model on every turn, and the workspace
// as `AGENTS.md`".
func TestHost_InstructionsOncePerSession(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	p := tapped(t, `[ { when: file, steps: [ { call: [ { manual: {} } ] }, { say: "{{ index .results 0 }}" } ] } ]`)
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, func(a *agent.Agent) {
		a.Instructions = ""
		a.InstructionsFor = func(_ context.Context, c *agent.Call) (string, error) {
			if c.Tool != "" || c.ID != "" || c.Args != nil || c.Session.ID == "" {
				t.Errorf("the function was called with %+v", c)
			}
			if _, err := c.Workspace(); !errors.Is(err, actors.ErrWorkspace) {
				t.Errorf("it has a workspace: %v", err)
			}
			return fmt.Sprintf("You are number %d of %s.", asked.Add(1), c.Session.ID), nil
		}
		a.Tools = append(a.Tools, newTool(t, "manual", func(_ context.Context, _ map[string]any, c *agent.Call) (string, error) {
			dir, err := c.Workspace()
			if err != nil {
				return "", err
			}
			b, err := os.ReadFile(filepath.Join(dir, "AGENTS.md"))
			return string(b), err
		}, nil))
	})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	h.restart()
	want := fmt.Sprintf("You are number 1 of %s.", a.SessionID)
	for _, text := range []string{"file", "again"} {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: text}); err != nil {
			t.Fatal(err)
		}
		out := h.rest(a.SessionID, "waiting")
		if text == "file" && !strings.Contains(string(out.Result), want) {
			t.Errorf("AGENTS.md says %s", out.Result)
		}
	}
	for i, r := range p.requests() {
		if r.System != want {
			t.Errorf("request %d is told %q", i, r.System)
		}
	}
	// a tool that needs the workspace before the first step asks as well, once
	b := h.start("hello")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "manual", SessionID: b.SessionID, Principal: local})
			if err != nil || !strings.Contains(string(got.Result.Output), "You are number 2 of "+b.SessionID) {
				t.Errorf("%s, %v", got.Result.Output, err)
			}
		})
	}
	all.Wait()
	h.rest(b.SessionID, "waiting")
	if asked.Load() != 2 {
		t.Errorf("the function ran %d times for two sessions", asked.Load())
	}
}

// An error of the function fails the turn and says so; the next turn asks again.
func TestHost_InstructionsThatFail(t *testing.T) {
	t.Parallel()
	var works atomic.Bool
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) {
		a.InstructionsFor = func(_ context.Context, c *agent.Call) (string, error) {
			if works.Load() {
				return "", nil // nothing is a text too
			}
			return "", errors.New("the team is not known")
		}
	})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailInstructions || d.Message != "the instructions function: the team is not known" {
		t.Errorf("%+v", d)
	}
	works.Store(true)
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"I heard: hello"` {
		t.Errorf("%+v", out)
	}
}

// A function that hangs ends with the turn.
func TestHost_InstructionsThatHang(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 2)
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) {
		a.InstructionsFor = func(ctx context.Context, c *agent.Call) (string, error) {
			asked <- struct{}{}
			<-ctx.Done()
			return "", ctx.Err()
		}
	})
	a := h.start("hello")
	<-asked
	if s, err := h.host.Stop(t.Context(), a.SessionID); err != nil || !s.Stopped {
		t.Fatalf("%+v, %v", s, err)
	}
	h.rest(a.SessionID, "waiting")
}

// "What is not bound (no session, no pack) is an object whose use throws a sentence that says why":
// a read outside of a session has no workspace, and a write has one for the call.
func TestHost_WorkspaceOutsideOfASession(t *testing.T) {
	t.Parallel()
	where := func(_ context.Context, _ map[string]any, c *agent.Call) (string, error) { return c.Workspace() }
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) {
		a.Tools = append(a.Tools, newTool(t, "whereabouts", where, nil), newTool(t, "storeroom", where, &agent.ToolOptions[map[string]any]{Effect: agent.EffectWrite}))
	})
	got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "whereabouts", Input: json.RawMessage(`{}`), Principal: local})
	if want := `ctx.workspaceDir is not available: a tool that reads has no workspace outside of a session; call it in one, or make its effect \"write\"`; err != nil || !got.Result.IsError || string(got.Result.Output) != `"`+want+`"` {
		t.Errorf("%s %v, want %s", got.Result.Output, err, want)
	}
	if got, err = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "storeroom", Input: json.RawMessage(`{}`), Principal: local}); err != nil || got.Result.IsError {
		t.Errorf("%s %v", got.Result.Output, err)
	}
}

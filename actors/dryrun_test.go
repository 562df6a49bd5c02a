package actors_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const dryRunScript = `
- when: /^go$/
  steps:
    - call: [ { push: {} }, { merge: {} }, { slowpush: {} }, { script: {} }, { tag_artifact: { key: k, contents: x } }, { shell: { command: "echo x >> OUTSIDE" } } ]
    - call: [ { task: { subagent: reader, prompt: inside } } ]
    - call: [ { slow: {} } ]
    - call: [ { push: {} } ]
    - say: done
- when: /^inside$/
  steps:
    - call: [ { push: {} }, { merge: {} }, { script: {} }, { shell: { command: "echo x >> OUTSIDE" } }, { write: { path: f, content: x } } ]
    - say: done
`

// "Dry run: … write tools answer `dryRunResult` …; this holds for subagents": the count of
// what was written stays 0 through tools, subagents, programs and direct calls, also where
// the host starts anew in the middle; the session's own workspace alone is written to.
func TestHost_DryRunWritesNothing(t *testing.T) {
	t.Parallel()
	type args = map[string]any
	outside := filepath.Join(t.TempDir(), "outside")
	var h *house
	h = newShapedHouse(t, actors.Options{}, strings.ReplaceAll(dryRunScript, "OUTSIDE", outside), func(a *agent.Agent) {
		a.Harness, a.Subagents, a.Artifacts = nil, crew, &agent.ArtifactRules{AgentTool: true}
		script := newTool(t, "script", func(context.Context, args, *agent.Call) (string, error) {
			h.effects.Add(1)
			return "ok", nil
		}, &agent.ToolOptions[args]{Effect: agent.EffectWrite})
		script.Execution = agent.ExecutionAgent
		a.Tools = append(a.Tools, script)
	})
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "go", DryRun: true})
	<-h.started // of the read tool: what came before has its result
	h.restart()
	<-h.started
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	if got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "push", SessionID: a.SessionID, Principal: local}); err != nil || !got.Stubbed {
		t.Errorf("the direct call gives %+v, %v", got, err)
	}
	stubbed := 0
	for _, e := range h.log(a.SessionID) {
		switch d := e.Data.(type) {
		case *events.ActionResult:
			if read := d.ToolName == "slow" || d.ToolName == "task" || d.ToolName == "write"; d.Stubbed == read || d.IsError {
				t.Errorf("%s: stubbed %v, %s", d.ToolName, d.Stubbed, d.Output)
			}
			if d.Stubbed {
				stubbed++
			}
		case *events.ArtifactTagged, *events.InputRequested:
			t.Errorf("the log has %s", e.Type)
		}
	}
	if n := h.effects.Load(); n != 0 || stubbed != 12 {
		t.Errorf("%d writes ran, %d were stubbed:\n%s", n, stubbed, h.raw(a.SessionID))
	}
	if _, err := os.Stat(outside); !os.IsNotExist(err) {
		t.Errorf("a program wrote outside of the workspace: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(h.dir, "workspaces", a.SessionID, "f")); err != nil || string(b) != "x" {
		t.Errorf("the workspace has %q, %v", b, err)
	}
}

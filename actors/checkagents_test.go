package actors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// What is wrong with agents is refused by Start and by Reload, all of it at once.
func TestStart_RefusesWhatCannotRun(t *testing.T) {
	t.Parallel()
	if _, err := actors.Start(t.Context(), nil); err == nil {
		t.Error("a host starts without options")
	}
	h := newHouse(t, actors.Options{})
	wrong := []*agent.Agent{nil,
		{Slug: "a", Tools: []*agent.Tool{nil}, Harness: []string{"nope"}, Channels: []*agent.Channel{nil, {ID: "http"}}},
		{Slug: "a", Connections: []*agent.Connection{nil, {Name: "p", Agent: "nobody"}}, Diagnostics: []agent.Diagnostic{{Severity: agent.SeverityError, Message: "broken", File: "a.ts"}}},
		{Slug: "c", Skills: []*agent.Skill{nil}, Hooks: []*agent.Hook{nil}, Subagents: []*agent.Subagent{nil}, Schedules: []*agent.Schedule{nil}},
	}
	_, started := actors.Start(t.Context(), &actors.Options{Journal: h.journal, Models: oneModel{}, Agents: wrong})
	reloaded := h.host.Reload(t.Context(), wrong)
	for _, want := range []string{
		"agent 1 of 4 is nil", `the slug "a" is there twice`, "agent a: tool 1 of 1 is nil", `agent a: the harness tools name "nope"`, `agent a: channel "http": the host has`, "agent a: channel 1 of 2 is nil",
		"agent a: connection 1 of 2 is nil", `leads to the agent "nobody"`, "agent a: a.ts: broken", "agent c: skill 1 of 1 is nil", "agent c: hook 1", "agent c: subagent 1", "agent c: schedule 1",
	} {
		for what, err := range map[string]error{"Start": started, "Reload": reloaded} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in\n%v", what, want, err)
			}
		}
	}
}

// A host that serves one of several projects goes on without a peer, and dev with
// what loads of a project: Options.Lenient.
func TestStart_Lenient(t *testing.T) {
	t.Parallel()
	lacking := func() *agent.Agent {
		return &agent.Agent{Slug: "a", Connections: []*agent.Connection{{Name: "p", Agent: "nobody"}}, Diagnostics: []agent.Diagnostic{{Severity: agent.SeverityError, Message: "broken"}}}
	}
	o := &actors.Options{Lenient: true, Agents: []*agent.Agent{lacking()}}
	if err := o.Validate(); err == nil || strings.Contains(err.Error(), "nobody") || strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
	if o.Lenient = false; !strings.Contains(o.Validate().Error(), "nobody") || !strings.Contains(o.Validate().Error(), "broken") {
		t.Error(o.Validate())
	}
}

// A program is found in the PATH also where nobody gave an environment.
func TestOptions_Environ(t *testing.T) {
	t.Setenv("BDK_TEST_ENVIRON", "1")
	o := &actors.Options{}
	o.EnsureDefaults()
	if !slices.Contains(o.Environ, "BDK_TEST_ENVIRON=1") {
		t.Error("the environment is not the process's")
	}
	o = &actors.Options{Environ: []string{}}
	if o.EnsureDefaults(); len(o.Environ) > 0 {
		t.Error("an empty environment is not kept")
	}
}

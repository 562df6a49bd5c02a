package transport

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// "GET /v1/info: … tools[the object of GET /v1/tools/:name], skills[], subagents[], …
// hooks[], artifacts[]"; hooks.md: "Loaded hooks under agents[].hooks".
func TestDescribe_Lists(t *testing.T) {
	t.Parallel()
	a := &agent.Agent{
		Slug: "bot", Instructions: "Hör zu.",
		Skills:    []*agent.Skill{{Name: "triage", Description: "Use when …", Source: "project", Markdown: "never shown"}},
		Subagents: []*agent.Subagent{{Name: "critic", Description: "Reads again.", Instructions: "Doubt.", Source: "project"}},
		Hooks:     []*agent.Hook{{Name: "audit/usage", Source: "project", On: map[string]agent.HookFunc{"turn.failed": nil, "*": nil}}},
		Artifacts: &agent.ArtifactRules{Kinds: map[string]agent.ArtifactKind{
			"report": {Description: "A report.", Schema: json.RawMessage(`{"type":"object"}`)}, "book": {},
		}},
		Extra: map[string]any{"hosting": 1},
	}
	got := encode(Describe(a, "scripted"))
	for _, want := range []string{
		`"instructions":{"chars":7}`,
		`"skills":[{"name":"triage","description":"Use when …","source":"project"}]`,
		`"subagents":[{"name":"critic","description":"Reads again.","instructions":{"chars":6},"source":"project"}]`,
		`"hooks":[{"name":"audit/usage","events":["*","turn.failed"],"source":"project"}]`,
		`"artifacts":[{"kind":"book"},{"kind":"report","description":"A report.","schema":{"type":"object"}}]`,
		`"extra":{"hosting":1}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "never shown") {
		t.Error("the skill's text is shown")
	}
	a = &agent.Agent{Slug: "bot", InstructionsFor: func(context.Context, *agent.Call) (string, error) { return "", nil }}
	if got := encode(Describe(a, "")); !strings.Contains(got, `"instructions":{"chars":0,"dynamic":true}`) || strings.Contains(got, "null") {
		t.Error(got)
	}
}

// What was found since the agent is served is shown with what was found before.
func TestInfo_ShowsNewerFindings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) {
		o.Findings = func(slug string) []agent.Diagnostic {
			if slug != "bot" {
				return nil
			}
			fault := agent.Diagnostic{Rule: "module/load", Severity: agent.SeverityError, File: "bot/agent.ts", Message: "the file did not load"}
			return []agent.Diagnostic{fault, fault} // said once
		}
	})
	if a := c.do("GET", "/bot/v1/info", ""); !strings.Contains(a.body, `"diagnostics":[{"rule":"module/load","severity":"error","file":"bot/agent.ts","message":"the file did not load"}]`) {
		t.Error(a.body)
	}
	if a := c.do("GET", "/other/v1/info", ""); !strings.Contains(a.body, `"diagnostics":[]`) {
		t.Error(a.body)
	}
}

// channels.md: what a channel's code failed with is "shown in `/v1/info` diagnostics".
func TestInfo_ShowsWhatChannelsFailedWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	failing := &agent.Channel{ID: "desk", OnStart: func(context.Context, *agent.Call) error { return errors.New("no socket") }}
	if err := w.host.Reload(t.Context(), []*agent.Agent{{Slug: "bot", Model: agent.Model{ID: "scripted"}, Channels: []*agent.Channel{failing}}}); err != nil {
		t.Fatal(err)
	}
	c := w.serve(nil)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); ; <-tick.C {
		a := c.do("GET", "/bot/v1/info", "")
		if strings.Contains(a.body, `{"rule":"channel/start-failed","severity":"warning","message":"channel \"desk\" onStart failed: no socket","fix":"`) {
			return
		}
		if time.Now().After(end) {
			t.Fatal(a.body)
		}
	}
}

// The edge asks the host for its agents each time, so that a reload shows at once.
func TestRoutes_AfterAReload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	started := c.do("POST", "/other/v1/session", `{"message":"x"}`)
	var session struct{ SessionID string }
	if err := json.Unmarshal([]byte(started.body), &session); err != nil {
		t.Fatal(err)
	}
	bot := &agent.Agent{Slug: "bot", Name: "New", Model: agent.Model{ID: "scripted"}, Tools: w.tools()[:1]}
	third := &agent.Agent{Slug: "third", Model: agent.Model{ID: "scripted"}}
	if err := w.host.Reload(t.Context(), []*agent.Agent{bot, third}); err != nil {
		t.Fatal(err)
	}
	if a := c.do("GET", "/v1/agents", ""); !strings.Contains(a.body, `"name":"New"`) || !strings.Contains(a.body, `"slug":"third"`) || strings.Contains(a.body, `"other"`) {
		t.Error(a.body)
	}
	if a := c.do("GET", "/bot/v1/tools", ""); strings.Count(a.body, `"source"`) != 1 {
		t.Error(a.body)
	}
	c.do("POST", "/bot/v1/tools/echo", "").want(t, 404, "unknown_tool")
	if a := c.do("POST", "/third/v1/session", `{"message":"x"}`); a.status != 202 {
		t.Error(a.status, a.body)
	}
	c.do("POST", "/other/v1/session", `{"message":"x"}`).want(t, 404, "unknown_agent")
	if a := c.do("GET", "/other/v1/session/"+session.SessionID+"/events", ""); a.status != 200 || !strings.Contains(a.body, "session.started") {
		t.Error(a.status, a.body)
	}
}

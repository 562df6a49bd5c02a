package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport"
)

// cli.md: "what was discovered: agents[], model, tools, skills, connections,
// subagents, channels, schedules, hooks, extensions, artifacts, diagnostics".
func TestInfo_ForPeople(t *testing.T) {
	t.Parallel()
	ag := &agent.Agent{
		Slug: "bot", Name: "Bot", Description: "Helps.", Dir: "/srv/bot",
		InstructionsFor: func(context.Context, *agent.Call) (string, error) { return "", nil },
		Tools:           []*agent.Tool{{Name: "merge", Description: "Merges.\nMore.", Effect: agent.EffectWrite, NeedsApproval: agent.ApprovalDynamic}},
		Skills:          []*agent.Skill{{Name: "triage", Description: strings.Repeat("x", 80)}},
		Subagents:       []*agent.Subagent{{Name: "critic", Description: "Doubts."}},
		Hooks:           []*agent.Hook{{Name: "audit/usage", On: map[string]agent.HookFunc{"turn.failed": nil, "*": nil}}},
		Artifacts:       &agent.ArtifactRules{Kinds: map[string]agent.ArtifactKind{"book": {}}},
		Channels: []*agent.Channel{{ID: "desk", Description: "Takes reports.", Routes: []*agent.Route{
			{Method: "POST", Path: "/", Description: "A report."}, {Method: "GET", Path: "/reports/:id"},
		}}},
		Extra: map[string]any{"hosting": 1, "cloud": 2},
	}
	d := described{AgentInfo: transport.Describe(ag, "scripted"), Diagnostics: []agent.Diagnostic{{Rule: "a/b", Severity: "warning", File: "bot/x.ts", Line: 1, Column: 2, Message: "hm", Fix: "mend it"}}}
	ag.Local.Sandbox = agent.SandboxOff
	d.Channels[0].Routes = d.Channels[0].Routes[:2]
	b := newBench(t)
	a := newApp(b.Process, func(error) {})
	a.Dir = "/srv"
	if err := a.describe([]*agent.Agent{ag}, []described{d}); err != nil {
		t.Fatal(err)
	}
	want := `Bot
  slug          bot
  description   Helps.
  folder        /srv/bot
  model         scripted
  instructions  made for each session
  sandbox       off
  tools         1
    merge                  write, may need approval Merges.
  skills        1
    triage                 ` + strings.Repeat("x", 70) + `…
  subagents     1
    critic                 Doubts.
  hooks         1
    audit/usage            on *, turn.failed
  artifacts     1
    book
  channel       http, 2 routes
  channel       desk, 2 routes: Takes reports.
    POST /v1/channels/desk A report.
    GET /v1/channels/desk/reports/:id
  accepted      cloud, hosting; they do nothing here
  bot/bot/x.ts:1:2: warning: hm [a/b]
      mend it
`
	if got := b.out.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

// "… diagnostics": those of the model too, as validate has them.
func TestInfo_SaysThatTheModelCannotBeAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", "bot", "--model", "openai/gpt-5")
	b.want(t, ExitOK, "", "")
	for _, command := range []string{"info", "validate"} {
		seen := newBench(t, command, "--dir", filepath.Join(b.Dir, "bot"))
		seen.want(t, ExitOK, "OPENAI_API_KEY is not set, and provider openai needs it; set it, or use --model scripted, which needs no key [model/unusable]", "")
	}
}

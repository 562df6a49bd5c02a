package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// whole is an agent with something in each slot, and nothing wrong with it.
func whole() *Agent {
	a := &Agent{Slug: "desk", Tools: []*Tool{stub("look")}, Seeds: []SeedFile{{Path: "a.txt"}}, Skills: []*Skill{{Name: "how"}}, Local: Local{Sandbox: SandboxOff}}
	a.Hooks = []*Hook{{Name: "audit/use", On: map[string]HookFunc{"turn.completed": nothing, AnyEvent: nothing}}}
	a.Channels = []*Channel{{ID: "web"}}
	a.Schedules = []*Schedule{{ID: "daily", Cron: "0 9 * * *", Markdown: "Report."}}
	a.Subagents = []*Subagent{{Name: "critic", Description: "Doubts."}}
	a.Connections = []*Connection{{Name: "files", Command: "x"}, {Name: "web", URL: "https://x.test/mcp", OAuth: &OAuth{}}, {Name: "peer", Agent: "other"}}
	return a
}

// Every fault is said at once, with the agent and the thing; nothing panics.
func TestAgent_Check(t *testing.T) {
	t.Parallel()
	if err := whole().Check(); err != nil {
		t.Fatal(err)
	}
	if err := (*Agent)(nil).Check(); err == nil {
		t.Error("no agent is an agent")
	}
	all := whole()
	for name, c := range faulty {
		a := whole()
		c.spoil(a)
		c.spoil(all)
		if err := a.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: no %q in %v", name, c.want, err)
		}
	}
	err := all.Check()
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !strings.HasPrefix(line, "agent ") {
			t.Errorf("the line names no agent: %s", line)
		}
	}
	if n := strings.Count(err.Error(), "\n"); n < len(faulty)-1 {
		t.Errorf("%d faults are said of %d: %v", n+1, len(faulty), err)
	}
}

type breaking struct {
	want  string
	spoil func(a *Agent)
}

var faulty = map[string]breaking{
	"slug":       {`agent a/b: the slug "a/b"`, func(a *Agent) { a.Slug = "a/b" }},
	"sandbox":    {`the sandbox is "wrong"`, func(a *Agent) { a.Local.Sandbox = "wrong" }},
	"steps":      {"Limits.MaxSteps is -1", func(a *Agent) { a.Limits.MaxSteps = -1 }},
	"timeout":    {"Approvals.Timeout is -1", func(a *Agent) { a.Approvals.Timeout = -1 }},
	"compaction": {"from 1 to 100", func(a *Agent) { a.Compaction.ThresholdPercent = 101 }},
	"result":     {"agent.NewResult", func(a *Agent) { a.Result = &ResultRule{} }},
	"artifacts":  {"Max is -1", func(a *Agent) { a.Artifacts = &ArtifactRules{Max: -1} }},
	"policy":     {`auth: policy 1: the policy "magic" is unknown`, func(a *Agent) { a.Auth = append(a.Auth, AuthPolicy{Kind: "magic"}) }},
	"seed":       {`seed: path "../x"`, func(a *Agent) { a.Seeds = append(a.Seeds, SeedFile{Path: "../x"}) }},

	"nil tool":   {"tool 2 of 2 is nil", func(a *Agent) { a.Tools = append(a.Tools, nil) }},
	"tool twice": {`tool "look" is there twice`, func(a *Agent) { a.Tools = append(a.Tools, stub("look")) }},
	"empty tool": {`tool "": Execute is missing`, func(a *Agent) { a.Tools = append(a.Tools, &Tool{}) }},
	"tool name":  {`tool "a b": "a b" cannot be a tool's name`, func(a *Agent) { a.Tools = append(a.Tools, stub("a b")) }},
	"tool schema": {`tool "s": InputSchema is no JSON object`, func(a *Agent) {
		a.Tools = append(a.Tools, stub("s"))
		a.Tools[len(a.Tools)-1].InputSchema = json.RawMessage("[]")
	}},
	"tool effect": {`tool "e": Effect is "wrong"; it can be read, write, dynamic`, func(a *Agent) {
		a.Tools = append(a.Tools, stub("e"))
		a.Tools[len(a.Tools)-1].Effect = "wrong"
	}},

	"nil skill":  {"skill 2 of 2 is nil", func(a *Agent) { a.Skills = append(a.Skills, nil) }},
	"skill":      {`skill "a/b"`, func(a *Agent) { a.Skills = append(a.Skills, &Skill{Name: "a/b"}) }},
	"skill file": {`skill "f": seed: path "/x"`, func(a *Agent) { a.Skills = append(a.Skills, &Skill{Name: "f", Files: []SeedFile{{Path: "/x"}}}) }},

	"nil subagent": {"subagent 2 of 2 is nil", func(a *Agent) { a.Subagents = append(a.Subagents, nil) }},
	"subagent":     {`subagent "mute": the description is missing`, func(a *Agent) { a.Subagents = append(a.Subagents, &Subagent{Name: "mute"}) }},

	"nil hook": {"hook 2 of 2 is nil", func(a *Agent) { a.Hooks = append(a.Hooks, nil) }},
	"nil handler": {`hook "n": the handler of "turn.failed" is nil`, func(a *Agent) {
		a.Hooks = append(a.Hooks, &Hook{Name: "n", On: map[string]HookFunc{"turn.failed": nil}})
	}},
	"event": {`no session has an event "turn.complete", so its handler would never run; the nearest is "turn.completed"`, func(a *Agent) {
		a.Hooks = append(a.Hooks, &Hook{Name: "e", On: map[string]HookFunc{"turn.complete": nothing}})
	}},
	"agent event": {`"tool.called" is an event of the agent's own log`, func(a *Agent) {
		a.Hooks = append(a.Hooks, &Hook{Name: "t", On: map[string]HookFunc{"tool.called": nothing}})
	}},
	"nil channel": {"channel 2 of 2 is nil", func(a *Agent) { a.Channels = append(a.Channels, nil) }},
	"channel id":  {`channel "a b"`, func(a *Agent) { a.Channels = append(a.Channels, &Channel{ID: "a b"}) }},
	"nil route":   {`channel "r": route 1 of 1 is nil`, func(a *Agent) { a.Channels = append(a.Channels, &Channel{ID: "r", Routes: []*Route{nil}}) }},
	"nil delivery": {`channel "d": the handler of "*" is nil`, func(a *Agent) {
		a.Channels = append(a.Channels, &Channel{ID: "d", On: map[string]DeliverFunc{"*": nil}})
	}},
	"admission": {`channel "m": its admission is "no"`, func(a *Agent) { a.Channels = append(a.Channels, &Channel{ID: "m", Admission: "no"}) }},
	"state":     {`channel "s": the state`, func(a *Agent) { a.Channels = append(a.Channels, &Channel{ID: "s", State: json.RawMessage("{")}) }},

	"nil schedule": {"schedule 2 of 2 is nil", func(a *Agent) { a.Schedules = append(a.Schedules, nil) }},
	"schedule id": {`schedule "a b": "a b" cannot be`, func(a *Agent) {
		a.Schedules = append(a.Schedules, &Schedule{ID: "a b", Cron: "* * * * *", Markdown: "x"})
	}},
	"no cron": {`schedule "n": a cron expression has five fields`, func(a *Agent) { a.Schedules = append(a.Schedules, &Schedule{ID: "n", Markdown: "x"}) }},

	"nil connection":   {"connection 4 of 4 is nil", func(a *Agent) { a.Connections = append(a.Connections, nil) }},
	"connection twice": {`connection "files" is there twice`, func(a *Agent) { a.Connections = append(a.Connections, &Connection{Name: "files", Command: "x"}) }},
	"no way":           {`connection "none": it has 0 of URL, Command and Agent`, func(a *Agent) { a.Connections = append(a.Connections, &Connection{Name: "none"}) }},
	"two ways": {`connection "two": it has 2 of`, func(a *Agent) {
		a.Connections = append(a.Connections, &Connection{Name: "two", Command: "x", Agent: "y"})
	}},
	"scheme":          {`connection "ftp": its URL is no address`, func(a *Agent) { a.Connections = append(a.Connections, &Connection{Name: "ftp", URL: "ftp://x"}) }},
	"connection name": {`connection "a b": "a b" cannot be`, func(a *Agent) { a.Connections = append(a.Connections, &Connection{Name: "a b", Command: "x"}) }},
	"connection form": {`connection "a__b__c": "a__b__c" cannot be`, func(a *Agent) { a.Connections = append(a.Connections, &Connection{Name: "a__b__c", Command: "x"}) }},
	"effect": {`connection "eff": the effect of "t" is "wrong"`, func(a *Agent) {
		a.Connections = append(a.Connections, &Connection{Name: "eff", Command: "x", Effect: map[string]string{"t": "wrong"}})
	}},
	"oauth": {`connection "o": OAuth belongs to a connection with URL`, func(a *Agent) {
		a.Connections = append(a.Connections, &Connection{Name: "o", Command: "x", OAuth: &OAuth{}})
	}},
	"nil mount": {"one of its mounts is nil", func(a *Agent) { a.Mounts = append(a.Mounts, nil) }},
}

// "with the same naming, overlay and validation": what is nil or broken is a fault of the mount.
func TestMount_WhatIsMissing(t *testing.T) {
	t.Parallel()
	a := &Agent{Slug: "desk"}
	err := a.Mount(&Extension{
		Namespace: "x", Tools: []*Tool{nil, {Name: "empty"}, stub("fine")}, Skills: []*Skill{nil}, Hooks: []*Hook{nil, {Name: "h", On: map[string]HookFunc{"*": nil}}},
		Channels: []*Channel{nil, {ID: "c", Routes: []*Route{nil}}}, Schedules: []*Schedule{nil}, Subagents: []*Subagent{nil}, Connections: []*Connection{nil, {Name: "none"}},
		Seeds: []SeedFile{{Path: "../x"}},
	}, Overlay{Slot: SlotTools, Name: "fine", With: (*Tool)(nil)})
	for _, want := range []string{
		"x: tools: one of them is nil", "x: tools/empty: the description is missing", "; Prepare is missing", "x: skills: one of them is nil", "x: hooks: one", `x: hooks/h: the handler of "*" is nil`, "x: channels: one",
		"x: channels/c: route 1 of 1 is nil", "x: schedules: one", "x: subagents: one", "x: mcp-connections: one", "x: mcp-connections/none: it has 0 of", `x: sandbox/workspace/../x: path "../x"`,
		"an overlay of x: tools/fine: what should take its place is nil",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if len(a.Tools) != 1 || len(a.Channels)+len(a.Hooks)+len(a.Connections)+len(a.Seeds) > 0 {
		t.Errorf("mounted: %s", shown(a))
	}
	if err := a.Mount(nil); err == nil {
		t.Error("nil is mounted")
	}
	if err := (&Agent{Tools: []*Tool{nil}}).Mount(&Extension{Namespace: "x"}); err == nil {
		t.Error("an agent with a tool that is nil can be mounted on")
	}
}

func nothing(context.Context, *HookEvent, *Call) error { return nil }

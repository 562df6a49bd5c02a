package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// triage is an extension with something in each slot.
func triage(ns string) *Extension {
	execute := func(ctx context.Context, c *Call) (Result, error) {
		if _, err := c.Artifacts.Tag(ctx, TagArtifact{Kind: "report", Key: "k"}); err != nil {
			return Result{}, err
		}
		if _, err := c.Artifacts.Tag(ctx, TagArtifact{Kind: "other", Key: "k"}); err != nil {
			return Result{}, err
		}
		out, err := c.MCP.CallTool(ctx, "api", "list", nil)
		return Result{Output: out}, err
	}
	return &Extension{
		Namespace: ns, Description: "Triage.", Origin: "triage", Instructions: "Look at " + ns + ".",
		Tools:       []*Tool{stub("retry"), running("failed", execute)},
		Skills:      []*Skill{{Name: "how"}},
		Hooks:       []*Hook{{Name: "deep/audit"}},
		Channels:    []*Channel{{ID: "web"}},
		Schedules:   []*Schedule{{ID: "daily", Cron: "0 9 * * *", Run: fire}},
		Subagents:   []*Subagent{{Name: "critic", Description: "Doubts."}},
		Connections: []*Connection{{Name: "api", Command: "x"}, {Name: "code", Command: "x", HostOnly: true, Source: "plugin:x"}},
		Artifacts:   map[string]ArtifactKind{"report": {Description: "A report."}},
		Seeds:       []SeedFile{{Path: ns + "/a.txt"}},
		Files:       map[string]string{"tools/failed": "x/failed.ts"},
		Notes:       []string{"no rules"},
	}
}

// stub is a tool that does nothing.
func stub(name string) *Tool {
	return running(name, func(context.Context, *Call) (Result, error) { return Result{}, nil })
}

func running(name string, execute func(ctx context.Context, c *Call) (Result, error)) *Tool {
	return &Tool{Name: name, Description: "Is there.", Execution: ExecutionServer, Effect: EffectRead, NeedsApproval: ApprovalNever, InputSchema: json.RawMessage("{}"),
		Prepare: func(context.Context, *Call) (Prepared, error) { return Prepared{Effect: EffectRead}, nil }, Execute: execute}
}

func titled(title string) *Tool {
	t := stub("x")
	t.Title = title
	return t
}

func fire(ctx context.Context, c *Call) error {
	if _, err := c.Firing.Receive(ctx, "web", Receive{}); err != nil {
		return err
	}
	_, err := c.Firing.CallTool(ctx, "failed", nil)
	return err
}

// shown lists what an agent has.
func shown(a *Agent) string {
	var b strings.Builder
	for _, v := range a.Tools {
		fmt.Fprintln(&b, "tool", v.Name, v.Source)
	}
	for _, v := range a.Skills {
		fmt.Fprintln(&b, "skill", v.Name, v.Source)
	}
	for _, v := range a.Hooks {
		fmt.Fprintln(&b, "hook", v.Name, v.Source)
	}
	for _, v := range a.Channels {
		fmt.Fprintln(&b, "channel", v.ID, v.Source)
	}
	for _, v := range a.Schedules {
		fmt.Fprintln(&b, "schedule", v.ID, v.Source)
	}
	for _, v := range a.Subagents {
		fmt.Fprintln(&b, "subagent", v.Name, v.Source)
	}
	for _, v := range a.Connections {
		fmt.Fprintln(&b, "connection", v.Name, v.Source, v.HostOnly)
	}
	for _, v := range a.Seeds {
		fmt.Fprintln(&b, "seed", v.Path)
	}
	return b.String()
}

// "Contributions are named `<ns>__<name>`"; "In Go: … mounted on an agent, with the same naming, overlay and validation."
func TestMount_Names(t *testing.T) {
	t.Parallel()
	a := &Agent{Slug: "demo", Instructions: "Root.", Tools: []*Tool{{Name: "own", Source: "project"}}}
	for _, ns := range []string{"zz", "ci"} { // "instructions are appended in the order of the namespaces"
		if err := a.Mount(triage(ns)); err != nil {
			t.Fatal(err)
		}
	}
	if want := "Root.\n\nLook at ci.\n\nLook at zz."; a.Instructions != want {
		t.Errorf("the instructions are %q, want %q", a.Instructions, want)
	}
	const want = `tool ci__failed extension:ci
tool ci__retry extension:ci
tool own project
tool zz__failed extension:zz
tool zz__retry extension:zz
skill ci__how extension:ci
skill zz__how extension:zz
hook ci__deep/audit extension:ci
hook zz__deep/audit extension:zz
channel ci__web extension:ci
channel zz__web extension:zz
schedule ci__daily extension:ci
schedule zz__daily extension:zz
subagent ci__critic extension:ci
subagent zz__critic extension:zz
connection ci__api extension:ci false
connection ci__code plugin:x true
connection zz__api extension:zz false
connection zz__code plugin:x true
seed ci/a.txt
seed zz/a.txt
`
	if got := shown(a); got != want {
		t.Errorf("the agent has\n%swant\n%s", got, want)
	}
	m := a.Mounts[0]
	if m.Namespace != "ci" || m.Source != "triage" || !slices.Equal(m.Notes, []string{"no rules"}) || !slices.Contains(m.Contributions, Contribution{Slot: "tools", Name: "ci__failed", File: "x/failed.ts"}) {
		t.Errorf("the mount is described as %+v", m)
	}
}

// "An overlay replaces (same short name) or removes …; one that names nothing is an error."
func TestMount_Overlays(t *testing.T) {
	t.Parallel()
	a := &Agent{Instructions: "Root."}
	err := a.Mount(triage("ci"),
		Overlay{Slot: SlotTools, Name: "failed", With: titled("Ours"), File: "bot/failed.ts"},
		Overlay{Slot: SlotTools, Name: "retry"},
		Overlay{Slot: SlotInstructions, With: "Ours."},
		Overlay{Slot: SlotArtifacts, Name: "report"},
		Overlay{Slot: SlotHostConnections, Name: "code", With: &Connection{HostOnly: true, Agent: "peer"}},
		Overlay{Slot: SlotTools, Name: "failled"},
		Overlay{Slot: SlotSkills, Name: "failed"},
		Overlay{Slot: SlotSkills, Name: "how", With: &Hook{}},
		Overlay{Slot: SlotConnections, Name: "api", With: &Connection{HostOnly: true}},
		Overlay{Slot: SlotTools, Name: "retry"},
	)
	const faults = `mounting an overlay of ci: tools/failled: the extension brings no such thing; of tools it brings failed, retry
mounting an overlay of ci: skills/failed: the extension brings no such thing; did you mean tools/failed?
mounting an overlay of ci: skills/how: what should take its place is of another kind; give what the slot skills has
mounting an overlay of ci: mcp-connections/api: what should take its place is of another kind; give what the slot mcp-connections has
mounting an overlay of ci: tools/retry: another overlay has the same name; keep one of the two`
	if err == nil || err.Error() != faults {
		t.Errorf("the faults are\n%v\nwant\n%s", err, faults)
	}
	if tool := a.Tool("ci__failed"); tool == nil || tool.Title != "Ours" || a.Tool("ci__retry") != nil {
		t.Errorf("the tools are %+v", a.Tools)
	}
	if a.Instructions != "Root.\n\nOurs." || a.Artifacts != nil || a.Connections[1].Agent != "peer" || len(a.Skills) != 1 {
		t.Errorf("the agent is %+v", a)
	}
	for _, c := range []Contribution{{"tools", "ci__failed", "bot/failed.ts", OverlayReplaced}, {"tools", "ci__retry", "", OverlayRemoved}, {"instructions", "ci", "", OverlayReplaced}} {
		if !slices.Contains(a.Mounts[0].Contributions, c) {
			t.Errorf("the mount has not %+v", c)
		}
	}
}

func TestMount_Faults(t *testing.T) {
	t.Parallel()
	for _, ns := range []string{"", "1st", "a__b", "a_", "a.b"} {
		a := &Agent{}
		var fault *MountFault
		if err := a.Mount(triage(ns)); !errors.As(err, &fault) || fault.Slot != "" || len(a.Mounts)+len(a.Tools) > 0 {
			t.Errorf("the namespace %q gives %v", ns, err)
		}
	}
	long := strings.Repeat("x", 60)
	a := &Agent{Tools: []*Tool{{Name: "ci__taken"}}, Seeds: []SeedFile{{Path: "a.TXT"}}}
	err := a.Mount(&Extension{Namespace: "ci",
		Tools:       []*Tool{stub("taken"), stub("twice"), stub("twice"), stub("a__b"), stub("9"), stub(long), stub("fine")},
		Channels:    []*Channel{{ID: "a.b"}, {ID: long}},
		Connections: []*Connection{{Name: "api", Command: "x"}, {Name: "api", Command: "x", HostOnly: true}},
		Artifacts:   map[string]ArtifactKind{"_x": {}},
		Seeds:       []SeedFile{{Path: "a.txt"}, {Path: "b.txt"}},
	})
	const faults = `mounting ci: tools/taken: the agent has ci__taken already; mount the extension under another namespace
mounting ci: tools/twice: the extension brings it twice; keep one of the two
mounting ci: tools/a__b: the name has "__" in it, which is kept for namespaces, or begins with "_"; rename it in the extension
mounting ci: tools/9: the slot has no such names; rename it in the extension
mounting ci: channels/a.b: the slot has no such names; rename it in the extension
mounting ci: host-connections/api: the extension brings it twice; keep one of the two
mounting ci: artifacts/_x: the name has "__" in it, which is kept for namespaces, or begins with "_"; rename it in the extension
mounting ci: sandbox/workspace/a.txt: every workspace begins with a file a.TXT already; remove one of the two`
	if err == nil || err.Error() != faults {
		t.Errorf("the faults are\n%v\nwant\n%s", err, faults)
	}
	if err := a.Mount(&Extension{Namespace: "ci"}); err == nil || !strings.Contains(err.Error(), `the namespace "ci" is taken`) {
		t.Errorf("mounting twice gives %v", err)
	}
	if err := a.Mount(&Extension{Namespace: "c_i", Tools: []*Tool{{Name: long}}}); err == nil || !strings.Contains(err.Error(), "has 65 characters; at most 64 are allowed") {
		t.Errorf("a long name gives %v", err)
	}
	if a.Tool("ci__fine") == nil || len(a.Seeds) != 2 || a.Seeds[1].Path != "b.txt" {
		t.Error("what has no fault is not mounted")
	}
}

// asked keeps what code asked for.
type asked struct {
	Artifacts
	MCP
	names []string
}

func (k *asked) note(s string) { k.names = append(k.names, s) }

func (k *asked) Tag(_ context.Context, a TagArtifact) (events.Artifact, error) {
	k.note("tag " + a.Kind)
	return events.Artifact{}, nil
}

func (k *asked) CallTool(_ context.Context, connection, tool string, _ json.RawMessage) (json.RawMessage, error) {
	k.note("call " + connection + " " + tool)
	return json.RawMessage("1"), nil
}

// "Keep extension instructions and tool descriptions namespace-neutral because the consumer
// chooses the final prefix": code names its own things by their short names.
func TestMount_CodeUsesShortNames(t *testing.T) {
	t.Parallel()
	a, k := &Agent{}, &asked{}
	if err := a.Mount(triage("ci")); err != nil {
		t.Fatal(err)
	}
	call := &Call{Artifacts: k, MCP: k}
	if r, err := a.Tool("ci__failed").Execute(context.Background(), call); err != nil || string(r.Output) != "1" {
		t.Fatalf("the tool gives %s, %v", r.Output, err)
	}
	if call.MCP != MCP(k) {
		t.Error("the caller's own call was changed")
	}
	call = &Call{Firing: &Firing{
		Receive: func(_ context.Context, channel string, _ Receive) (Sent, error) {
			k.note("receive " + channel)
			return Sent{}, nil
		},
		CallTool: func(_ context.Context, name string, _ json.RawMessage) (Result, error) {
			k.note("tool " + name)
			return Result{}, nil
		},
	}}
	if err := a.Schedules[0].Run(context.Background(), call); err != nil {
		t.Fatal(err)
	}
	if want := []string{"tag ci__report", "tag other", "call ci__api list", "receive ci__web", "tool ci__failed"}; !slices.Equal(k.names, want) {
		t.Errorf("code asked for %v, want %v", k.names, want)
	}
}

// Kinds of an extension leave an agent that takes every kind as open as it was.
func TestMount_KindsLeaveTheAgentAsOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules *ArtifactRules
		open  bool
	}{
		"no rules": {nil, true}, "no kinds": {&ArtifactRules{AgentTool: true, Max: 5}, true}, "kinds": {&ArtifactRules{Kinds: map[string]ArtifactKind{"own": {}}}, false},
	} {
		a := &Agent{Artifacts: c.rules}
		if err := a.Mount(triage("ci")); err != nil {
			t.Fatal(err)
		}
		if _, ok := a.Artifacts.Kinds["ci__report"]; !ok || a.Artifacts.Open != c.open {
			t.Errorf("%s: the rules are %+v", name, a.Artifacts)
		}
		if c.rules != nil && (a.Artifacts.AgentTool != c.rules.AgentTool || a.Artifacts.Max != c.rules.Max) {
			t.Errorf("%s: the agent's own rules changed: %+v", name, a.Artifacts)
		}
	}
}

func TestMount_InstructionsOfEachSession(t *testing.T) {
	t.Parallel()
	a := &Agent{Instructions: "Root."}
	e := triage("ci")
	e.InstructionsFor = func(_ context.Context, c *Call) (string, error) {
		if c.Agent == "" {
			return "", errors.New("no agent")
		}
		return "For " + c.Agent + ".", nil
	}
	if err := errors.Join(a.Mount(triage("zz")), a.Mount(e)); err != nil {
		t.Fatal(err)
	}
	text, err := a.InstructionsFor(context.Background(), &Call{Agent: "demo"})
	if want := "Root.\n\nFor demo.\n\nLook at zz."; err != nil || text != want || a.Instructions != "" {
		t.Errorf("the instructions are %q, %v, want %q", text, err, want)
	}
	if _, err := a.InstructionsFor(context.Background(), &Call{}); err == nil {
		t.Error("a fault of a part is not told")
	}
}

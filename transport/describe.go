package transport

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
)

// A ToolInfo describes a tool, as GET /v1/tools/:name gives it.
type ToolInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Execution   string `json:"execution"`
	Effect      string `json:"effect"`
	// NeedsApproval is true, false or "dynamic".
	NeedsApproval any             `json:"needsApproval"`
	Idempotent    bool            `json:"idempotent"`
	TimeArguments []string        `json:"timeArguments"`
	InputSchema   json.RawMessage `json:"inputSchema"`
	OutputSchema  json.RawMessage `json:"outputSchema,omitempty"`
	Source        string          `json:"source"`
}

// An AgentInfo describes an agent, as GET /v1/info gives it. No list is nil.
type AgentInfo struct {
	Slug         string           `json:"slug"`
	Name         string           `json:"name"`
	Description  string           `json:"description,omitempty"`
	Runtime      string           `json:"runtime"`
	Model        string           `json:"model"`
	Instructions InstructionsInfo `json:"instructions"`
	Tools        []ToolInfo       `json:"tools"`
	Skills       []SkillInfo      `json:"skills"`
	Subagents    []SubagentInfo   `json:"subagents"`
	Connections  []ConnectionInfo `json:"connections"`
	Channels     []ChannelInfo    `json:"channels"`
	Schedules    []ScheduleInfo   `json:"schedules"`
	Hooks        []HookInfo       `json:"hooks"`
	Artifacts    []ArtifactInfo   `json:"artifacts"`
	// Extra are accepted fields of the agent's config that do nothing here.
	Extra map[string]any `json:"extra,omitempty"`
}

// An InstructionsInfo says how long the instructions are, in characters. Dynamic
// ones are made for each session, so that their length is not known.
type InstructionsInfo struct {
	Chars   int  `json:"chars"`
	Dynamic bool `json:"dynamic,omitempty"`
}

// A SkillInfo describes a skill.
type SkillInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Source      string `json:"source"`
}

// A SubagentInfo describes a subagent.
type SubagentInfo struct {
	Name         string           `json:"name"`
	Description  string           `json:"description"`
	Instructions InstructionsInfo `json:"instructions"`
	Source       string           `json:"source"`
}

// A HookInfo describes a hook by the events that it hears, sorted.
type HookInfo struct {
	Name   string   `json:"name"`
	Events []string `json:"events"`
	Source string   `json:"source"`
}

// An ArtifactInfo describes a kind of artifacts that was declared.
type ArtifactInfo struct {
	Kind        string          `json:"kind"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
}

// DescribeTool gives the description of a tool.
func DescribeTool(t *agent.Tool) ToolInfo {
	info := ToolInfo{
		Name: t.Name, Description: t.Description, Execution: t.Execution, Effect: t.Effect, NeedsApproval: t.NeedsApproval == agent.ApprovalAlways,
		Idempotent: t.Idempotent, TimeArguments: append([]string{}, t.TimeArguments...), InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Source: t.Source,
	}
	if t.NeedsApproval == agent.ApprovalDynamic {
		info.NeedsApproval = agent.ApprovalDynamic
	}
	if len(info.InputSchema) == 0 {
		info.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	return info
}

// Describe gives the description of an agent; model is what its turns would use.
func Describe(a *agent.Agent, model string) AgentInfo {
	info := AgentInfo{
		Slug: a.Slug, Name: nameOf(a), Description: a.Description, Runtime: "local", Model: model,
		Instructions: InstructionsInfo{utf8.RuneCountInString(a.Instructions), a.InstructionsFor != nil},
		Tools:        []ToolInfo{}, Skills: []SkillInfo{}, Subagents: []SubagentInfo{}, Connections: describeConnections(a),
		Channels: describeChannels(a), Schedules: describeSchedules(a), Hooks: []HookInfo{}, Artifacts: describeArtifacts(a.Artifacts),
		Extra: a.Extra,
	}
	for _, t := range a.Tools {
		info.Tools = append(info.Tools, DescribeTool(t))
	}
	for _, s := range a.Skills {
		info.Skills = append(info.Skills, SkillInfo{s.Name, s.Description, s.Source})
	}
	for _, s := range a.Subagents {
		info.Subagents = append(info.Subagents, SubagentInfo{s.Name, s.Description, InstructionsInfo{Chars: utf8.RuneCountInString(s.Instructions)}, s.Source})
	}
	for _, h := range a.Hooks {
		info.Hooks = append(info.Hooks, HookInfo{h.Name, slices.Sorted(maps.Keys(h.On)), h.Source})
	}
	return info
}

// describeArtifacts lists the kinds that were declared, sorted.
func describeArtifacts(rules *agent.ArtifactRules) []ArtifactInfo {
	list := []ArtifactInfo{}
	if rules == nil {
		return list
	}
	for _, kind := range slices.Sorted(maps.Keys(rules.Kinds)) {
		k := rules.Kinds[kind]
		list = append(list, ArtifactInfo{kind, k.Description, k.Schema})
	}
	return list
}

func nameOf(a *agent.Agent) string {
	if a.Name != "" {
		return a.Name
	}
	return a.Slug
}

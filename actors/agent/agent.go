// Package agent is the vocabulary in which an agent is written: its model,
// instructions, tools and limits. The TypeScript loader fills the same types as
// an author in Go does. It is a leaf: it starts nothing and holds no state.
package agent

import (
	"context"
	"time"

	"github.com/gobdk/bdk/events"
)

// An Agent is what a host runs. It is read-only once a host was started with it.
type Agent struct {
	// Slug is the agent's place in URLs and in the log: [A-Za-z0-9][A-Za-z0-9_-]*.
	Slug string
	// Name is what people read; defaults to Slug.
	Name        string
	Description string
	// Dir is the absolute path of the project's folder; empty for an agent in Go.
	Dir string
	// Model is what the agent asks for; the host's own setting replaces it.
	Model Model
	// Instructions are the system prompt, in Markdown.
	Instructions string
	// InstructionsFor, when not nil, gives the instructions of one session in their
	// place. It is asked once per session; Instructions then hold nothing.
	InstructionsFor func(ctx context.Context, c *Call) (string, error)
	// Tools in the order of their names, each name once.
	Tools []*Tool
	// Harness is the allowlist of harness tools; nil means all that this build has.
	Harness []string
	// Skills, Subagents and Hooks in the order of their names, each name once.
	Skills    []*Skill
	Subagents []*Subagent
	Hooks     []*Hook
	// Channels, Schedules and Connections in the order of their names, each name once.
	Channels    []*Channel
	Schedules   []*Schedule
	Connections []*Connection
	// GitHub and Slack ask the platforms' APIs for Call; nil: none is set up.
	GitHub Platform
	Slack  Platform
	// Mounts describe the extensions that brought some of the above, in the order of
	// their namespaces.
	Mounts []*Mount
	// Auth are the policies of the built-in HTTP routes; nil: the host's own chain.
	Auth []AuthPolicy
	// Result judges replies; nil: the reply's text is the result.
	Result *ResultRule
	// Artifacts are the rules for them; nil: every kind, no tool for the model.
	Artifacts *ArtifactRules
	// Seeds are the files that every workspace begins with.
	Seeds       []SeedFile
	Local       Local
	Limits      Limits
	Compaction  Compaction
	Concurrency Concurrency
	Approvals   Approvals
	// Extra is what info shows of accepted fields that do nothing here, by field name.
	Extra map[string]any
	// Diagnostics are what loading found; a host starts with none that has an error
	// among them, unless its options say otherwise.
	Diagnostics []Diagnostic
	// Close releases what the loader holds, such as TypeScript VMs; nil when there is nothing.
	Close func() error

	// told are the instructions that Mount put together.
	told *told
}

// A Model names a language model: "provider/name" or a bare name.
type Model struct {
	ID     string  `json:"id"`
	Params []Param `json:"params,omitempty"`
}

// A Param is one setting of a model, such as effort or temperature.
type Param struct {
	ID    string `json:"id"`
	Value any    `json:"value"`
}

// Limits end turns that would go on too long; zero means the default or no limit.
type Limits struct {
	// MaxSteps is the model steps of one turn. Defaults to 100.
	MaxSteps int
	// TurnTimeout stands still while the turn is parked. 0: none.
	TurnTimeout      time.Duration
	MaxOutputTokens  int
	MaxTurnUSD       float64
	MaxSessionUSD    float64
	MaxSessionTokens int64
}

// Concurrency bounds what runs at once.
type Concurrency struct {
	// MaxRunningTurns of this agent; 0: no bound.
	MaxRunningTurns int
}

// Approvals configures parked calls.
type Approvals struct {
	// Timeout after which a parked call expires; 0: never.
	Timeout time.Duration
}

// A Diagnostic is one finding about a project, with its place and its mend.
type Diagnostic struct {
	// Rule is a stable id such as "tool/missing-description".
	Rule string `json:"rule"`
	// Severity is "error" or "warning".
	Severity string `json:"severity"`
	// File is relative to the project's folder, with slashes.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	// Fix says what to do about it.
	Fix string `json:"fix,omitempty"`
}

// Severities of a Diagnostic.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// Tool gives the tool of a name, nil when there is none.
func (a *Agent) Tool(name string) *Tool {
	for _, t := range a.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Session is what a tool may know of the session that it runs for.
type Session struct {
	ID        string           `json:"id"`
	ChannelID string           `json:"channelId"`
	Mode      string           `json:"mode"`
	Purpose   string           `json:"purpose"`
	DryRun    bool             `json:"dryRun"`
	Title     string           `json:"title,omitempty"`
	Auth      events.Principal `json:"auth"`
}

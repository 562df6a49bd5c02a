package agent

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
)

// Values of Tool.Execution and Tool.Effect.
const (
	ExecutionServer = "server"
	ExecutionAgent  = "agent"

	EffectRead    = "read"
	EffectWrite   = "write"
	EffectDynamic = "dynamic" // asked for each call
)

// Values of Tool.NeedsApproval.
const (
	ApprovalNever   = "false"
	ApprovalAlways  = "true"
	ApprovalDynamic = "dynamic" // asked for each call
)

// DefaultTimeout is a tool's time limit where it sets none.
const DefaultTimeout = 120 * time.Second

// A Tool is something the model, or a person, may call. Make one with NewTool,
// or fill it as a loader does. Its functions may be called from any goroutine,
// several at once.
type Tool struct {
	// Name matches [A-Za-z][A-Za-z0-9_-]{0,63} and has no "__", but for <ns>__<name> of an extension.
	Name        string
	Title       string
	Description string
	// Source is "project", "extension:<ns>" or "mcp:<connection>"; the host's own tools
	// have one of theirs.
	Source string
	// Execution is ExecutionServer or ExecutionAgent.
	Execution string
	// Effect is EffectRead, EffectWrite or EffectDynamic.
	Effect string
	// NeedsApproval is ApprovalNever, ApprovalAlways or ApprovalDynamic.
	NeedsApproval string
	// Idempotent marks a write that may run again after a crash.
	Idempotent bool
	// Contained marks a tool of the host's own whose writes stay in the session's
	// workspace: it runs in a dry run, too. On other tools it says nothing.
	Contained bool
	// TimeArguments are the input fields that hold instants; dots reach inside.
	TimeArguments []string
	// InputSchema and OutputSchema are JSON Schema objects; OutputSchema may be nil.
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	// Timeout bounds one call. Defaults to DefaultTimeout.
	Timeout time.Duration

	// Prepare parses the arguments and finds what holds for this call. Arguments
	// that do not fit give an *InputError and the tool does not run. It must have
	// no effect outside.
	Prepare func(ctx context.Context, c *Call) (Prepared, error)
	// Execute runs the tool; an error becomes the error result with its message.
	// Call.Args is what Prepare saw; Execute parses it again.
	Execute func(ctx context.Context, c *Call) (Result, error)
	// DryRun answers for a write in a dry-run session; nil means {"stubbed":true}.
	DryRun func(ctx context.Context, c *Call) (json.RawMessage, error)
}

// Prepared is what holds for one call.
type Prepared struct {
	// Input is the parsed input as JSON, for the check of TimeArguments.
	Input json.RawMessage
	// Effect is EffectRead or EffectWrite.
	Effect        string
	NeedsApproval bool
}

// A Result is what a tool gave.
type Result struct {
	// Output is the JSON as the tool returned it; when IsError, a JSON string with the message.
	Output  json.RawMessage
	IsError bool
	// Code is empty, or one of the codes of a failed action.result (events.Code…).
	Code string
	// Facts are recorded with the result, before it: for the host's own tools, such
	// as skill.loaded.
	Facts []events.Payload
}

// A Call is one call of a tool, or of another function of the author's, with
// everything that it may use. ID, Tool and Args are empty where no tool is called.
type Call struct {
	// ID is "call_…" or, for a direct call, "tool_<name>_…".
	ID   string
	Tool string
	// ParentCallID is the call of the subagent that this one is part of.
	ParentCallID string
	// TurnID is empty for a direct call.
	TurnID string
	// Args is a JSON object: what the caller sent.
	Args    json.RawMessage
	Session Session
	// Agent is the agent's display name.
	Agent string
	// Channel is the session's channel.
	Channel ChannelRef
	// Now gives the session's asOf instant where it has one, else the time.
	Now func() time.Time
	// Workspace gives the absolute path of the session's folder, made on first need.
	Workspace func() (string, error)
	// UserFolder says that it is a folder of the user's, in which nothing was laid down.
	UserFolder bool
	// RunScript runs a program in the workspace as a script of the harness, for a tool
	// whose Execution is ExecutionAgent: input is what it reads, the result the last
	// line that it writes, as JSON; an exit code other than 0 makes an error result of
	// the end of what it wrote to standard error. Nil outside of a turn.
	RunScript func(ctx context.Context, argv []string, input []byte) (Result, error)
	// KV and Files are the agent's durable storage.
	KV    KV
	Files Files
	// Artifacts are those of the session, or of the agent outside of one.
	Artifacts Artifacts
	// Telemetry is attributed to the session.
	Telemetry Telemetry
	// History reads the session's own log from an index to its end; nil where there
	// is no session.
	History func(from uint64) iter.Seq2[*events.Event, error]
	// MCP reaches the connections of the agent, Reminders those of the session, GitHub
	// and Slack the platforms' APIs. Each is nil where it is not bound.
	MCP       MCP
	Reminders Reminders
	GitHub    Platform
	Slack     Platform
	// Sessions opens and finds conversations, for handlers of a channel's routes; nil elsewhere.
	Sessions Sessions
	// Receive takes in what came another way than over HTTP, for a channel's OnStart; nil
	// elsewhere.
	Receive Receiver
	// Conversation is the one that a channel's event handler delivers for; nil elsewhere.
	Conversation Conversation
	// Request is what a route's handler answers, or what a policy judges; nil elsewhere.
	Request *Request
	// Firing is the firing that a schedule's Run is called for; nil elsewhere.
	Firing *Firing
	// DeliveryID is stable over retries of one delivery to a channel's handler; empty elsewhere.
	DeliveryID string
	// WaitUntil runs work that goes on after the answer; the host waits for it when it
	// stops, and the session is not put to sleep meanwhile. Nil where nothing may outlive
	// the call. The work's ctx ends with the host.
	WaitUntil func(work func(ctx context.Context))
	// StateRoot is the absolute path of the host's state root.
	StateRoot string
	Log       zerolog.Logger
}

// A ChannelRef is what a tool may know of the session's channel.
type ChannelRef struct {
	ID string `json:"id"`
	// ContinuationToken names the conversation: the channel's own, or else the newest
	// one of the HTTP routes; empty where no follow-up is taken.
	ContinuationToken string `json:"continuationToken,omitempty"`
}

// An Issue is one fault of an input: where and what.
type Issue struct {
	// Path is dotted with array places in brackets, such as "items[0].name"; empty for the whole.
	Path    string `json:"path"`
	Message string `json:"message"`
}

// An InputError says that arguments do not fit a tool's schema.
type InputError struct{ Issues []Issue }

// Error lists the issues in one line.
func (e *InputError) Error() string { return "invalid input: " + joinIssues(e.Issues) }

func joinIssues(issues []Issue) string {
	parts := make([]string, len(issues))
	for i, is := range issues {
		parts[i] = is.Message
		if is.Path != "" {
			parts[i] = is.Path + ": " + is.Message
		}
	}
	return strings.Join(parts, "; ")
}

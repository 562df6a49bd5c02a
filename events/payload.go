package events

import "encoding/json"

// A Principal says who acts: compared field by field, never joined into a text.
type Principal struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Issuer string `json:"issuer,omitempty"`
	Tenant string `json:"tenant,omitempty"`
}

// Modes, purposes and senders.
const (
	ModeChat = "chat" // waits for more messages
	ModeTask = "task" // ends by itself

	PurposeLive = "live"
	PurposeEval = "eval"

	FromUser     = "user"
	FromChannel  = "channel"
	FromSchedule = "schedule"
	FromReminder = "reminder"
	FromPeer     = "peer"
)

// Reasons for which a model step ended.
const (
	FinishStop          = "stop"
	FinishToolCalls     = "tool-calls"
	FinishLength        = "length"
	FinishContentFilter = "content-filter"
)

// Decisions of an input.resolved.
const (
	DecisionApprove   = "approve"
	DecisionDeny      = "deny"
	DecisionCancelled = "cancelled"
	DecisionExpired   = "expired"
)

// Outcomes of an authorization.completed. Cancelled is also that of a link which ended
// with the host that gave it; denied that of one which a person, or the server, refused.
const (
	OutcomeGranted   = "granted"
	OutcomeDenied    = "denied"
	OutcomeCancelled = "cancelled"
	OutcomeExpired   = "expired"
)

// Codes of a failed action.result.
const (
	CodeInvalidInput   = "invalid_input"
	CodeUnknownTool    = "unknown_tool"
	CodeToolError      = "tool_error"
	CodeTimeout        = "timeout"
	CodeDenied         = "denied"
	CodeExpired        = "expired"
	CodeCancelled      = "cancelled"
	CodeOutcomeUnknown = "outcome_unknown"
	CodeInvalidOutput  = "invalid_output"
	CodeAsOf           = "as_of"
)

// Statuses and codes of a turn.failed.
const (
	StatusError     = "error"
	StatusCancelled = "cancelled"

	FailModel           = "model_error"
	FailContentFilter   = "content_filter"
	FailContextOverflow = "context_overflow"
	FailMaxSteps        = "max_steps"
	FailBudget          = "budget_exceeded"
	FailResult          = "result_rejected"
	FailTimeout         = "timeout"
	FailRepeated        = "repeated_failure"
	FailMaxOutput       = "max_output"
	FailResumeLimit     = "resume_limit"
	FailInstructions    = "instructions_error"
	FailInternal        = "internal"

	// Codes of a cancelled turn: by a message, or by a stop.
	FailInterrupted = "interrupted"
	FailStopped     = "stopped"
	// FailForked ends a turn that waited where a session was forked: it stays with the
	// other one.
	FailForked = "forked"
)

// Effects of a tool call.
const (
	EffectRead  = "read"
	EffectWrite = "write"
)

// A Usage counts tokens in one way for every provider. InputTokens are those
// charged at the full input rate and never include cached ones; OutputTokens
// include reasoning.
type Usage struct {
	InputTokens      int64 `json:"inputTokens"`
	CacheReadTokens  int64 `json:"cacheReadTokens"`
	CacheWriteTokens int64 `json:"cacheWriteTokens"`
	OutputTokens     int64 `json:"outputTokens"`
	ReasoningTokens  int64 `json:"reasoningTokens,omitempty"`
}

// Add sums v into u.
func (u *Usage) Add(v Usage) {
	u.InputTokens += v.InputTokens
	u.CacheReadTokens += v.CacheReadTokens
	u.CacheWriteTokens += v.CacheWriteTokens
	u.OutputTokens += v.OutputTokens
	u.ReasoningTokens += v.ReasoningTokens
}

// Total is every token that was paid for.
func (u Usage) Total() int64 {
	return u.InputTokens + u.CacheReadTokens + u.CacheWriteTokens + u.OutputTokens
}

// A Cost is money in US dollars; it is absent where a price is unknown, never 0 for that reason.
type Cost struct {
	TotalUSD float64 `json:"totalUsd"`
	Model    string  `json:"model"`
}

// An Idempotency is the caller's Idempotency-Key as it was checked: Scope is the
// SHA-256 of principal, method and route with its ids, BodyHash that of the raw body, both in hex.
type Idempotency struct {
	Key      string `json:"key"`
	Scope    string `json:"scope"`
	BodyHash string `json:"bodyHash"`
}

// A Provider holds what a model provider wants back unchanged: its own blocks,
// in order, given to that provider and model only.
type Provider struct {
	Name   string            `json:"name"`
	Model  string            `json:"model"`
	Blocks []json.RawMessage `json:"blocks"`
}

// A Call is one tool call that a step, or a person, asked for.
type Call struct {
	CallID   string `json:"callId"`
	ToolName string `json:"toolName"`
	// Args is the JSON object as it was sent; absent when it was not an object.
	Args         json.RawMessage `json:"args,omitempty"`
	ParentCallID string          `json:"parentCallId,omitempty"`
	// Effect is what held for this call; empty where the call failed before it was known.
	Effect     string `json:"effect,omitempty"`
	Idempotent bool   `json:"idempotent,omitempty"`
}

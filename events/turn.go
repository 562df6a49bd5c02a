package events

import (
	"encoding/json"
	"time"
)

// RawJSON is JSON kept as bytes: numbers keep their digits.
type RawJSON = json.RawMessage

// TurnStarted begins the work on a message.
type TurnStarted struct {
	Model string `json:"model"`
}

// StepStarted begins one model step; a later attempt voids the deltas of the one before.
// Repair is why the reply before it was rejected, where that is what it mends.
type StepStarted struct {
	Step         int    `json:"step"`
	Attempt      int    `json:"attempt"`
	Model        string `json:"model,omitempty"`
	Repair       string `json:"repair,omitempty"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// ReasoningAppended is a piece of reasoning as it came.
type ReasoningAppended struct {
	Text         string `json:"text"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// ReasoningCompleted is the whole of it.
type ReasoningCompleted struct {
	Text         string `json:"text"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// MessageAppended is a piece of the reply as it came: the delta alone.
type MessageAppended struct {
	Text         string `json:"text"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// MessageCompleted is the whole text of a step, exactly once per step; it may be empty.
type MessageCompleted struct {
	Text         string `json:"text"`
	FinishReason string `json:"finishReason"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// StepCompleted ends a model step; it is never called again.
type StepCompleted struct {
	Step         int       `json:"step"`
	Attempt      int       `json:"attempt"`
	FinishReason string    `json:"finishReason"`
	Usage        *Usage    `json:"usage,omitempty"`
	Provider     *Provider `json:"provider,omitempty"`
	ParentCallID string    `json:"parentCallId,omitempty"`
}

// ActionsRequested lists the tool calls of a step, or one direct call.
type ActionsRequested struct {
	Calls        []Call       `json:"calls"`
	Idempotency  *Idempotency `json:"idempotency,omitempty"`
	ParentCallID string       `json:"parentCallId,omitempty"`
}

// InputRequested parks a call until a person decides.
type InputRequested struct {
	RequestID    string     `json:"requestId"`
	Kind         string     `json:"kind"`
	CallID       string     `json:"callId"`
	ToolName     string     `json:"toolName"`
	Args         RawJSON    `json:"args,omitempty"`
	ExpiresAt    *time.Time `json:"expiresAt,omitempty"`
	ParentCallID string     `json:"parentCallId,omitempty"`
}

// KindApproval is the kind of an InputRequested that asks for approval.
const KindApproval = "approval"

// InputResolved is the decision.
type InputResolved struct {
	RequestID    string       `json:"requestId"`
	CallID       string       `json:"callId"`
	Decision     string       `json:"decision"`
	By           *Principal   `json:"by,omitempty"`
	Reason       string       `json:"reason,omitempty"`
	Idempotency  *Idempotency `json:"idempotency,omitempty"`
	ParentCallID string       `json:"parentCallId,omitempty"`
}

// ActionResult answers a call, exactly once. On failure Output is the message as a JSON string.
type ActionResult struct {
	CallID       string  `json:"callId"`
	ToolName     string  `json:"toolName"`
	Output       RawJSON `json:"output,omitempty"`
	IsError      bool    `json:"isError"`
	Code         string  `json:"code,omitempty"`
	Stubbed      bool    `json:"stubbed,omitempty"`
	ParentCallID string  `json:"parentCallId,omitempty"`
}

// SubagentCalled opens a subagent's work inside its parent's log.
type SubagentCalled struct {
	CallID       string `json:"callId"`
	Name         string `json:"name"`
	Task         string `json:"task"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// SubagentCompleted ends it.
type SubagentCompleted struct {
	CallID  string  `json:"callId"`
	Name    string  `json:"name"`
	Output  RawJSON `json:"output,omitempty"`
	IsError bool    `json:"isError"`
	// Code is why it did not finish, one of those of a TurnFailed; empty where it did, was
	// cancelled, or was recorded before there were codes.
	Code         string `json:"code,omitempty"`
	Usage        *Usage `json:"usage,omitempty"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// SkillLoaded says that the model opened a skill.
type SkillLoaded struct {
	Name         string `json:"name"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// An Artifact is the record of something that a session, or its agent, made.
type Artifact struct {
	ID          string    `json:"id"`
	Kind        string    `json:"kind"`
	Key         string    `json:"key"`
	Title       string    `json:"title"`
	Data        RawJSON   `json:"data,omitempty"`
	SessionID   string    `json:"sessionId"`
	TurnID      string    `json:"turnId,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	Size        *int64    `json:"size,omitempty"`
	ContentType string    `json:"contentType,omitempty"`
	FileName    string    `json:"fileName,omitempty"`
	SHA256      string    `json:"sha256,omitempty"`
	HasContent  bool      `json:"hasContent"`
}

// ArtifactTagged records an artifact. It drops the owner's oldest-updated ones
// beyond Max; 0 stands for DefaultMaxArtifacts.
type ArtifactTagged struct {
	Artifact     Artifact `json:"artifact"`
	Max          int      `json:"max,omitempty"`
	ParentCallID string   `json:"parentCallId,omitempty"`
}

// AuthorizationRequested asks a person to grant a connection.
type AuthorizationRequested struct {
	Connection   string     `json:"connection"`
	CallID       string     `json:"callId,omitempty"`
	URL          string     `json:"url,omitempty"`
	ExpiresAt    *time.Time `json:"expiresAt,omitempty"`
	ParentCallID string     `json:"parentCallId,omitempty"`
}

// AuthorizationCompleted says how that ended.
type AuthorizationCompleted struct {
	Connection   string `json:"connection"`
	Outcome      string `json:"outcome"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// ContextCompacted replaces the messages of the model's context up to an index by
// a summary; the message of the turn that runs stays. The tokens are estimates of
// all messages of the context. Model is what wrote the summary, where that is not
// the turn's model and where there is no turn.
type ContextCompacted struct {
	Summary      string `json:"summary"`
	ThroughIndex uint64 `json:"throughIndex"`
	TokensBefore int64  `json:"tokensBefore"`
	TokensAfter  int64  `json:"tokensAfter"`
	Usage        *Usage `json:"usage,omitempty"`
	Model        string `json:"model,omitempty"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// TurnResumed says that a host took an interrupted turn up again; Attempt counts that from 1.
type TurnResumed struct {
	Reason  string `json:"reason"`
	Attempt int    `json:"attempt"`
}

// ReasonHostRestart is the reason of a TurnResumed.
const ReasonHostRestart = "host-restart"

// TurnCompleted ends a turn that reached its reply.
type TurnCompleted struct {
	Result RawJSON `json:"result,omitempty"`
	Usage  *Usage  `json:"usage,omitempty"`
	Cost   *Cost   `json:"cost,omitempty"`
}

// TurnFailed ends one that did not.
type TurnFailed struct {
	Message string `json:"message"`
	Status  string `json:"status,omitempty"`
	Code    string `json:"code,omitempty"`
	Usage   *Usage `json:"usage,omitempty"`
	Cost    *Cost  `json:"cost,omitempty"`
}

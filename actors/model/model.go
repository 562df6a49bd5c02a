// Package model is the port to language models: what a step asks, what comes
// back, how that fails, and what it costs. Providers live beneath it, package
// providers finds one by its id, and modeltest proves one.
package model

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gobdk/bdk/events"
)

// A Model runs one step of a conversation. It is safe for concurrent use.
type Model interface {
	// Stream asks for one step and returns it whole. Before it returns it hands
	// every piece of text and reasoning to emit, in order, on the caller's
	// goroutine or one at a time on others. Deltas joined give Text and Reasoning.
	//
	// It retries what may be retried as long as nothing was emitted. Every error is
	// an *Error; one after output has Broken set, and the caller decides. A stream
	// that ends without its end is an error, never a finished step. Stream returns
	// soon after ctx ends; then the error wraps that of ctx.
	Stream(ctx context.Context, r *Request, emit func(Delta)) (*Response, error)
}

// A Request is one step.
type Request struct {
	// Model is the name that the provider knows, without its prefix.
	Model  string
	Params map[string]any
	// MaxOutputTokens is 0 for the provider's own limit.
	MaxOutputTokens int
	System          string
	Messages        []Message
	Tools           []Tool
	// Purpose is empty for a step of a turn, or PurposeSummary or PurposeJudge.
	Purpose string
	// SessionID, TurnID, Step and Attempt identify the step, for telemetry.
	SessionID string
	TurnID    string
	// ParentCallID is the call that a subagent's step works for; empty for the turn's own.
	ParentCallID string
	Step         int
	Attempt      int
}

// PurposeSummary is the Purpose of a request for a summary of a conversation: its
// text is all that counts.
const PurposeSummary = "summary"

// PurposeJudge is the Purpose of a request that grades what an agent did: its text is
// all that counts, and it belongs to no turn.
const PurposeJudge = "judge"

// Roles of a Message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// A Message is one entry of the conversation. Each call of an assistant message
// is followed, before anything else, by one tool message, in the order of the calls.
type Message struct {
	Role string
	Text string
	// Calls of an assistant message.
	Calls []Call
	// Provider holds the provider's own blocks of an assistant message, to be
	// given back unchanged to the provider and model that it names, and to no other.
	Provider *events.Provider
	// CallID, ToolName, Output and IsError are of a tool message. Output is JSON;
	// of a failure, a JSON string.
	CallID   string
	ToolName string
	Output   json.RawMessage
	IsError  bool
}

// A Call is a tool call in the conversation; ID is the host's.
type Call struct {
	ID   string
	Name string
	// Args is a JSON object; "{}" where the model sent something that was none.
	Args json.RawMessage
}

// A Tool is what the model may call.
type Tool struct {
	Name        string
	Description string
	// Schema is a JSON Schema object.
	Schema json.RawMessage
}

// A Delta is a piece of output as it came.
type Delta struct {
	Text string
	// Reasoning marks Text as reasoning.
	Reasoning bool
}

// A Response is a finished step.
type Response struct {
	Text      string
	Reasoning string
	Calls     []RequestedCall
	// FinishReason is one of events.Finish…. A reply that a filter stopped is a
	// response with FinishContentFilter and the text so far, which may be empty;
	// with FinishLength the last call may be cut.
	FinishReason string
	// Usage is nil when the provider did not say.
	Usage    *events.Usage
	Provider *events.Provider
}

// A RequestedCall is what the model wants to call, unchecked.
type RequestedCall struct {
	Name string
	// Args is the text that the model sent; it may be empty, cut, or no JSON at all.
	Args string
}

// An Error is a step that failed.
type Error struct {
	// Message is one sentence for people, without secrets.
	Message string
	// Status is the HTTP status, 0 where there was none.
	Status int
	// Code is events.FailModel, or FailContextOverflow, or FailContentFilter for a
	// request that was refused by a filter.
	Code string
	// Broken says that output had been emitted before the stream broke: the step
	// may be started again as a new attempt.
	Broken bool
	// RetryAfter is what the provider asked for, 0 where it did not.
	RetryAfter time.Duration
	Err        error
}

// Error is the message.
func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (status %d)", e.Message, e.Status)
	}
	return e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// A Ref asks for a model.
type Ref struct {
	// ID is "provider/name", a bare name, or "scripted[:file]".
	ID string
	// ProjectDir is where the scripted model finds its file; may be empty.
	ProjectDir string
}

// A Resolved is a model that can be asked.
type Resolved struct {
	Model Model
	// Name is the full id for the log, such as "openai/gpt-5" or "scripted".
	Name string
	// Request is the name to put into Request.Model.
	Request string
	// Window is how many tokens the model's context holds; 0 where that is unknown.
	Window int
}

// A Resolver finds the model of a Ref. It is safe for concurrent use and cheap
// to ask again. A missing key is an *Error with Code model_error whose message
// names the variable and the offline way.
type Resolver interface {
	Resolve(ref Ref) (Resolved, error)
}

// Prices knows what tokens cost. Amounts are integers in units of 1e-12 US
// dollars, so that sums are exact and are rounded once.
type Prices interface {
	// Price gives ok=false for a model whose price is unknown.
	Price(modelName string, u events.Usage) (picoUSD int64, ok bool)
}

package eval

import (
	"encoding/json"
	"time"

	"github.com/gobdk/bdk/events"
)

// Verdicts of a case.
const (
	Passed  = "passed"
	Failed  = "failed"  // a gate was missed, or there is an error
	Scored  = "scored"  // a bar was missed, and no gate
	Skipped = "skipped" // the test said so
)

// Severities of an Assertion.
const (
	Gate    = "gate"    // a miss fails the case
	Soft    = "soft"    // a value is recorded
	AtLeast = "atLeast" // a miss makes the case scored
)

// An Assertion is one that a test made.
type Assertion struct {
	// Name is the call as it reads, such as calledTool("search").
	Name     string `json:"name"`
	Severity string `json:"severity"`
	// Threshold is the least score that passes.
	Threshold float64 `json:"threshold"`
	// Score is from 0 to 1: 1 for what holds, 0 for what does not.
	Score  float64 `json:"score"`
	Passed bool    `json:"passed"`
	// Message says what was found instead, or what a judge gave as its reason.
	Message string `json:"message,omitempty"`
	// Turn is the turn that it looked at, from 1; 0: the whole case.
	Turn int `json:"turn,omitempty"`
	// Judge is the model that graded; empty: none did.
	Judge string `json:"judge,omitempty"`
	// Place is where the test makes it: file:line:column, relative to the project.
	Place string `json:"place,omitempty"`
}

// A Record is what a test leaves: it is written by the program and read here.
type Record struct {
	Assertions []Assertion `json:"assertions"`
	Logs       []string    `json:"logs"`
	// Skip is the reason of t.skip; nil: it was not called.
	Skip  *string `json:"skip"`
	Error *Fault  `json:"error"`
	// HeldBy is what ran without awaiting when the case was brought to its end, so that no
	// test could go on: the id of a case, or a file; empty: nothing did.
	HeldBy string `json:"heldBy,omitempty"`
}

// Kinds of a Fault.
const (
	FaultTest    = "test"    // the test threw
	FaultJudge   = "judge"   // a judge could not grade
	FaultTurn    = "turn"    // a turn failed by a fault of what the agent stands on
	FaultTimeout = "timeout" // the case took too long
	FaultLoad    = "load"    // the file did not load
	FaultHost    = "host"    // the host or the runtime failed
	FaultStopped = "stopped" // the run was cancelled while the case ran
)

// A Fault is why a case failed that no assertion tells.
type Fault struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	// Place is file:line:column, relative to the project; empty where it is not known.
	Place string `json:"place,omitempty"`
	Stack string `json:"stack,omitempty"`
}

// A ToolCall is one that the agent asked for.
type ToolCall struct {
	CallID string          `json:"callId"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	// Output is null while there is none.
	Output json.RawMessage `json:"output"`
	// Status is completed, failed, pending or rejected.
	Status  string `json:"status"`
	Stubbed bool   `json:"stubbed,omitempty"`
	// ParentCallID is the subagent's call that it is part of.
	ParentCallID string `json:"parentCallId,omitempty"`
	Turn         int    `json:"turn"`
}

// Metrics of a case.
type Metrics struct {
	Spent
	Turns     int `json:"turns"`
	ToolCalls int `json:"toolCalls"`
}

// A Result says how a case came out.
type Result struct {
	ID string `json:"id"`
	// Order is the place among the results of the run, from 0.
	Order       int                        `json:"order"`
	File        string                     `json:"file"`
	Description string                     `json:"description,omitempty"`
	Verdict     string                     `json:"verdict"`
	Assertions  []Assertion                `json:"assertions"`
	SessionID   string                     `json:"sessionId,omitempty"`
	Iteration   int                        `json:"iteration"`
	Iterations  int                        `json:"iterations"`
	Inputs      []string                   `json:"inputs"`
	FinalText   string                     `json:"finalText"`
	Tools       []string                   `json:"tools"` // the names that were called, each once
	ToolCalls   []ToolCall                 `json:"toolCalls"`
	Metrics     Metrics                    `json:"metrics"`
	Logs        []string                   `json:"logs"`
	StartedAt   time.Time                  `json:"startedAt"`
	DurationMs  int64                      `json:"durationMs"`
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`
	Tags        []string                   `json:"tags"`
	Error       *Fault                     `json:"error,omitempty"`
	SkipReason  string                     `json:"skipReason,omitempty"`
}

// Statuses of a Run.
const (
	RunRunning   = "running"
	RunCompleted = "completed" // every case ended, however it came out
	RunFailed    = "failed"    // the run itself broke off, such as by the end of its process
	RunCancelled = "cancelled"
)

// A Run is one run of selected cases, as it stands.
type Run struct {
	// ID sorts by time: YYYYMMDD-HHMMSS and four letters, such as 20260131-120000-x7ab.
	ID     string `json:"runId"`
	Status string `json:"status"`
	// Agent is the slug, Model the model that all cases had instead of the agent's own.
	Agent      string     `json:"agent"`
	Model      string     `json:"model,omitempty"`
	StartedAt  time.Time  `json:"startedAt"`
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
	DurationMs int64      `json:"durationMs"`
	// By is who asked a host for it; nil: it was started on a command line.
	By *events.Principal `json:"by,omitempty"`
	// Idempotency is of the request that started it; nil: it had none.
	Idempotency *events.Idempotency `json:"idempotency,omitempty"`
	// FilterIDs and Tags are the selection; both empty: everything.
	FilterIDs []string `json:"filterIds"`
	Tags      []string `json:"tags"`
	Totals    Totals   `json:"totals"`
	// Running are the ids of the cases that are under way.
	Running []string `json:"running"`
	// Error says why the run itself failed, or that a reporter did.
	Error string `json:"error,omitempty"`
	// StateRoot is where the sessions of the run are; empty: they were not kept.
	StateRoot string `json:"stateRoot,omitempty"`
	// Results are those of the cases that have ended, in the order of the suite.
	Results []*Result `json:"results,omitempty"`

	// part says that Results and Totals are of some cases alone.
	part bool
}

// Totals count the cases of a run.
type Totals struct {
	Cases   int `json:"cases"`
	Done    int `json:"done"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Scored  int `json:"scored"`
	Skipped int `json:"skipped"`
	Spent
}

package eval

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A Driver is what the test of one case reaches: its session, and the judge. Its calls
// come one at a time but for Judge, which may be called from several goroutines.
type Driver interface {
	// Send runs one turn and returns when it has ended, or waits for an approval. Options
	// count for the first one alone; later ones with any are an error. On a session that
	// waits for an approval it is an error; what options ask for that cannot be is a
	// *MisuseError.
	Send(ctx context.Context, message string, o SendOptions) (*Turn, error)
	// Decide answers an approval that the last turn waits for, and returns when the turn
	// has ended or waits again. An empty call id is the only one that waits.
	Decide(ctx context.Context, callID string, approve bool, reason string) (*Turn, error)
	// Judge asks a model, by a configuration that is an object with "model" and settings
	// of it. Every error is one that fails the case.
	Judge(ctx context.Context, prompt string, config json.RawMessage) (*Judgement, error)
}

// A MisuseError says that a test asked for what cannot be, such as a stub of a tool that
// there is not: the fault is the test's, which can catch it.
type MisuseError struct{ Err error }

// Error is what it wraps.
func (e *MisuseError) Error() string { return e.Err.Error() }

// Unwrap gives it.
func (e *MisuseError) Unwrap() error { return e.Err }

// SendOptions shape the session of a case.
type SendOptions struct {
	// Files are put into the workspace.
	Files []agent.SeedFile
	// WorkspaceDir is an absolute folder that the session works in instead; empty: its own.
	WorkspaceDir string
	// Stubs answer in the place of the tools of these names.
	Stubs map[string]agent.Stub
}

// Statuses of a Turn.
const (
	TurnFinished  = "finished"
	TurnFailed    = "failed"
	TurnParked    = "parked" // it waits for an approval
	TurnCancelled = "cancelled"
)

// A Turn is how one message came out.
type Turn struct {
	SessionID string
	TurnID    string
	// Index counts from 1; a decision goes on with the same turn.
	Index  int
	Status string
	// Message is the assistant's newest reply; may be empty.
	Message string
	// Error and Code say why it failed or was cancelled.
	Error, Code string
	// Events are the NDJSON lines of the turn, without their ends; after a decision, the
	// whole turn again. From is the log's index of the first.
	Events []json.RawMessage
	From   uint64
	// Broken says that the turn failed by a fault of what the agent stands on (its
	// provider, the host), and not by what the agent did: the case fails whatever it asserts.
	Broken bool
}

// A Judgement is what a judge's model said.
type Judgement struct {
	Text  string
	Model string
	Usage events.Usage
	// CostUSD is nil where the model's price is not known.
	CostUSD *float64
}

// A Target is where sessions run.
type Target interface {
	// Open gives what one case drives. No session is opened before its first message.
	Open(o OpenOptions) Session
}

// OpenOptions of one case.
type OpenOptions struct {
	// Model replaces the agent's where it is not empty.
	Model string
	// Title of the session.
	Title string
}

// A Session is a Driver with an end.
type Session interface {
	Driver
	// Close stops what still runs in the session, and frees what the case held. It
	// returns when the session rests. A call that is under way ends with an error; Events
	// and Spent answer afterwards too.
	Close(ctx context.Context) error
	// Events are the NDJSON lines of the whole session up to now.
	Events() ([]json.RawMessage, error)
	// Spent is what the session's models and its judges used up to now.
	Spent() Spent
}

// Spent is what running used.
type Spent struct {
	Usage events.Usage `json:"usage"`
	// CostUSD is nil where the price of any model was not known.
	CostUSD *float64 `json:"costUsd"`
	// JudgeUsage and JudgeCostUSD are of the judges alone, and part of the others.
	JudgeUsage   events.Usage `json:"judgeUsage"`
	JudgeCostUSD *float64     `json:"judgeCostUsd"`
	// Steps counts requests of the agent's models, JudgeCalls those of judges.
	Steps      int `json:"steps"`
	JudgeCalls int `json:"judgeCalls"`
}

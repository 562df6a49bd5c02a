package session

import (
	"github.com/gobdk/bdk/events"
)

// An Input is something that happened: a command, or the outcome of an effect.
type Input interface{ input() }

// Commands: an error from Step means that nothing happened.
type (
	// Start opens the session; it is the first input of a new one.
	Start struct{ Started *events.SessionStarted }

	// Message is a message for the agent.
	Message struct {
		// TurnID is the id of the turn that the message opens.
		TurnID      string
		Text        string
		From        string
		DeliveryID  string
		Askers      []string
		Idempotency *events.Idempotency
		// FollowUp is the n of the HTTP token that came with it; nil: none is needed.
		FollowUp *int
		// Interrupt ends the open turn first. Coalesce joins the newest turn that waits,
		// whose id the message then has. Reject is refused where a turn is open.
		Interrupt, Coalesce, Reject bool
		// Place says that a started turn would have a place to run.
		Place bool
		// NotStarted are calls that were handed out and have not begun.
		NotStarted []string
	}

	// Stop ends the open turn.
	Stop struct {
		// NotStarted are calls that were handed out and have not begun.
		NotStarted []string
	}

	// Decide resolves a parked call.
	Decide struct {
		CallID      string
		Decision    string
		By          *events.Principal
		Reason      string
		Idempotency *events.Idempotency
	}

	// Rename changes the title.
	Rename struct{ Title string }

	// UpdateChannel keeps what the session's channel says of the conversation: its
	// state, where that is not nil, and its name, where that is not empty.
	UpdateChannel struct {
		State events.RawJSON
		Token string
	}

	// CompactNow sums up the context of an idle session. A message that comes
	// meanwhile goes first and ends it.
	CompactNow struct{}

	// DirectCall is a tool call by a person.
	DirectCall struct {
		Call events.Call
		// Code and Message say why the call cannot run; Code is empty when it can.
		Code, Message string
		// FollowUp is the n of the HTTP token that named the session; nil: none did.
		FollowUp    *int
		Idempotency *events.Idempotency
	}
)

// Outcomes: those that come too late, or twice, change nothing.
type (
	// Place says that the first waiting turn may run.
	Place struct{ TurnID string }

	// Deltas are pieces of output of a step that runs.
	Deltas struct {
		TurnID        string
		ParentCallID  string // of a subagent's step
		Step, Attempt int
		Pieces        []Piece
	}

	// StepDone is a finished model step with its calls prepared.
	StepDone struct {
		TurnID        string
		ParentCallID  string // of a subagent's step
		Step, Attempt int
		// Pieces are the last deltas, not yet given by Deltas.
		Pieces       []Piece
		Text         string
		Reasoning    string
		FinishReason string
		Usage        *events.Usage
		Provider     *events.Provider
		Calls        []Prepared
		// Base is how many tokens instructions and tools took of the request, by
		// estimate; 0: unknown.
		Base int64
	}

	// StepFailed is a model step that failed.
	StepFailed struct {
		TurnID        string
		ParentCallID  string // of a subagent's step
		Step, Attempt int
		Pieces        []Piece
		Message       string
		// Code is one of events.Fail….
		Code string
		// Broken says that the step may be started again.
		Broken bool
	}

	// ToolDone is the outcome of a call, of a turn or direct.
	ToolDone struct {
		CallID  string
		Output  events.RawJSON
		IsError bool
		Code    string
		Stubbed bool
		// Facts are recorded before the result; they change no state.
		Facts []events.Payload
	}

	// NeedGrant is the outcome of a call that did not begin: somebody must authorize its
	// connection first.
	NeedGrant struct {
		CallID string
		Link
	}

	// NeedApproval is the outcome of a call that did not begin: it was checked again, and
	// needs an approval.
	NeedApproval struct{ CallID, RequestID string }

	// Granted says how the wait for a connection ended: with one of events.Outcome….
	Granted struct{ Connection, Outcome string }

	// Delegate is the outcome of a task call that ran as a tool does: to whom it goes.
	Delegate struct {
		CallID string
		Delegation
	}

	// Resolved is the verdict on a turn's reply: Retry and Fail say why there is no
	// result, and are empty where there is one. Advice is for the model alone.
	Resolved struct {
		TurnID string
		Step   int
		Result events.RawJSON
		Retry  string
		Fail   string
		Advice string
	}

	// CompactDone ends a compaction.
	CompactDone struct {
		TurnID string
		N      int
		// Compacted is nil when the context stays as it is; Message says why.
		Compacted *events.ContextCompacted
		Message   string
	}

	// Expire says that the clock passed the deadline of parked calls.
	Expire struct{}

	// TurnTimeout says that a turn used up its time.
	TurnTimeout struct{ TurnID string }

	// Fail ends the started turn because of a fault of the host's own.
	Fail struct{ TurnID, Code, Message string }

	// Resume takes up what was left open; it is the first input after a fold. Fault
	// is what the host's own code broke on, when that is why: the open turn fails. Cancel
	// says why nothing is to go on: all open turns are cancelled.
	Resume struct{ Fault, Cancel string }
)

// A Piece is a delta; Reasoning marks it as reasoning.
type Piece struct {
	Text      string
	Reasoning bool
}

// A Prepared is a call that the model asked for, decided in all that comes before its run.
type Prepared struct {
	// Call has its id and, where it is known, its effect.
	Call events.Call
	// RequestID is the id of the approval request, if it comes to one.
	RequestID     string
	NeedsApproval bool
	// Link is where a person lets the call begin, before anything else is known of it;
	// nil: that is not needed.
	Link *Link
	// Delegation makes the call a subagent's; nil: a tool is run.
	Delegation *Delegation
	// Code and Message say why the call cannot run; Code is empty when it can.
	Code, Message string
}

func (*Start) input()         {}
func (*Message) input()       {}
func (*Stop) input()          {}
func (*Decide) input()        {}
func (*Rename) input()        {}
func (*UpdateChannel) input() {}
func (*CompactNow) input()    {}
func (*DirectCall) input()    {}
func (*Place) input()         {}
func (*Deltas) input()        {}
func (*StepDone) input()      {}
func (*StepFailed) input()    {}
func (*ToolDone) input()      {}
func (*NeedGrant) input()     {}
func (*NeedApproval) input()  {}
func (*Granted) input()       {}
func (*Delegate) input()      {}
func (*Resolved) input()      {}
func (*CompactDone) input()   {}
func (*Expire) input()        {}
func (*TurnTimeout) input()   {}
func (*Fail) input()          {}
func (*Resume) input()        {}

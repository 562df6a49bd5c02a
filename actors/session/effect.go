package session

import "github.com/gobdk/bdk/events"

// An Effect is something to do after the events before it are on disk.
type Effect interface{ effect() }

type (
	// CallModel runs one model step; its outcome is StepDone or StepFailed.
	CallModel struct {
		TurnID        string
		Step, Attempt int
		// ParentCallID is the task call whose subagent steps; empty for the turn's own
		// step. Subagent is its name, From the index where its context begins.
		ParentCallID string
		Subagent     string
		From         uint64
		// Broken is how often the step's stream broke so far: wait before trying again.
		Broken int
	}

	// Resolve judges the reply of the turn's newest step; its outcome is Resolved.
	Resolve struct {
		TurnID string
		Step   int
		// Repairs is how many replies of the turn were rejected before.
		Repairs int
	}

	// Compact sums up the context; its outcome is CompactDone.
	Compact struct {
		// TurnID is empty when no turn waits for it.
		TurnID string
		N      int
		// Tokens is the expected size of the messages.
		Tokens int64
		// Overflow says that the model refused the context: every way to make it
		// shorter is to be tried.
		Overflow bool
	}

	// EndCompact ends a compaction that no turn waits for, and tells those who do:
	// Busy that a message went before it, or else what was recorded; nil: nothing,
	// and Message says why.
	EndCompact struct {
		Busy      bool
		Compacted *events.ContextCompacted
		Message   string
	}

	// RunTool runs a call; its outcome is ToolDone, or NeedGrant.
	RunTool struct {
		// TurnID is empty for a direct call.
		TurnID string
		Call   events.Call
		// Stub answers for a write of a dry run.
		Stub bool
		// Connection is the one that the call waited for; empty for none. Check says that
		// what holds for the call is to be found again: where it needs an approval the
		// outcome is NeedApproval.
		Connection string
		Check      bool
	}

	// AwaitApproval waits for a decision, or a grant, or the call's deadline.
	AwaitApproval struct {
		TurnID string
		Call   Call
	}

	// CloseApproval ends that wait.
	CloseApproval struct{ CallID string }

	// AwaitPlace waits until the turn may run; its outcome is Place.
	AwaitPlace struct{ TurnID string }

	// EndSubagent lets go of what was kept for a subagent that ended; EndTurn does so
	// for those of its turn.
	EndSubagent struct{ CallID string }

	// EndTurn cancels what still runs of a turn and gives its place back.
	EndTurn struct{ TurnID string }
)

func (*CallModel) effect()     {}
func (*Resolve) effect()       {}
func (*Compact) effect()       {}
func (*EndCompact) effect()    {}
func (*RunTool) effect()       {}
func (*AwaitApproval) effect() {}
func (*CloseApproval) effect() {}
func (*AwaitPlace) effect()    {}
func (*EndSubagent) effect()   {}
func (*EndTurn) effect()       {}

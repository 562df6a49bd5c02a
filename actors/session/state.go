package session

import (
	"time"

	"github.com/gobdk/bdk/events"
)

// Statuses of a session, as lists show them.
const (
	StatusRunning   = "running"
	StatusParked    = "parked"
	StatusWaiting   = "waiting"
	StatusCompleted = "completed"
	StatusFailed    = "failed"
	StatusDeleted   = "deleted"
)

// A State is the fold of a log: what is needed to decide, not the transcript.
// It is also the snapshot, so its JSON is a durable format: add optional fields only.
type State struct {
	// Next is the index that the next event takes.
	// Invariant: Next == number of events applied.
	Next   uint64 `json:"next"`
	Mode   string `json:"mode,omitempty"`
	DryRun bool   `json:"dryRun,omitempty"`
	Title  string `json:"title,omitempty"`
	// Ended is empty, or StatusCompleted, StatusFailed, StatusDeleted.
	Ended string `json:"ended,omitempty"`
	// FollowUps is the number of messages by users after the first: the n of the HTTP token.
	FollowUps int `json:"followUps,omitempty"`
	// Turn is the started turn; nil when none runs or is parked.
	Turn *Turn `json:"turn,omitempty"`
	// Queue holds the turns that wait to start, first first.
	Queue []string `json:"queue,omitempty"`
	// Joined counts, for each turn of Queue, the messages that joined its first one.
	Joined map[string]int `json:"joined,omitempty"`
	// ChannelState and ContinuationToken are what the newest channel.updated said of
	// each; nil and empty where none did.
	ChannelState      events.RawJSON `json:"channelState,omitempty"`
	ContinuationToken string         `json:"continuationToken,omitempty"`
	// Direct holds the open calls that belong to no turn.
	Direct []Call `json:"direct,omitempty"`
	// Spent is the money of all turns in 1e-12 US dollars, Tokens their tokens.
	Spent  int64 `json:"spent,omitempty"`
	Tokens int64 `json:"tokens,omitempty"`
	// Cut is the index after the last interrupted turn's end: the message there is
	// the one that interrupted, and goes before those that wait.
	Cut uint64 `json:"cut,omitempty"`
	// Since is the index of the first message since nothing was open.
	Since uint64 `json:"since,omitempty"`
	// Context is how much a model step is told.
	Context Context `json:"context,omitzero"`
	// Copied is how many events at the beginning of a fork's log are another session's,
	// which are not counted again; 0: it is no fork.
	Copied uint64 `json:"copied,omitempty"`
	// Eval says that the session is an eval's, in which no reminder fires.
	Eval bool `json:"eval,omitempty"`
	// Reminders are those that are armed, in the order in which they were set.
	Reminders []Reminder `json:"reminders,omitempty"`
}

// A Turn is the work on one message.
type Turn struct {
	ID    string `json:"id"`
	Model string `json:"model"`
	// Work is the turn's own line; Subs are the subagents that it waits for, in the
	// order in which they began.
	Work
	Subs []*Sub `json:"subs,omitempty"`
	// Resumes counts turn.resumed; Stalled those in a row with no progress between.
	Resumes int `json:"resumes,omitempty"`
	Stalled int `json:"stalled,omitempty"`
	// Used is what all lines of work used.
	Used
	// Cost is in 1e-12 US dollars; CostUnknown when a price or usage is.
	Cost        int64 `json:"cost,omitempty"`
	CostUnknown bool  `json:"costUnknown,omitempty"`
	// Replied says that the newest step gave a reply, which a rule may judge; Repairs
	// counts the replies that were rejected.
	Replied bool `json:"replied,omitempty"`
	Repairs int  `json:"repairs,omitempty"`
	// Ran is for how many milliseconds the turn has run, up to its newest event;
	// Last is when that was, in Unix milliseconds.
	Ran  int64 `json:"ran,omitempty"`
	Last int64 `json:"last,omitempty"`
}

// Statuses of a Call.
const (
	CallRunning = "running"
	CallParked  = "parked"
	CallDone    = "done"
)

// A Call is one tool call and how far it is.
type Call struct {
	events.Call
	Status    string     `json:"status"`
	RequestID string     `json:"requestId,omitempty"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	// Decision is what resolved the call's approval; empty while it is open.
	Decision string `json:"decision,omitempty"`
	// Grant is what the call waits, or waited, for; nil: for none.
	Grant *Grant `json:"grant,omitempty"`
}

// Status tells how the session is to be listed.
func (s *State) Status() string {
	switch {
	case s.Ended != "":
		return s.Ended
	case s.Parked():
		return StatusParked
	case s.Turn != nil, len(s.Queue) > 0:
		return StatusRunning
	case s.Mode == events.ModeTask:
		return StatusRunning
	}
	return StatusWaiting
}

// Parked says whether an approval or an authorization is open and nothing else of the turn runs.
func (s *State) Parked() bool {
	if s.Turn == nil {
		return false
	}
	parked, runs := s.Turn.stands(&s.Turn.Work)
	return parked && !runs
}

// OpenTurn is the turn that runs, is parked or waits first for its place; empty when there is none.
func (s *State) OpenTurn() string {
	switch {
	case s.Turn != nil:
		return s.Turn.ID
	case len(s.Queue) > 0:
		return s.Queue[0]
	}
	return ""
}

// Open says whether a restart has something to take up.
func (s *State) Open() bool {
	return s.Turn != nil || len(s.Queue) > 0 || len(s.Direct) > 0
}

// Deadline is the earliest instant at which a parked call expires; ok is false when none does.
func (s *State) Deadline() (at time.Time, ok bool) {
	if s.Turn == nil {
		return at, false
	}
	for c := range s.Turn.calls() {
		if c.Status == CallParked && c.ExpiresAt != nil && (!ok || c.ExpiresAt.Before(at)) {
			at, ok = *c.ExpiresAt, true
		}
	}
	return at, ok
}

func (s *State) direct(id string) int {
	for i := range s.Direct {
		if s.Direct[i].CallID == id {
			return i
		}
	}
	return -1
}

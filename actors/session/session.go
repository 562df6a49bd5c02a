package session

import (
	"errors"
	"time"

	"github.com/gobdk/bdk/events"
)

// Refusals of commands.
var (
	ErrDeleted         = errors.New("session: deleted")
	ErrTask            = errors.New("session: a task takes no messages")
	ErrStaleToken      = errors.New("session: token is stale")
	ErrTooManyMessages = errors.New("session: too many messages are waiting")
	ErrUnknownCall     = errors.New("session: unknown call")
	ErrResolved        = errors.New("session: call was decided otherwise")
	ErrCallCancelled   = errors.New("session: call was cancelled")
	ErrCallExpired     = errors.New("session: approval expired")
	ErrBusy            = errors.New("session: a turn is open")
	ErrDecision        = errors.New("session: a decision is approve or deny")
)

// A Config is what an agent and its host allow.
type Config struct {
	// Model is the name of the model that a turn starts with.
	Model string
	// MaxSteps of one turn, and of each subagent in it. Defaults to 100.
	MaxSteps int
	// MaxQueue is how many turns may wait. Defaults to 100.
	MaxQueue int
	// MaxFailures is how often in a row the same call may fail. Defaults to 5.
	MaxFailures int
	// MaxTurnCost and MaxSessionCost are in 1e-12 US dollars; 0: no bound.
	MaxTurnCost, MaxSessionCost int64
	// MaxSessionTokens; 0: no bound.
	MaxSessionTokens int64
	// CompactAt is how many tokens a step may be told before its context is summed
	// up; 0: no bound.
	CompactAt int64
	// BaseTokens is what instructions and tools take of that, as far as it is known.
	BaseTokens int64
	// Judged says that replies become results by Resolve; MaxRepairs is how many may
	// be rejected before the turn fails.
	Judged     bool
	MaxRepairs int
	// ApprovalTimeout after which a parked call expires; 0: never.
	ApprovalTimeout time.Duration
	// NoApprover says that nobody can answer: what needs approval is denied at once.
	NoApprover bool
	// FreePlaces says that no turn ever waits for a place.
	FreePlaces bool
	// Contained names the tools whose writes stay in the session's workspace: a dry run
	// runs them.
	Contained []string
	// Stubbed names the tools that others answer for: what a call of them was about never
	// took effect.
	Stubbed []string
	// Price gives what usage costs; ok is false where it is unknown. Nil: always unknown.
	Price func(model string, u events.Usage) (cost int64, ok bool)
	// Renew gives the Config of a turn that is about to start; nil: this one is for all turns.
	Renew func() Config
}

func (c Config) withDefaults() Config {
	if c.MaxSteps <= 0 {
		c.MaxSteps = 100
	}
	if c.MaxQueue <= 0 {
		c.MaxQueue = 100
	}
	if c.MaxFailures <= 0 {
		c.MaxFailures = 5
	}
	return c
}

// A Session is the state of one conversation, folded from its events, and what
// its last steps decided. It is not safe for concurrent use; its actor's mailbox
// is its lock.
type Session struct {
	State
	cfg   Config
	now   time.Time
	ready Ready

	base        int64 // of the context: what is told besides messages
	compacting  *compaction
	compactions int
}

// New gives a session before its first event.
func New(cfg Config) *Session {
	return &Session{cfg: cfg.withDefaults(), base: cfg.BaseTokens}
}

// Restore gives a session from a snapshot; the events from st.Next on follow by Apply.
func Restore(cfg Config, st State) *Session {
	s := New(cfg)
	s.State = st
	return s
}

// A Ready is what steps have decided since the last one. Record Events first, all
// or nothing at index First; start Effects, in their order, only when that is on disk.
type Ready struct {
	First   uint64
	Events  []events.Event
	Effects []Effect
}

// HasReady says whether there is something to record or to do.
func (s *Session) HasReady() bool { return len(s.ready.Events) > 0 || len(s.ready.Effects) > 0 }

// Ready hands it out; it is the caller's from then on.
func (s *Session) Ready() Ready {
	r := s.ready
	s.ready = Ready{}
	return r
}

// record decides an event that belongs to the started turn, if there is one.
func (s *Session) record(p events.Payload) {
	turn := ""
	if s.Turn != nil {
		turn = s.Turn.ID
	}
	s.recordFor(turn, p)
}

// recordFor decides an event of the given turn; empty for none.
func (s *Session) recordFor(turn string, p events.Payload) {
	e := events.New(turn, s.now, p)
	e.Index = s.Next
	if len(s.ready.Events) == 0 {
		s.ready.First = e.Index
		s.ready.Events = make([]events.Event, 0, 6) // as many as a plain turn's appends have
	}
	s.ready.Events = append(s.ready.Events, e)
	s.Apply(&e)
}

func (s *Session) do(f Effect) { s.ready.Effects = append(s.ready.Effects, f) }

// Decided gives the events from an index on that still wait in Ready; they are shared.
func (s *Session) Decided(from uint64) []events.Event {
	if from < s.ready.First || len(s.ready.Events) == 0 {
		return s.ready.Events
	}
	return s.ready.Events[min(from-s.ready.First, uint64(len(s.ready.Events))):]
}

// Package record makes an eval of a session that was recorded: its messages are sent
// again, what the agent did is asserted, and the model's steps are replayed from a copy
// of the session's events. It reads and gives bytes alone.
package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/redact"
)

// Which tools answer with what they gave in the recording.
const (
	StubWrites = "writes" // those with an effect outside of the session
	StubAll    = "all"
	StubNone   = "none"
)

// Options of Session. Redactor is needed.
type Options struct {
	// Agent is the slug of the project that the eval is for.
	Agent string
	// Name is the id of the eval; empty: one that is made of the first message.
	Name string
	// Version sets recordings of one session apart; 0 and 1: there is but one.
	Version int
	// Stubs is one of the constants.
	Stubs    string
	Redactor *redact.Redactor
	// File gives the content of a file that the workspace began with, by its hash; nil,
	// or false: it is not to be had.
	File func(sha256 string) ([]byte, bool)
}

// Files are what is made of a session, to be written below the project's folder.
type Files struct {
	// Eval and Recording are paths with slashes, relative to the project's folder.
	Eval, Recording string
	// Source is of Eval, Events of Recording.
	Source, Events []byte
	// Notes say, a sentence each, what of the session is not in the eval.
	Notes []string
	// Turns and Calls count what is.
	Turns, Calls int
}

// ID is that of the eval.
func (f *Files) ID() string {
	return strings.TrimSuffix(strings.TrimPrefix(f.Eval, "evals/"), evalEnd)
}

// evalEnd is the end of an eval's file.
const evalEnd = ".eval.ts"

// A Refusal says in a sentence why a session cannot be recorded.
type Refusal string

// Error is the sentence.
func (r Refusal) Error() string { return string(r) }

func refuse(format string, a ...any) error { return Refusal(fmt.Sprintf(format, a...)) }

// Session makes the eval of a session from the lines of its log. The error is a Refusal
// where such a session cannot be recorded.
func Session(lines [][]byte, o *Options) (*Files, error) {
	s, err := read(lines)
	if err != nil {
		return nil, err
	}
	if err := s.check(o); err != nil {
		return nil, err
	}
	s.stub(o.Stubs)
	version := ""
	if o.Version > 1 {
		version = fmt.Sprintf("-%d", o.Version)
	}
	f := &Files{Recording: "evals/recordings/" + s.id + version + ".ndjson", Turns: len(s.turns), Notes: s.notes}
	for _, u := range s.turns {
		f.Calls += len(u.calls)
	}
	name := o.Name
	if name == "" {
		name = s.name(o)
	}
	f.Eval = "evals/" + name + evalEnd
	if f.Events, err = s.events(lines, o.Redactor); err != nil {
		return nil, err
	}
	w := &writer{session: s, o: o, recording: f.Recording}
	f.Source = w.file(name)
	f.Notes = append(f.Notes, w.notes...)
	return f, nil
}

// check says why a session cannot be recorded, and takes out the turns that cannot.
func (s *session) check(o *Options) error {
	switch {
	case s.start == nil:
		return refuse("this is not the log of a session")
	case s.deleted:
		return refuse("session %s was deleted", s.id)
	case s.start.Agent != o.Agent:
		return refuse("session %s is of the agent %s, and this project is %s: name the project of that agent with --dir", s.id, s.start.Agent, o.Agent)
	case len(s.turns) == 0:
		return refuse("session %s has no turn", s.id)
	}
	if last := s.turns[len(s.turns)-1]; !last.ended() && !last.parked() {
		return refuse("session %s is running: wait for the end of its turn, or end it with bdk sessions stop %s", s.id, s.id)
	}
	var kept []*turn
	for _, u := range s.turns {
		if why := u.unrepeatable(); why != "" {
			s.note("The turn of %s %s, which no replay can repeat: it is left out.", brief(o.Redactor.Text(u.text())), why)
			continue
		}
		kept = append(kept, u)
	}
	if s.turns = kept; len(kept) == 0 {
		return refuse("session %s has no turn that can be repeated: each was cancelled, or failed by its provider, its time or its budget", s.id)
	}
	return nil
}

func (s *session) note(format string, a ...any) { s.notes = append(s.notes, fmt.Sprintf(format, a...)) }

// unrepeatable says how a turn ended that does not end so again; empty: it does.
func (u *turn) unrepeatable() string {
	switch f := u.failed; {
	case f == nil && u.lostSub():
		return "had a subagent that failed with " + events.FailModel
	case f == nil:
		return ""
	case f.Status == events.StatusCancelled:
		return "was cancelled"
	case repeatable[f.Code]:
		return ""
	default:
		return "failed with " + f.Code
	}
}

// lostSub says whether the provider failed a subagent: a case where that comes again fails.
func (u *turn) lostSub() bool {
	return slices.ContainsFunc(u.subs, func(s *sub) bool { return s.done != nil && s.done.Code == events.FailModel })
}

// repeatable are the codes with which a turn fails again on the same steps.
var repeatable = map[string]bool{
	events.FailContentFilter: true, events.FailContextOverflow: true, events.FailMaxSteps: true,
	events.FailMaxOutput: true, events.FailRepeated: true,
}

// errCorrupt is for lines that are no events.
var errCorrupt = errors.New("the log of the session cannot be read")

// AgentOf is the slug of the agent that a session is of; empty where its log does not say.
func AgentOf(lines [][]byte) string {
	if len(lines) == 0 {
		return ""
	}
	e, err := events.Decode(lines[0])
	if err != nil {
		return ""
	}
	if d, ok := e.Data.(*events.SessionStarted); ok {
		return d.Agent
	}
	return ""
}

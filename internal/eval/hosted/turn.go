package hosted

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/eval"
)

// A reading is what the log says of one turn.
type reading struct {
	turn  string
	lines []json.RawMessage
	// from is the index of the first line, next that of the first one behind the turn.
	from, next uint64
	reply      string
	failed     *events.TurnFailed
	// lost is the first subagent that broke off by what it stands on.
	lost *events.SubagentCompleted
	// open are the calls that wait for an approval, in the order of the log.
	open []waits
}

// A waits is a call that waits for an approval.
type waits struct{ callID, tool string }

// String names the call.
func (w waits) String() string { return w.tool + " (" + w.callID + ")" }

// parked says whether the turn waits for an approval; false for nil.
func (r *reading) parked() bool { return r != nil && len(r.open) > 0 }

// lines gives a log from an index on.
func (t *Target) lines(id string, from uint64) ([]journal.Line, error) {
	j := t.host.Journal()
	head, err := j.Head(id)
	if err != nil {
		return nil, fmt.Errorf("reading the session's log: %w", err)
	}
	lines, err := j.Read(id, from, head)
	if err != nil {
		return nil, fmt.Errorf("reading the session's log: %w", err)
	}
	return lines, nil
}

// read reads a turn from the log: what the turn recorded, and what was recorded of the
// session itself in the meantime, from an index on. Other turns, which hooks may have
// queued, are left out, with what was decided together with them.
func (t *Target) read(id, turn string, from uint64) (*reading, error) {
	lines, err := t.lines(id, from)
	if err != nil {
		return nil, err
	}
	r := &reading{turn: turn, from: from, next: from}
	var together []*events.Event // decided at once, as session.waiting is with the end of a turn
	for i, l := range lines {
		e, err := events.Decode(l.Data)
		if err != nil {
			return nil, fmt.Errorf("reading the session's log: %w", err)
		}
		r.next = e.Index + 1
		if together = append(together, e); !l.Last && i+1 < len(lines) {
			continue
		}
		if r.take(together, lines[i+1-len(together):]) {
			break
		}
		together = together[:0]
	}
	return r, nil
}

// take keeps what belongs to the turn of events that were decided together, and says
// whether the turn ended with them.
func (r *reading) take(together []*events.Event, lines []journal.Line) (ended bool) {
	mine := func(e *events.Event) bool { return e.TurnID == r.turn }
	others := !slices.ContainsFunc(together, mine) && slices.ContainsFunc(together, func(e *events.Event) bool { return e.TurnID != "" })
	for i, e := range together {
		if mine(e) || e.TurnID == "" && !others {
			r.keep(e, lines[i].Data)
		}
		ended = ended || mine(e) && ends(e)
	}
	return ended
}

func ends(e *events.Event) bool { return e.Type == "turn.completed" || e.Type == "turn.failed" }

// raw is a line as a message; the journal's lines have no ends.
func raw(line []byte) json.RawMessage { return line }

func (r *reading) keep(e *events.Event, line []byte) {
	if len(r.lines) == 0 {
		r.from = e.Index
	}
	r.lines = append(r.lines, raw(line))
	switch d := e.Data.(type) {
	case *events.MessageCompleted:
		if d.ParentCallID == "" {
			r.reply = d.Text
		}
	case *events.TurnFailed:
		r.failed = d
	case *events.SubagentCompleted:
		if r.lost == nil && d.Code != "" && broken(d.Code) {
			r.lost = d
		}
	case *events.InputRequested:
		r.open = append(r.open, waits{d.CallID, d.ToolName})
	case *events.InputResolved:
		for i := range r.open {
			if r.open[i].callID == d.CallID {
				r.open = append(r.open[:i:i], r.open[i+1:]...)
				break
			}
		}
	}
}

// result fills in what was read.
func (r *reading) result(t *eval.Turn) *eval.Turn {
	t.Message, t.Events, t.From = r.reply, r.lines, r.from
	if r.failed != nil {
		t.Error, t.Code = r.failed.Message, r.failed.Code
		t.Broken = broken(t.Code)
	}
	if r.lost != nil && !t.Broken { // the agent may go on without it, and what it would have done is not there
		t.Broken, t.Code, t.Error = true, r.lost.Code, fmt.Sprintf("the subagent %s: %s", r.lost.Name, plain(r.lost.Output))
	}
	return t
}

// plain is an output as text: a JSON string as what it says.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// broken says whether a turn, or a subagent in it, that failed with a code was not the agent's to lose, so that
// its case fails whatever it asserts: a test that asserts what must not happen would pass
// where nothing could happen.
//
//	model_error         broken   the provider failed, or its key is missing
//	instructions_error  broken   the instructions could not be had: no model was asked
//	internal            broken   a fault of the host, or a tool that panicked
//	resume_limit        broken   the host stopped again and again
//	stopped             broken   somebody else than the test ended the turn
//	interrupted         broken   … or sent a message in its place
//	forked              broken   the turn was left open where a fork was made
//	content_filter      the provider refused what was asked or said
//	context_overflow    the conversation outgrew the model
//	max_steps, budget_exceeded, timeout, max_output
//	                    the agent came to a limit of its own
//	repeated_failure    the same call failed again and again
//	result_rejected     the reply did not fit the agent's rule
//
// A code that is not among them is one.
func broken(code string) bool {
	switch code {
	case events.FailContentFilter, events.FailContextOverflow, events.FailMaxSteps, events.FailBudget, events.FailTimeout,
		events.FailMaxOutput, events.FailRepeated, events.FailResult:
		return false
	}
	return true
}

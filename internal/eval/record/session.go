package record

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/events"
)

// A session is what its log says, turn by turn.
type session struct {
	id      string
	start   *events.SessionStarted
	began   string // the day
	deleted bool
	turns   []*turn
	stubs   []*stub
	notes   []string

	asked map[string][]string
}

// A turn is one that began.
type turn struct {
	id       string
	messages []string
	calls    []*call
	subs     []*sub
	// decisions are those of people, in their order.
	decisions []*call
	tagged    []*made
	skills    []*made
	reply     string
	steps     map[string]bool // the lines in which a step runs
	completed bool
	failed    *events.TurnFailed
}

// A call is one of a tool.
type call struct {
	events.Call
	step    int // steps of all lines before it in its turn
	asks    bool
	decided *events.InputResolved
	result  *events.ActionResult
	turn    *turn
}

// A sub is the work of a subagent.
type sub struct {
	callID, name string
	done         *events.SubagentCompleted
}

// A made is something that came of the calls that ran then.
type made struct {
	name string
	by   []*call
}

func read(lines [][]byte) (*session, error) {
	s := &session{asked: map[string][]string{}}
	steps := 0
	for i, line := range lines {
		if strings.HasSuffix(events.TypeOf(line), ".appended") {
			continue
		}
		e, err := events.Decode(line)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errCorrupt, i+1, err)
		}
		if e.Type == "step.completed" {
			steps++
		}
		s.fold(e, steps)
	}
	return s, nil
}

func (s *session) fold(e *events.Event, steps int) {
	switch d := e.Data.(type) {
	case *events.SessionStarted:
		s.start, s.id, s.began = d, e.SessionID, e.At.UTC().Format("2 January 2006")
	case *events.SessionDeleted:
		s.deleted = true
	case *events.MessageReceived:
		s.asked[e.TurnID] = append(s.asked[e.TurnID], d.Text)
	case *events.TurnStarted:
		s.turns = append(s.turns, &turn{id: e.TurnID, messages: s.asked[e.TurnID], steps: map[string]bool{}})
	}
	if n := len(s.turns); n > 0 && s.turns[n-1].id == e.TurnID {
		s.turns[n-1].fold(e, steps)
	}
}

func (u *turn) fold(e *events.Event, steps int) {
	switch d := e.Data.(type) {
	case *events.StepStarted:
		u.steps[d.ParentCallID] = true
	case *events.MessageCompleted:
		if d.ParentCallID == "" {
			u.reply = d.Text
		}
	case *events.StepCompleted:
		delete(u.steps, d.ParentCallID)
	case *events.ActionsRequested:
		for _, c := range d.Calls {
			c.ParentCallID = d.ParentCallID
			u.calls = append(u.calls, &call{Call: c, step: steps, turn: u})
		}
	case *events.TurnCompleted:
		u.completed = true
	case *events.TurnFailed:
		u.failed = d
	}
	u.foldCall(e)
}

// foldCall adds what became of a call.
func (u *turn) foldCall(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.InputRequested:
		u.call(d.CallID).asks = true
	case *events.InputResolved:
		c := u.call(d.CallID)
		c.decided = d
		if d.Decision != events.DecisionCancelled {
			u.decisions = append(u.decisions, c)
		}
	case *events.ActionResult:
		u.call(d.CallID).result = d
	case *events.SubagentCalled:
		u.subs = append(u.subs, &sub{callID: d.CallID, name: d.Name})
	case *events.SubagentCompleted:
		delete(u.steps, d.CallID)
		for _, s := range u.subs {
			if s.callID == d.CallID {
				s.done = d
			}
		}
	case *events.ArtifactTagged:
		u.tagged = append(u.tagged, &made{name: d.Artifact.Kind, by: u.running()})
	case *events.SkillLoaded:
		u.skills = append(u.skills, &made{name: d.Name, by: u.running()})
	}
}

// call finds one by its id. An id that the turn has not gives one that is in no list.
func (u *turn) call(id string) *call {
	for _, c := range u.calls {
		if c.CallID == id {
			return c
		}
	}
	return &call{turn: u}
}

// running are the calls that may run now.
func (u *turn) running() []*call {
	var open []*call
	for _, c := range u.calls {
		if c.result == nil && c.ToolName != taskTool && (!c.asks || c.decided != nil) {
			open = append(open, c)
		}
	}
	return open
}

func (u *turn) ended() bool { return u.completed || u.failed != nil }

// parked says that an open turn waits for people alone.
func (u *turn) parked() bool {
	waits := false
	for _, c := range u.calls {
		waits = waits || c.waits()
	}
	return !u.ended() && waits && len(u.steps) == 0 && len(u.running()) == 0
}

// text is what the turn was asked.
func (u *turn) text() string { return strings.Join(u.messages, "\n\n") }

// waits says whether a call waits for a person.
func (c *call) waits() bool { return c.asks && c.decided == nil && c.result == nil }

// ran says whether the tool itself was asked.
func (c *call) ran() bool {
	if c.result == nil || c.decided != nil && c.decided.Decision != events.DecisionApprove {
		return false
	}
	switch c.result.Code {
	case events.CodeInvalidInput, events.CodeUnknownTool, events.CodeDenied, events.CodeExpired, events.CodeCancelled:
		return false
	}
	return true
}

// status is what evals call it.
func (c *call) status() string {
	switch {
	case c.result == nil:
		return "pending"
	case !c.result.IsError:
		return "completed"
	case c.result.Code == events.CodeDenied, c.result.Code == events.CodeExpired:
		return "rejected"
	}
	return "failed"
}

// output is what a call gave; null where it gave nothing.
func (c *call) output() json.RawMessage {
	if c.result == nil || len(c.result.Output) == 0 {
		return json.RawMessage("null")
	}
	return c.result.Output
}

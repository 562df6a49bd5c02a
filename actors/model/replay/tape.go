package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A tape is what a log says of its model.
type tape struct {
	turns     []*turn
	summaries []*events.ContextCompacted

	asked map[string][]string // the messages of turns that have not started
	open  map[string]*step    // the step that runs in each line of the newest turn
	// lines names the line of work that answers a call: by where the call stands, so
	// that the name is the same in a recording and in the session that replays it.
	lines map[string]string
}

// A turn is one that began.
type turn struct {
	id    string
	text  string
	steps map[string][]*step // by their lines; the turn's own is ""
	// broken says why subagents did not finish, by their lines.
	broken map[string]*model.Error
	failed *events.TurnFailed
	ended  bool
	reply  string
}

// A step is one that finished.
type step struct {
	number          int
	text, reasoning string
	calls           []model.RequestedCall
	finish          string
	usage           *events.Usage
}

// read folds the lines of a log. Pieces of texts are not looked at.
func read(lines Lines) (*tape, error) {
	t := &tape{asked: map[string][]string{}, open: map[string]*step{}, lines: map[string]string{"": ""}}
	for line, err := range lines {
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(events.TypeOf(line), ".appended") {
			continue
		}
		e, err := events.Decode(line)
		if err != nil {
			return nil, err
		}
		t.fold(e)
	}
	return t, nil
}

func (t *tape) fold(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.ContextCompacted:
		t.summaries = append(t.summaries, d)
	case *events.MessageReceived:
		t.asked[e.TurnID] = append(t.asked[e.TurnID], d.Text)
	case *events.TurnStarted:
		t.turns = append(t.turns, &turn{id: e.TurnID, text: strings.Join(t.asked[e.TurnID], "\n\n"), steps: map[string][]*step{}, broken: map[string]*model.Error{}})
		clear(t.open)
	}
	if n := len(t.turns); n > 0 && t.turns[n-1].id == e.TurnID {
		t.foldTurn(t.turns[n-1], e)
	}
}

// foldTurn adds an event to the turn that it is of.
func (t *tape) foldTurn(in *turn, e *events.Event) {
	switch d := e.Data.(type) {
	case *events.StepStarted:
		t.open[t.line(d.ParentCallID)] = &step{number: d.Step}
	case *events.ReasoningCompleted:
		t.in(d.ParentCallID).reasoning = d.Text
	case *events.MessageCompleted:
		t.in(d.ParentCallID).text = d.Text
	case *events.StepCompleted:
		s, line := t.in(d.ParentCallID), t.line(d.ParentCallID)
		s.number, s.finish, s.usage = d.Step, d.FinishReason, d.Usage
		in.steps[line] = append(in.steps[line], s)
	case *events.ActionsRequested:
		t.calls(t.in(d.ParentCallID), d)
	case *events.SubagentCompleted:
		if d.IsError {
			in.broken[t.line(d.CallID)] = &model.Error{Message: strings.TrimPrefix(plain(d.Output), unfinished), Code: cmp.Or(d.Code, events.FailModel)}
		}
	case *events.TurnFailed:
		in.failed, in.ended = d, true
	case *events.TurnCompleted:
		in.ended, in.reply = true, in.last("")
	}
}

// unfinished stands before the reason in the result of a subagent that failed.
const unfinished = "the subagent did not finish: "

// line names the line of work of a call; a call that the log has not is its own name.
func (t *tape) line(callID string) string {
	if name, ok := t.lines[callID]; ok {
		return name
	}
	return callID
}

// in gives the step that runs in a line, or that ended last.
func (t *tape) in(parent string) *step {
	line := t.line(parent)
	if t.open[line] == nil {
		t.open[line] = &step{}
	}
	return t.open[line]
}

func (t *tape) calls(s *step, d *events.ActionsRequested) {
	for _, c := range d.Calls {
		t.lines[c.CallID] = fmt.Sprintf("%s/%d.%d", t.line(d.ParentCallID), s.number, len(s.calls))
		args := string(c.Args)
		if args == "" {
			args = unusable
		}
		s.calls = append(s.calls, model.RequestedCall{Name: c.ToolName, Args: args})
	}
}

// unusable stands for arguments that were no JSON object, which no log keeps.
const unusable = "(the arguments were no JSON object and are not recorded)"

// cancelled says that a person ended the turn: nothing can replay that.
func (u *turn) cancelled() bool {
	return u.failed != nil && u.failed.Status == events.StatusCancelled
}

// step gives the one of a number; nil where there is none.
func (u *turn) step(line string, number int) *step {
	i := slices.IndexFunc(u.steps[line], func(s *step) bool { return s.number == number })
	if i < 0 {
		return nil
	}
	return u.steps[line][i]
}

// last is the text of the newest step of a line.
func (u *turn) last(line string) string {
	if n := len(u.steps[line]); n > 0 {
		return u.steps[line][n-1].text
	}
	return ""
}

// whole are the turns that can be replayed.
func (t *tape) whole() []*turn {
	return slices.DeleteFunc(slices.Clone(t.turns), (*turn).cancelled)
}

// plain is an output as text: a JSON string as what it says.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

package actors

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A transcript is what a model is told of a session: the fold of its log into
// messages. It is kept by a turn's child while the turn runs, and dropped with it.
type transcript struct {
	// parent is the call of the subagent to which it is told; empty for the agent
	// itself, which hears nothing of what subagents do.
	parent   string
	next     uint64 // the first index not yet folded
	messages []model.Message
	at       []uint64 // of each message: the index of the event that began it
	current  int      // the message that the running turn answers; -1: none runs
	summed   bool     // the first message is a summary
	// asked holds the messages of turns that have not started: turn id → texts.
	asked map[string][]string
	// results maps a call's id to the place of its tool message.
	results map[string]int
}

// newTranscript begins a fold at an index; what lies before it is in no context any more.
func newTranscript(from uint64) *transcript {
	return &transcript{next: from, current: -1, asked: map[string][]string{}}
}

// say adds a message that an event began.
func (t *transcript) say(at uint64, m model.Message) {
	t.messages, t.at = append(t.messages, m), append(t.at, at)
}

// newSubTranscript is told to a subagent, from the index of its subagent.called on.
func newSubTranscript(parent string, from uint64) *transcript {
	return &transcript{parent: parent, next: from, current: -1}
}

// fold applies a recorded line; deltas, and what a subagent does not hear, are not decoded.
func (t *transcript) fold(line []byte) error {
	if strings.HasSuffix(events.TypeOf(line), ".appended") || !bytes.Contains(line, []byte(t.parent)) {
		t.next++
		return nil
	}
	e, err := events.Decode(line)
	if err != nil {
		return err
	}
	t.apply(e)
	return nil
}

// apply adds one event. Direct calls have no turn and never enter the context.
func (t *transcript) apply(e *events.Event) {
	t.next = e.Index + 1
	if d, ok := e.Data.(*events.ContextCompacted); ok && t.parent == "" { // with a turn or without
		t.summarized(d)
	}
	switch {
	case e.TurnID == "":
		return
	case t.parent == "":
		t.applyTurn(e)
	}
	switch d := e.Data.(type) {
	case *events.SubagentCalled:
		if d.CallID == t.parent {
			t.say(e.Index, model.Message{Role: model.RoleUser, Text: d.Task})
		}
	case *events.MessageCompleted:
		if d.ParentCallID == t.parent {
			t.say(e.Index, model.Message{Role: model.RoleAssistant, Text: d.Text})
		}
	case *events.StepCompleted:
		t.provider(d)
	case *events.ActionsRequested:
		if d.ParentCallID == t.parent {
			t.calls(d.Calls)
		}
	case *events.ActionResult:
		t.result(d)
	}
}

// applyTurn adds what the user said, and how turns ended.
func (t *transcript) applyTurn(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.MessageReceived:
		t.asked[e.TurnID] = append(t.asked[e.TurnID], d.Text)
	case *events.TurnStarted:
		t.user(e)
	case *events.StepStarted:
		if d.Repair != "" && d.ParentCallID == "" {
			t.say(e.Index, model.Message{Role: model.RoleUser, Text: repairNote + d.Repair})
		}
	case *events.TurnFailed:
		t.failed(e, d)
	case *events.TurnCompleted:
		t.current = -1
	}
}

func (t *transcript) user(e *events.Event) {
	text := strings.Join(t.asked[e.TurnID], "\n\n")
	delete(t.asked, e.TurnID)
	t.current = len(t.messages)
	t.say(e.Index, model.Message{Role: model.RoleUser, Text: text})
}

// repairNote stands in front of the reason for which a reply was rejected.
const repairNote = "(This reply cannot be used. Mend it and give the whole of it again.) "

// provider attaches what the provider wants back to the message of its step.
func (t *transcript) provider(d *events.StepCompleted) {
	if m := t.last(); d.ParentCallID == t.parent && m != nil && m.Role == model.RoleAssistant {
		m.Provider = d.Provider
	}
}

// calls attaches the calls to the step's message and makes room for their
// results, in the order of the calls.
func (t *transcript) calls(calls []events.Call) {
	m := t.last()
	if m == nil || m.Role != model.RoleAssistant {
		return
	}
	for _, c := range calls {
		args := c.Args
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		m.Calls = append(m.Calls, model.Call{ID: c.CallID, Name: c.ToolName, Args: args})
	}
	at := t.at[len(t.at)-1]
	if t.results == nil {
		t.results = map[string]int{}
	}
	for _, c := range calls {
		t.results[c.CallID] = len(t.messages)
		t.say(at, model.Message{Role: model.RoleTool, CallID: c.CallID, ToolName: c.ToolName})
	}
}

func (t *transcript) result(d *events.ActionResult) {
	i, ok := t.results[d.CallID]
	if !ok {
		return
	}
	delete(t.results, d.CallID)
	t.messages[i].Output, t.messages[i].IsError = d.Output, d.IsError
	if len(d.Output) == 0 {
		t.messages[i].Output = json.RawMessage("null")
	}
}

// failed keeps the finished steps and says in a note what happened.
func (t *transcript) failed(e *events.Event, d *events.TurnFailed) {
	if texts, waiting := t.asked[e.TurnID]; waiting { // never started: its message is still part of what was said
		delete(t.asked, e.TurnID)
		if d.Code != events.FailForked { // which is no part of this conversation
			t.say(e.Index, model.Message{Role: model.RoleUser, Text: strings.Join(texts, "\n\n")})
		}
		return
	}
	t.current = -1
	if d.Status == events.StatusCancelled {
		t.say(e.Index, model.Message{Role: model.RoleUser, Text: interruptedNote})
	}
}

// interruptedNote tells the model why an answer has no end.
const interruptedNote = "(The user interrupted the answer above before it was finished.)"

func (t *transcript) last() *model.Message {
	if len(t.messages) == 0 {
		return nil
	}
	return &t.messages[len(t.messages)-1]
}

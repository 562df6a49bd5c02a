package telemetry

import (
	"strconv"
	"strings"
	"time"

	"github.com/gobdk/bdk/events"
)

// maxTurns bounds the turns that are open at once; more are not traced.
const maxTurns = 50_000

// A turn is what is known of a turn that has not ended.
type turn struct {
	about
	session, id string
	began       time.Time
	model       string
	text        string // of its message, where content is wanted
	reply       string
	steps       map[string]*step // the newest of each line of work
	calls       map[string]*call
}

// A step is a model step that runs.
type step struct {
	began         time.Time
	number, tries int
	model         string
	reply, finish string
}

// A call is a tool call, or a subagent's work, that runs.
type call struct {
	events.Call
	began  time.Time
	worker string    // the subagent's name
	called time.Time // when its work began
}

// Apply folds one event. Events of one log come in their order.
func (t *Traces) Apply(e *events.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d, ok := e.Data.(*events.SessionStarted); ok {
		if len(t.sessions) < maxTurns {
			t.sessions[e.SessionID] = about{d.Agent, d.ChannelID, d.Purpose}
		}
		return
	}
	if e.TurnID == "" || strings.HasSuffix(e.Type, ".appended") {
		return
	}
	k := t.turn(e)
	if k == nil {
		return
	}
	switch d := e.Data.(type) {
	case *events.TurnCompleted:
		t.endTurn(k, e.At, d.Usage, d.Cost, "")
	case *events.TurnFailed:
		code := d.Code
		if code == "" {
			code = d.Status
		}
		t.endTurn(k, e.At, d.Usage, d.Cost, code)
	default:
		t.inside(k, e)
	}
}

// turn is the open turn of an event. The first event of it that is seen begins it:
// its start may lie before this process.
func (t *Traces) turn(e *events.Event) *turn {
	key := e.SessionID + "/" + e.TurnID
	if k := t.turns[key]; k != nil {
		return k
	}
	if len(t.turns) >= maxTurns {
		if !t.full {
			t.full = true
			t.o.Logger.Warn().Int("turns", maxTurns).Msg("telemetry: so many turns are open that further ones are not traced")
		}
		return nil
	}
	a, ok := t.sessions[e.SessionID]
	if !ok && t.o.Session != nil {
		a.agent, a.channel, a.purpose = t.o.Session(e.SessionID)
	}
	delete(t.sessions, e.SessionID) // the next turn asks
	k := &turn{about: a, session: e.SessionID, id: e.TurnID, began: e.At, steps: map[string]*step{}, calls: map[string]*call{}}
	t.turns[key] = k
	return k
}

// inside folds what happens in a turn.
func (t *Traces) inside(k *turn, e *events.Event) {
	switch d := e.Data.(type) {
	case *events.MessageReceived:
		k.text = d.Text
	case *events.TurnStarted:
		k.began, k.model = e.At, d.Model
	case *events.StepStarted:
		k.steps[d.ParentCallID] = &step{began: e.At, number: d.Step, tries: d.Attempt, model: d.Model}
	case *events.MessageCompleted:
		if s := k.steps[d.ParentCallID]; s != nil {
			s.reply, s.finish = d.Text, d.FinishReason
		}
		if d.ParentCallID == "" && d.FinishReason != events.FinishToolCalls {
			k.reply = d.Text
		}
	case *events.StepCompleted:
		t.endStep(k, d, e.At)
	case *events.ActionsRequested:
		for _, c := range d.Calls {
			c.ParentCallID = d.ParentCallID
			k.calls[c.CallID] = &call{Call: c, began: e.At}
		}
	case *events.SubagentCalled:
		if c := k.calls[d.CallID]; c != nil {
			c.worker, c.called = d.Name, e.At
		}
	case *events.SubagentCompleted:
		t.endSubagent(k, d, e.At)
	case *events.ActionResult:
		t.endCall(k, d, e.At)
	}
}

// stepName tells the steps of a turn apart.
func stepName(turn, parent string, number, tries int) []string {
	return []string{"step", turn, parent, strconv.Itoa(number), strconv.Itoa(tries)}
}

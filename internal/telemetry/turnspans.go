package telemetry

import (
	"strconv"
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
	// direct says that it is a call without a turn; log is then where it was recorded,
	// where that is no session's.
	direct bool
	log    string
	// past says that its events are told again: their spans were made.
	past  bool
	model string
	text  string // of its message, where content is wanted
	reply string
	steps map[string]*step // the newest of each line of work
	calls map[string]*call
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
	parked bool      // it waits for a person
	again  time.Time // when it was run again after a restart
	worker string    // the subagent's name
	called time.Time // when its work began
}

// Apply folds one event. Events of one log come in their order.
func (t *Traces) Apply(e *events.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d, ok := e.Data.(*events.SessionStarted); ok {
		t.isCopy(e)
		if len(t.sessions) < maxTurns {
			t.sessions[e.SessionID] = about{d.Agent, d.ChannelID, d.Purpose}
		}
		return
	}
	if t.isCopy(e) {
		return
	}
	if e.TurnID == "" {
		t.applyDirect(e)
		return
	}
	if !spanned(e) {
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
	if !t.room() {
		return nil
	}
	k := &turn{about: t.aboutOf(e.SessionID), session: e.SessionID, id: e.TurnID, began: e.At, steps: map[string]*step{}, calls: map[string]*call{}}
	t.turns[key] = k
	if _, first := e.Data.(*events.MessageReceived); !first {
		t.recall(k, e.Index)
	}
	return k
}

// recall folds what the log has of a turn whose begin was not seen.
func (t *Traces) recall(k *turn, index uint64) {
	if t.o.Before == nil {
		return
	}
	k.past = true
	first := true
	for _, old := range t.o.Before(k.session, index) {
		if old.TurnID != k.id || !spanned(old) {
			continue
		}
		if first {
			k.began, first = old.At, false
		}
		t.inside(k, old)
	}
	k.past = false
}

// room says whether one more turn, or direct call, can be kept in mind.
func (t *Traces) room() bool {
	if len(t.turns)+len(t.direct) < maxTurns {
		return true
	}
	if !t.full {
		t.full = true
		t.o.Logger.Warn().Int("turns", maxTurns).Msg("telemetry: so many turns are open that further ones are not traced")
	}
	return false
}

// aboutOf is what is known of a session; the next turn of it asks.
func (t *Traces) aboutOf(session string) about {
	a, ok := t.sessions[session]
	if !ok && t.o.Session != nil {
		a.agent, a.channel, a.purpose = t.o.Session(session)
	}
	delete(t.sessions, session)
	return a
}

// spanned says whether an event of a turn has a part in its spans.
func spanned(e *events.Event) bool {
	switch e.Data.(type) {
	case *events.MessageReceived, *events.MessageCompleted, *events.TurnStarted, *events.TurnResumed, *events.TurnCompleted, *events.TurnFailed,
		*events.StepStarted, *events.StepCompleted, *events.ActionsRequested, *events.ActionResult, *events.InputRequested, *events.InputResolved,
		*events.SubagentCalled, *events.SubagentCompleted:
		return true
	}
	return false
}

// inside folds what happens in a turn.
func (t *Traces) inside(k *turn, e *events.Event) {
	switch d := e.Data.(type) {
	case *events.MessageReceived:
		k.text = d.Text
	case *events.TurnStarted:
		k.began, k.model = e.At, d.Model
	case *events.TurnResumed:
		k.runAgain(e.At)
	case *events.InputRequested:
		if c := k.calls[d.CallID]; c != nil {
			c.parked = true
		}
	case *events.InputResolved:
		if c := k.calls[d.CallID]; c != nil {
			c.parked = false
		}
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

// runAgain notes that a host took the turn up: calls that ran run again from then on.
func (k *turn) runAgain(at time.Time) {
	for _, c := range k.calls {
		if !c.parked && c.worker == "" {
			c.again = at
		}
	}
}

// stepName tells the steps of a turn apart.
func stepName(turn, parent string, number, tries int) []string {
	return []string{"step", turn, parent, strconv.Itoa(number), strconv.Itoa(tries)}
}

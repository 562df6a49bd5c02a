package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
)

// Apply folds one event: the only place where the state changes. It panics when
// the event is not the next one.
func (s *Session) Apply(e *events.Event) {
	if e.Index != s.Next {
		panic(fmt.Sprintf("session: event %d applied at %d", e.Index, s.Next))
	}
	s.Next++
	if t := s.Turn; t != nil && t.ID == e.TurnID {
		t.tick(e, s.Parked())
	}
	s.measure(e)
	s.applyReminder(e)
	switch d := e.Data.(type) {
	case *events.SessionStarted:
		s.Mode, s.DryRun, s.Title, s.Eval, s.Copied = d.Mode, d.DryRun, d.Title, d.Purpose == events.PurposeEval, d.Copied()
	case *events.SessionUpdated:
		s.Title = d.Title
	case *events.SessionCompleted:
		s.Ended = StatusCompleted
	case *events.SessionFailed:
		s.Ended = StatusFailed
	case *events.SessionDeleted:
		s.Ended, s.Turn, s.Queue, s.Joined, s.Direct, s.Reminders = StatusDeleted, nil, nil, nil, nil, nil
	case *events.ChannelUpdated:
		s.applyChannel(d)
	case *events.MessageReceived:
		s.applyMessage(e, d)
	case *events.ActionsRequested:
		s.applyRequested(e.TurnID, d)
	case *events.ActionResult:
		s.applyResult(d)
	case *events.ContextCompacted:
		s.applyCompacted(e, d)
	default:
		if s.Turn != nil && e.TurnID == s.Turn.ID || isTurnEnd(e) || e.Type == "turn.started" {
			s.applyTurn(e)
		}
	}
	if e.Index < s.Copied {
		s.disown()
	}
}

func isTurnEnd(e *events.Event) bool { return e.Type == "turn.completed" || e.Type == "turn.failed" }

// applyMessage queues the turn that a message opens: first, when it was recorded
// together with the end of the turn that it interrupted.
func (s *Session) applyMessage(e *events.Event, d *events.MessageReceived) {
	if d.From == events.FromUser && e.Index > 1 {
		s.FollowUps++
	}
	if s.OpenTurn() == "" {
		s.Since = e.Index
	}
	switch {
	case slices.Contains(s.Queue, e.TurnID):
		s.join(e.TurnID)
	case s.Cut > 0 && s.Cut == e.Index:
		s.Queue = slices.Insert(s.Queue, 0, e.TurnID)
	default:
		s.Queue = append(s.Queue, e.TurnID)
	}
}

// applyTurn folds what happens inside the started turn, its start and its end.
func (s *Session) applyTurn(e *events.Event) {
	t := s.Turn
	switch d := e.Data.(type) {
	case *events.TurnStarted:
		s.unqueue(e.TurnID)
		s.Turn = &Turn{ID: e.TurnID, Model: d.Model, Last: e.At.UnixMilli()}
	case *events.TurnResumed:
		t.Resumes++
		t.Stalled++
	case *events.StepStarted:
		if w := t.work(d.ParentCallID); w != nil {
			w.startStep(d)
		}
		if d.ParentCallID == "" {
			t.Replied = false
			if d.Repair != "" {
				t.Repairs++
			}
		}
	case *events.StepCompleted:
		if w := t.work(d.ParentCallID); w != nil {
			w.InStep = false
		}
		if d.ParentCallID == "" {
			t.Replied = d.FinishReason == events.FinishStop || d.FinishReason == events.FinishLength
		}
		t.Stalled = 0
		s.charge(t, d.ParentCallID, t.stepsModel(d.ParentCallID), d.Usage)
	case *events.InputRequested:
		if c := t.call(d.CallID); c != nil {
			c.Status, c.RequestID, c.ExpiresAt = CallParked, d.RequestID, d.ExpiresAt
		}
		t.Stalled = 0
	case *events.InputResolved:
		if c := t.call(d.CallID); c != nil {
			c.Decision = d.Decision
			if d.Decision == events.DecisionApprove {
				c.Status = CallRunning
			}
		}
		t.Stalled = 0
	case *events.AuthorizationRequested, *events.AuthorizationCompleted:
		t.applyGrant(d)
	case *events.SubagentCalled, *events.SubagentCompleted:
		t.applySub(e)
	case *events.TurnCompleted, *events.TurnFailed:
		s.applyEnd(e)
	default:
		t.Stalled = 0
	}
}

// stepsModel is the model of the newest step of a line of work.
func (t *Turn) stepsModel(parent string) string {
	if w := t.work(parent); w != nil && w.StepModel != "" {
		return w.StepModel
	}
	return t.Model
}

// charge adds what a finished step or a compaction used, to its turn if it had one,
// and to the subagent that it is of.
func (s *Session) charge(t *Turn, parent, model string, u *events.Usage) {
	if t == nil {
		t = &Turn{} // nobody's
	}
	t.Used.add(u)
	if sub := t.sub(parent); sub != nil {
		sub.Used.add(u)
	}
	if u == nil {
		t.CostUnknown = true
		return
	}
	s.Tokens += u.Total()
	cost, ok := int64(0), false
	if s.cfg.Price != nil {
		cost, ok = s.cfg.Price(model, *u)
	}
	if !ok {
		t.CostUnknown = true
		return
	}
	t.Cost += cost
	s.Spent += cost
}

func (s *Session) applyEnd(e *events.Event) {
	if s.Turn != nil && s.Turn.ID == e.TurnID {
		s.Turn = nil
	}
	s.unqueue(e.TurnID)
	if f, ok := e.Data.(*events.TurnFailed); ok && f.Code == events.FailInterrupted {
		s.Cut = e.Index + 1
	}
}

func (s *Session) applyRequested(turn string, d *events.ActionsRequested) {
	w := s.Turn.work(d.ParentCallID)
	for _, c := range d.Calls {
		c.ParentCallID = d.ParentCallID
		switch {
		case turn == "":
			s.Direct = append(s.Direct, Call{Call: c, Status: CallRunning})
		case w != nil:
			w.Calls = append(w.Calls, Call{Call: c, Status: CallRunning})
		}
	}
	if s.Turn != nil && s.Turn.ID == turn {
		s.Turn.Stalled = 0
	}
}

func (s *Session) applyResult(d *events.ActionResult) {
	if i := s.direct(d.CallID); i >= 0 {
		s.Direct = slices.Delete(s.Direct, i, i+1)
		return
	}
	c := s.Turn.call(d.CallID)
	if c == nil {
		return
	}
	c.Status = CallDone
	s.Turn.Stalled = 0
	s.Turn.work(c.ParentCallID).countFailure(c, d)
}

// Fold applies a recorded line. Deltas are not decoded: they change no state but
// the count of resumes without progress.
func (s *Session) Fold(line []byte) error {
	if typ := events.TypeOf(line); strings.HasSuffix(typ, ".appended") {
		s.Next++
		if s.Turn != nil {
			s.Turn.Stalled = 0
		}
		return nil
	}
	e, err := events.Decode(line)
	if err != nil {
		return err
	}
	if e.Index != s.Next {
		return fmt.Errorf("session: event %d found at %d", e.Index, s.Next)
	}
	s.Apply(e)
	return nil
}

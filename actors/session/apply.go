package session

import (
	"fmt"
	"hash/fnv"
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
	switch d := e.Data.(type) {
	case *events.SessionStarted:
		s.Mode, s.DryRun, s.Title = d.Mode, d.DryRun, d.Title
	case *events.SessionUpdated:
		s.Title = d.Title
	case *events.SessionCompleted:
		s.Ended = StatusCompleted
	case *events.SessionFailed:
		s.Ended = StatusFailed
	case *events.SessionDeleted:
		s.Ended, s.Turn, s.Queue, s.Direct = StatusDeleted, nil, nil, nil
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
	case slices.Contains(s.Queue, e.TurnID): // coalesced
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
		s.Queue = slices.DeleteFunc(s.Queue, func(id string) bool { return id == e.TurnID })
		s.Turn = &Turn{ID: e.TurnID, Model: d.Model, Last: e.At.UnixMilli()}
	case *events.TurnResumed:
		t.Resumes++
		t.Stalled++
	case *events.StepStarted:
		if d.ParentCallID == "" {
			t.startStep(d)
		}
	case *events.StepCompleted:
		if d.ParentCallID == "" {
			t.InStep = false
			t.Replied = d.FinishReason == events.FinishStop || d.FinishReason == events.FinishLength
		}
		t.Stalled = 0
		s.charge(t, t.stepsModel(), d.Usage)
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
	case *events.TurnCompleted, *events.TurnFailed:
		s.applyEnd(e)
	default:
		t.Stalled = 0
	}
}

func (t *Turn) startStep(d *events.StepStarted) {
	t.Step, t.Attempt, t.InStep, t.Calls = d.Step, d.Attempt, true, nil
	t.StepModel = d.Model
	t.Replied = false
	if d.Repair != "" {
		t.Repairs++
	}
}

// stepsModel is the model of the newest step.
func (t *Turn) stepsModel() string {
	if t.StepModel != "" {
		return t.StepModel
	}
	return t.Model
}

// charge adds what a finished step or a compaction used, to its turn if it had one.
func (s *Session) charge(t *Turn, model string, u *events.Usage) {
	if t == nil {
		t = &Turn{} // nobody's
	}
	t.Billed = true
	if u == nil {
		t.UsageUnknown, t.CostUnknown = true, true
		return
	}
	t.Usage.Add(*u)
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
	s.Queue = slices.DeleteFunc(s.Queue, func(id string) bool { return id == e.TurnID })
	if f, ok := e.Data.(*events.TurnFailed); ok && f.Code == events.FailInterrupted {
		s.Cut = e.Index + 1
	}
}

func (s *Session) applyRequested(turn string, d *events.ActionsRequested) {
	for _, c := range d.Calls {
		switch {
		case d.ParentCallID != "":
		case turn == "":
			s.Direct = append(s.Direct, Call{Call: c, Status: CallRunning})
		case s.Turn != nil:
			s.Turn.Calls = append(s.Turn.Calls, Call{Call: c, Status: CallRunning})
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
	s.Turn.countFailure(c, d)
}

// countFailure counts the same failing call in a row: same tool, same arguments.
func (t *Turn) countFailure(c *Call, d *events.ActionResult) {
	if !d.IsError || d.Code == events.CodeCancelled || d.Code == events.CodeOutcomeUnknown {
		t.Failures = 0
		return
	}
	h := fnv.New64a()
	h.Write([]byte(c.ToolName))
	h.Write([]byte{0})
	h.Write(c.Args)
	if key := h.Sum64(); t.Failures == 0 || key != t.Failing {
		t.Failing, t.Failures = key, 0
	}
	t.Failures++
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

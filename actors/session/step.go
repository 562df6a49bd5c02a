package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/gobdk/bdk/events"
)

// Step decides what an input means and folds it at once; Ready holds the result.
// An error means that nothing happened. now is the time that the events carry.
func (s *Session) Step(in Input, now time.Time) error {
	s.now = now
	switch in := in.(type) {
	case *Start:
		s.recordFor("", in.Started)
	case *Message:
		return s.message(in)
	case *Stop:
		s.stop(in)
	case *Decide:
		return s.decide(in)
	case *Rename:
		return s.rename(in)
	case *UpdateChannel:
		return s.updateChannel(in)
	case *DirectCall:
		return s.directCall(in)
	case *Tag:
		return s.tag(in)
	case *SetReminder:
		return s.setReminder(in)
	case *CancelReminder:
		return s.cancelReminder(in)
	case *FireReminder:
		return s.fireReminder(in)
	case *Place:
		s.place(in)
	case *Deltas:
		s.deltas(in)
	case *StepDone:
		s.stepDone(in)
	case *StepFailed:
		s.stepFailed(in)
	case *ToolDone:
		s.toolDone(in)
	case *NeedGrant, *NeedApproval, *Granted:
		s.stepGrant(in)
	case *Delegate:
		s.delegate(in)
	case *Expire:
		s.expire()
	case *TurnTimeout:
		s.failOpen(in.TurnID, events.FailTimeout, "the turn took longer than its time limit, limits.turnTimeoutMs")
	case *Resolved:
		s.resolved(in)
	case *CompactNow:
		return s.compactIdle()
	case *CompactDone:
		s.compactDone(in)
	case *Fail:
		s.failOpen(in.TurnID, in.Code, in.Message)
	case *Resume:
		s.resume(in)
	case *Settle:
		s.settle()
	default:
		panic(fmt.Sprintf("session: unknown input %T", in))
	}
	return nil
}

// message takes a message: at once when the session is idle, behind the running
// turn otherwise, or in its place when it interrupts.
func (s *Session) message(in *Message) error {
	if err := s.Admits(in); err != nil {
		return err
	}
	s.dropIdle()
	if in.Interrupt {
		s.cancelOpen(events.FailInterrupted, "interrupted by a new message", in.NotStarted)
	}
	turn := s.turnFor(in)
	joins := slices.Contains(s.Queue, turn)
	s.recordFor(turn, &events.MessageReceived{Text: in.Text, From: in.From, DeliveryID: in.DeliveryID, Idempotency: in.Idempotency, Askers: in.Askers})
	if s.Turn == nil && s.Queue[0] == turn && !joins {
		s.startNext(in.Place)
	}
	return nil
}

// turnFor is the turn that a message opens, or joins.
func (s *Session) turnFor(in *Message) string {
	if n := len(s.Queue); in.Coalesce && n > 0 {
		return s.Queue[n-1]
	}
	return in.TurnID
}

// Admits says whether a message would be taken now; nil when it would.
func (s *Session) Admits(in *Message) error {
	switch {
	case s.Ended == StatusDeleted:
		return ErrDeleted
	case in.Reject && s.OpenTurn() != "":
		return ErrBusy
	case s.Mode == events.ModeTask && s.Next > 1:
		return ErrTask
	case in.FollowUp != nil && *in.FollowUp != s.FollowUps:
		return ErrStaleToken
	case !in.Interrupt && s.messagesWaiting() >= s.cfg.MaxQueue:
		return ErrTooManyMessages
	}
	return nil
}

// stop ends the open turn; what was waiting starts.
func (s *Session) stop(in *Stop) {
	if s.cancelOpen(events.FailStopped, "stopped", in.NotStarted) {
		s.afterTurn(&events.SessionFailed{Message: "stopped"}, nil)
	}
}

func (s *Session) rename(in *Rename) error {
	if s.Ended == StatusDeleted {
		return ErrDeleted
	}
	s.recordFor("", &events.SessionUpdated{Title: in.Title})
	return nil
}

// place starts the first waiting turn, if it is still the one that waited.
func (s *Session) place(in *Place) {
	if s.Turn == nil && len(s.Queue) > 0 && s.Queue[0] == in.TurnID {
		s.startNext(true)
	}
}

// startNext starts the first waiting turn, or asks for its place.
func (s *Session) startNext(place bool) {
	if len(s.Queue) == 0 {
		return
	}
	turn := s.Queue[0]
	if !place && !s.cfg.FreePlaces {
		s.do(&AwaitPlace{TurnID: turn})
		return
	}
	if s.cfg.Renew != nil {
		s.cfg = s.cfg.Renew().withDefaults()
		s.base = s.cfg.BaseTokens
	}
	s.recordFor(turn, &events.TurnStarted{Model: s.cfg.Model})
	if s.overBudget() {
		s.failBudget()
		return
	}
	s.beginStep("", 1, "")
}

// startStep starts a model step of a line of work.
func (s *Session) startStep(parent string, step, attempt int) {
	s.startRepair(parent, step, attempt, "")
}

// startRepair starts a step that tells the model why its reply was rejected.
func (s *Session) startRepair(parent string, step, attempt int, repair string) {
	s.record(&events.StepStarted{Step: step, Attempt: attempt, Model: s.otherModel(), Repair: repair, ParentCallID: parent})
	f := &CallModel{TurnID: s.Turn.ID, Step: step, Attempt: attempt, ParentCallID: parent, Broken: s.Turn.work(parent).attempts().broken}
	if sub := s.Turn.sub(parent); sub != nil {
		f.Subagent, f.From = sub.Name, sub.From
	}
	s.do(f)
}

// otherModel is the model of a step where it is not the turn's: the host, or the agent,
// has another since the turn began.
func (s *Session) otherModel() string {
	if s.cfg.Model == s.Turn.Model {
		return ""
	}
	return s.cfg.Model
}

// nextStep goes on after all calls of a step have their result, unless a limit says no.
func (s *Session) nextStep(parent string) { s.goOn(parent, "") }

// goOn is nextStep, with why the reply before was rejected.
func (s *Session) goOn(parent, repair string) {
	w := s.Turn.work(parent)
	switch {
	case w.Failures >= s.cfg.MaxFailures:
		s.breakOff(parent, events.FailRepeated, fmt.Sprintf("the same tool call failed %d times in a row", w.Failures))
	case w.Step >= s.cfg.MaxSteps:
		who := "the turn"
		if parent != "" {
			who = "it"
		}
		s.breakOff(parent, events.FailMaxSteps, fmt.Sprintf("%s reached its limit of %d model steps", who, s.cfg.MaxSteps))
	case s.overBudget():
		s.failBudget()
	default:
		s.beginStep(parent, w.Step+1, repair)
	}
}

func (s *Session) failBudget() {
	s.fail(events.StatusError, events.FailBudget, s.budgetReached())
}

func (s *Session) overBudget() bool { return s.budgetReached() != "" }

// budgetReached says which limit on money or tokens is reached; "" for none.
func (s *Session) budgetReached() string {
	if s.Turn != nil && reached(s.Turn.Cost, s.cfg.MaxTurnCost) {
		return "the turn reached its limit on money, limits.maxTurnUsd"
	}
	return s.spentUp()
}

// spentUp says which limit of the session's own is reached; "" for none.
func (s *Session) spentUp() string {
	switch {
	case reached(s.Spent, s.cfg.MaxSessionCost):
		return "the session reached its limit on money, limits.maxSessionUsd"
	case reached(s.Tokens, s.cfg.MaxSessionTokens):
		return fmt.Sprintf("the session reached its limit of %d tokens, limits.maxSessionTokens", s.cfg.MaxSessionTokens)
	}
	return ""
}

func reached(used, limit int64) bool { return limit > 0 && used >= limit }

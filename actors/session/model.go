package session

import (
	"github.com/gobdk/bdk/events"
)

// maxBroken is how often the stream of one step may break and start again.
const maxBroken = 3

// inStep says whether an outcome belongs to the step that runs now.
func (s *Session) inStep(turn string, step, attempt int) bool {
	t := s.Turn
	return t != nil && t.ID == turn && t.InStep && t.Step == step && t.Attempt == attempt && s.compacting == nil
}

func (s *Session) deltas(in *Deltas) {
	if s.inStep(in.TurnID, in.Step, in.Attempt) {
		s.pieces(in.Pieces)
	}
}

// pieces records deltas, neighbours of one kind merged into one.
func (s *Session) pieces(ps []Piece) {
	for i := 0; i < len(ps); {
		text, kind := "", ps[i].Reasoning
		for ; i < len(ps) && ps[i].Reasoning == kind; i++ {
			text += ps[i].Text
		}
		switch {
		case text == "":
		case kind:
			s.record(&events.ReasoningAppended{Text: text})
		default:
			s.record(&events.MessageAppended{Text: text})
		}
	}
}

// stepDone records a finished step; what it asked for, or the end of the turn, goes
// into the same append.
func (s *Session) stepDone(in *StepDone) {
	if !s.inStep(in.TurnID, in.Step, in.Attempt) {
		return
	}
	s.pieces(in.Pieces)
	if in.Base > 0 {
		s.base = in.Base
	}
	cut := in.FinishReason == events.FinishLength && len(in.Calls) > 0
	if cut && !s.attempts().cut { // half a call is never run
		s.attempts().cut = true
		s.startStep(in.Step, in.Attempt+1)
		return
	}
	finish := finishOf(in, cut)
	s.finishStep(in, finish)
	switch {
	case cut:
		s.fail(events.StatusError, events.FailMaxOutput, "the model reached its output limit in the middle of a tool call, twice")
	case finish == events.FinishContentFilter:
		s.fail(events.StatusError, events.FailContentFilter, "the provider's content filter stopped the reply")
	case len(in.Calls) > 0:
		s.request(in.Calls)
	default:
		s.reply(in.Text)
	}
}

// finishOf is why the step ended, told by what it gave: calls are tool-calls, and
// without any there are none.
func finishOf(in *StepDone, cut bool) string {
	switch {
	case cut, in.FinishReason == events.FinishContentFilter:
		return in.FinishReason
	case len(in.Calls) > 0:
		return events.FinishToolCalls
	case in.FinishReason == events.FinishToolCalls:
		return events.FinishStop
	}
	return in.FinishReason
}

func (s *Session) finishStep(in *StepDone, finish string) {
	if in.Reasoning != "" {
		s.record(&events.ReasoningCompleted{Text: in.Reasoning})
	}
	s.record(&events.MessageCompleted{Text: in.Text, FinishReason: finish})
	s.record(&events.StepCompleted{Step: in.Step, Attempt: in.Attempt, FinishReason: finish, Usage: in.Usage, Provider: in.Provider})
}

// stepFailed starts a broken step again, a few times, or fails the turn.
func (s *Session) stepFailed(in *StepFailed) {
	if !s.inStep(in.TurnID, in.Step, in.Attempt) {
		return
	}
	s.pieces(in.Pieces)
	if s.overflowed(in) {
		return
	}
	if in.Broken && s.attempts().broken < maxBroken {
		s.attempts().broken++
		s.startStep(in.Step, in.Attempt+1)
		return
	}
	s.fail(events.StatusError, in.Code, in.Message)
}

// complete ends the turn with its result.
func (s *Session) complete(result events.RawJSON) {
	t := s.Turn
	usage, cost := s.bill()
	s.record(&events.TurnCompleted{Result: result, Usage: usage, Cost: cost})
	s.do(&EndTurn{TurnID: t.ID})
	s.afterTurn(nil, result)
}

// bill gives what the turn used and cost, as far as it is known.
func (s *Session) bill() (*events.Usage, *events.Cost) {
	t := s.Turn
	if !t.Billed || t.Usage == (events.Usage{}) && t.UsageUnknown {
		return nil, nil
	}
	usage := t.Usage
	if t.CostUnknown {
		return &usage, nil
	}
	return &usage, &events.Cost{TotalUSD: float64(t.Cost) / 1e12, Model: t.Model}
}

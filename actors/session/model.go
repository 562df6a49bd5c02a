package session

import (
	"github.com/gobdk/bdk/events"
)

// maxBroken is how often the stream of one step may break and start again.
const maxBroken = 3

// inStep says whether an outcome belongs to the step that runs now.
func (s *Session) inStep(turn, parent string, step, attempt int) bool {
	w := s.Turn.work(parent)
	return w != nil && s.Turn.ID == turn && w.InStep && w.Step == step && w.Attempt == attempt && s.compacting == nil
}

func (s *Session) deltas(in *Deltas) {
	if s.inStep(in.TurnID, in.ParentCallID, in.Step, in.Attempt) {
		s.pieces(in.ParentCallID, in.Pieces)
	}
}

// pieces records deltas, neighbours of one kind merged into one.
func (s *Session) pieces(parent string, ps []Piece) {
	for i := 0; i < len(ps); {
		text, kind := "", ps[i].Reasoning
		for ; i < len(ps) && ps[i].Reasoning == kind; i++ {
			text += ps[i].Text
		}
		switch {
		case text == "":
		case kind:
			s.record(&events.ReasoningAppended{Text: text, ParentCallID: parent})
		default:
			s.record(&events.MessageAppended{Text: text, ParentCallID: parent})
		}
	}
}

// stepDone records a finished step; what it asked for, or the end of the turn or of
// the subagent, goes into the same append.
func (s *Session) stepDone(in *StepDone) {
	parent := in.ParentCallID
	if !s.inStep(in.TurnID, parent, in.Step, in.Attempt) {
		return
	}
	s.pieces(parent, in.Pieces)
	if in.Base > 0 && parent == "" {
		s.base = in.Base
	}
	cut := in.FinishReason == events.FinishLength && len(in.Calls) > 0
	if tried := s.Turn.work(parent).attempts(); cut && !tried.cut { // half a call is never run
		tried.cut = true
		s.startStep(parent, in.Step, in.Attempt+1)
		return
	}
	finish := finishOf(in, cut)
	s.finishStep(in, finish)
	switch {
	case cut:
		s.breakOff(parent, events.FailMaxOutput, "the model reached its output limit in the middle of a tool call, twice")
	case finish == events.FinishContentFilter:
		s.breakOff(parent, events.FailContentFilter, "the provider's content filter stopped the reply")
	case len(in.Calls) > 0:
		s.request(parent, in.Calls)
	case parent != "":
		s.finishSub(parent, "", &ToolDone{Output: jsonString(in.Text)})
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
		s.record(&events.ReasoningCompleted{Text: in.Reasoning, ParentCallID: in.ParentCallID})
	}
	s.record(&events.MessageCompleted{Text: in.Text, FinishReason: finish, ParentCallID: in.ParentCallID})
	s.record(&events.StepCompleted{Step: in.Step, Attempt: in.Attempt, FinishReason: finish, Usage: in.Usage, Provider: in.Provider, ParentCallID: in.ParentCallID})
}

// stepFailed starts a broken step again, a few times, or gives its line of work up.
func (s *Session) stepFailed(in *StepFailed) {
	parent := in.ParentCallID
	if !s.inStep(in.TurnID, parent, in.Step, in.Attempt) {
		return
	}
	s.pieces(parent, in.Pieces)
	if parent == "" && s.overflowed(in) {
		return
	}
	if tried := s.Turn.work(parent).attempts(); in.Broken && tried.broken < maxBroken {
		tried.broken++
		s.startStep(parent, in.Step, in.Attempt+1)
		return
	}
	s.breakOff(parent, in.Code, in.Message)
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
	usage := t.sum()
	if usage == nil || t.CostUnknown {
		return usage, nil
	}
	return usage, &events.Cost{TotalUSD: float64(t.Cost) / 1e12, Model: t.Model}
}

package session

import (
	"github.com/gobdk/bdk/events"
)

// A compaction is under way: what the turn goes on with when it has ended. It is no
// part of the state, since a restart begins it again.
type compaction struct {
	n    int
	turn string // empty: nobody's turn waits, a person asked for it
	// step, attempt and repair are of the step that starts then.
	step, attempt int
	repair        string
	// overflow is what the model said when the context was too long for it.
	overflow string
}

// beginStep starts a model step, after a compaction where the turn's context has grown
// too long. A subagent's is its own, and is never summed up.
func (s *Session) beginStep(parent string, step int, repair string) {
	if parent == "" && s.tooLong() {
		s.compact(compaction{turn: s.Turn.ID, step: step, attempt: 1, repair: repair})
		return
	}
	s.startRepair(parent, step, 1, repair)
}

// tooLong says whether a step would be told more than the threshold. What the last
// compaction could not make shorter is no reason for the next one.
func (s *Session) tooLong() bool {
	at := s.cfg.CompactAt
	return at > 0 && s.told() > max(at, s.Context.After+s.base+at/10)
}

func (s *Session) compact(c compaction) {
	s.compactions++
	c.n = s.compactions
	s.compacting = &c
	s.do(&Compact{TurnID: c.turn, N: c.n, Tokens: max(s.Context.Tokens, s.Context.Used-s.base), Overflow: c.overflow != ""})
}

// overflowed compacts once for each overflow of a step; false: this was the second.
func (s *Session) overflowed(in *StepFailed) bool {
	if in.Code != events.FailContextOverflow || s.Turn.attempts().compacted {
		return false
	}
	s.Turn.attempts().compacted = true
	s.compact(compaction{turn: in.TurnID, step: in.Step, attempt: in.Attempt + 1, overflow: in.Message})
	return true
}

// compactIdle takes a person's wish for a shorter context.
func (s *Session) compactIdle() error {
	switch {
	case s.Ended == StatusDeleted:
		return ErrDeleted
	case s.OpenTurn() != "", s.compacting != nil:
		return ErrBusy
	case s.Ended != "": // its context is never used again
		s.do(&EndCompact{Message: "the session has ended"})
		return nil
	case s.spentUp() != "": // no turn would get to use it
		s.do(&EndCompact{Message: s.spentUp()})
		return nil
	}
	s.compact(compaction{})
	return nil
}

// dropIdle lets a message go before a compaction that a person asked for.
func (s *Session) dropIdle() {
	if c := s.compacting; c == nil || c.turn != "" {
		return
	}
	s.compacting = nil
	s.withdraw("")
	s.do(&EndCompact{Busy: true})
}

// compactDone records a summary and goes on with what waited for it. A context that
// could not be made shorter ends the turn only if the model had refused it.
func (s *Session) compactDone(in *CompactDone) {
	c := s.compacting
	if c == nil || c.turn != in.TurnID || c.n != in.N {
		return
	}
	s.compacting = nil
	if in.Compacted != nil {
		s.recordFor(c.turn, in.Compacted)
	}
	switch {
	case c.turn == "":
		s.do(&EndCompact{Compacted: in.Compacted, Message: in.Message})
	case in.Compacted == nil && c.overflow != "":
		s.fail(events.StatusError, events.FailContextOverflow, c.overflow+"; its context was not made shorter: "+in.Message)
	case s.overBudget():
		s.failBudget()
	default:
		s.startRepair("", c.step, c.attempt, c.repair)
	}
}

// applyCompacted folds a summary: what was summed up is told no more, and what it
// cost is charged like a step.
func (s *Session) applyCompacted(e *events.Event, d *events.ContextCompacted) {
	model := d.Model
	if t := s.Turn; t != nil && t.ID == e.TurnID {
		t.Stalled = 0
		if model == "" {
			model = t.Model
		}
		s.charge(t, "", model, d.Usage)
	} else {
		s.charge(nil, "", model, d.Usage)
	}
	if d.ParentCallID != "" {
		return
	}
	from := d.ThroughIndex + 1
	if s.OpenTurn() != "" {
		from = min(from, s.Since)
	}
	s.Context = Context{From: from, Tokens: d.TokensAfter, After: d.TokensAfter}
}

package session

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/events"
)

// reply ends the turn with the reply of its last step, once that is judged where
// the agent has a rule for its results.
func (s *Session) reply(text string) {
	if !s.cfg.Judged {
		s.complete(jsonString(text))
		return
	}
	s.judge()
}

func (s *Session) judge() {
	t := s.Turn
	s.do(&Resolve{TurnID: t.ID, Step: t.Step, Repairs: t.Repairs})
}

// resolved takes the verdict on a reply: a result completes the turn, a reason to
// try again starts its next step, as often as the agent allows.
func (s *Session) resolved(in *Resolved) {
	t := s.Turn
	if t == nil || t.ID != in.TurnID || !t.Replied || t.Step != in.Step || s.compacting != nil {
		return
	}
	switch {
	case in.Fail != "":
		s.fail(events.StatusError, events.FailResult, in.Fail)
	case in.Retry != "" && t.Repairs >= s.cfg.MaxRepairs:
		s.fail(events.StatusError, events.FailResult, fmt.Sprintf("%s was rejected: %s", replies(t.Repairs+1), in.Retry))
	case in.Retry != "":
		s.goOn("", strings.TrimSpace(in.Retry+"\n"+in.Advice))
	default:
		s.complete(in.Result)
	}
}

func replies(n int) string {
	if n == 1 {
		return "the reply"
	}
	return fmt.Sprintf("the last of %d replies", n)
}

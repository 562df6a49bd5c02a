package session

import (
	"errors"

	"github.com/gobdk/bdk/events"
)

// ErrCallEnded refuses what a call does after its end.
var ErrCallEnded = errors.New("session: the call has ended")

// Tag records an artifact. A call tags while it is open: of a turn within the turn,
// a direct one outside of any. What tags without a call, as a hook does, does it in
// its turn while that is the one that started, and outside of any later.
type Tag struct {
	// Artifact has no TurnID; Touch sets its times.
	Artifact events.Artifact
	// Max is that of the event.
	Max int
	// TurnID is the turn of the call, or of what the hook was told.
	TurnID string
	// CallID is empty for what is no call; ParentCallID is that of a subagent's call.
	CallID, ParentCallID string
}

func (*Tag) input() {}

// tag takes an artifact for the log.
func (s *Session) tag(in *Tag) error {
	turn := ""
	if s.Turn != nil && s.Turn.ID == in.TurnID {
		turn = in.TurnID
	}
	switch {
	case s.Ended == StatusDeleted:
		return ErrDeleted
	case in.CallID != "" && !s.tags(in, turn):
		return ErrCallEnded
	}
	d := &events.ArtifactTagged{Artifact: in.Artifact, Max: in.Max, ParentCallID: in.ParentCallID}
	d.Artifact.TurnID = turn
	d.Artifact.Touch(s.now)
	s.recordFor(turn, d)
	return nil
}

// tags says whether the call of a tag is open. A subagent's call that is not known
// here is part of the one that it works for.
func (s *Session) tags(in *Tag, turn string) bool {
	switch {
	case in.TurnID == "":
		return s.direct(in.CallID) >= 0
	case turn == "":
		return false
	}
	if c := s.Turn.call(in.CallID); c != nil {
		return c.Status == CallRunning
	}
	c := s.Turn.call(in.ParentCallID)
	return c != nil && c.Status != CallDone
}

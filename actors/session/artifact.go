package session

import (
	"errors"

	"github.com/gobdk/bdk/events"
)

// ErrCallEnded refuses what a call does after its end.
var ErrCallEnded = errors.New("session: the call has ended")

// Tag records an artifact.
type Tag struct {
	// Artifact has no TurnID; Touch sets its times.
	Artifact events.Artifact
	// Max is that of the event.
	Max int
	Origin
}

func (*Tag) input() {}

// tag takes an artifact for the log.
func (s *Session) tag(in *Tag) error {
	turn, err := s.placeOf(&in.Origin)
	if err != nil {
		return err
	}
	d := &events.ArtifactTagged{Artifact: in.Artifact, Max: in.Max, ParentCallID: in.ParentCallID}
	d.Artifact.TurnID = turn
	d.Artifact.Touch(s.now)
	s.recordFor(turn, d)
	return nil
}

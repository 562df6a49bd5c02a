package session

// An Origin says through which call something is recorded. A call records while it is
// open: of a turn within the turn, a direct one outside of any. What comes without a
// call, as from a hook, is recorded in its turn while that is the one that started,
// and outside of any later.
type Origin struct {
	// TurnID is the turn of the call, or of what the hook was told.
	TurnID string
	// CallID is empty for what is no call; ParentCallID is that of a subagent's call.
	CallID, ParentCallID string
}

// placeOf gives the turn that something of this origin is recorded in; empty for none.
func (s *Session) placeOf(in *Origin) (turn string, err error) {
	if s.Turn != nil && s.Turn.ID == in.TurnID {
		turn = in.TurnID
	}
	switch {
	case s.Ended == StatusDeleted:
		return "", ErrDeleted
	case in.CallID != "" && !s.isOpen(in, turn):
		return "", ErrCallEnded
	}
	return turn, nil
}

// isOpen says whether the call is. A subagent's call that is not known here is part of
// the one that it works for.
func (s *Session) isOpen(in *Origin, turn string) bool {
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

package session

import (
	"slices"

	"github.com/gobdk/bdk/events"
)

// updateChannel keeps what a channel says of its conversation. A session that has
// ended takes it as well: what was recorded last is delivered after the end.
func (s *Session) updateChannel(in *UpdateChannel) error {
	if s.Ended == StatusDeleted {
		return ErrDeleted
	}
	if in.State != nil || in.Token != "" {
		s.recordFor("", &events.ChannelUpdated{State: events.AsLogged(in.State), ContinuationToken: in.Token})
	}
	return nil
}

func (s *Session) applyChannel(d *events.ChannelUpdated) {
	if d.State != nil {
		s.ChannelState = d.State
	}
	if d.ContinuationToken != "" {
		s.ContinuationToken = d.ContinuationToken
	}
}

// join counts a message that joined a turn of the queue.
func (s *Session) join(turn string) {
	if s.Joined == nil {
		s.Joined = map[string]int{}
	}
	s.Joined[turn]++
}

// unqueue takes a turn out of the queue, because it starts or has ended.
func (s *Session) unqueue(turn string) {
	s.Queue = slices.DeleteFunc(s.Queue, func(id string) bool { return id == turn })
	delete(s.Joined, turn)
}

// messagesWaiting counts the messages whose turn has not started.
func (s *Session) messagesWaiting() int {
	n := len(s.Queue)
	for _, more := range s.Joined {
		n += more
	}
	return n
}

package cli

import (
	"context"
	"os"
	"sync"
)

// signals turns what asks the process to end into the end of a context, and a
// second request into an end at once.
type signals struct {
	cancel context.CancelCauseFunc
	// abort is closed by the second request.
	abort chan struct{}

	mu      sync.Mutex
	handler func(os.Signal) bool
	asked   bool
}

// handle lets a command take signals first; one that it answers true to counts
// as dealt with. Nil takes the handler away.
func (s *signals) handle(h func(os.Signal) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = h
}

// relay passes signals on until done is closed.
func (s *signals) relay(from <-chan os.Signal, done <-chan struct{}) {
	for {
		select {
		case sig, ok := <-from:
			if !ok {
				return
			}
			s.deliver(sig)
		case <-done:
			return
		}
	}
}

func (s *signals) deliver(sig os.Signal) {
	s.mu.Lock()
	handler, asked := s.handler, s.asked
	s.mu.Unlock()
	if !asked && handler != nil && handler(sig) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked {
		s.asked = true
		s.cancel(errInterrupted)
		return
	}
	select {
	case <-s.abort:
	default:
		close(s.abort)
	}
}

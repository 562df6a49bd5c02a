package transport

import (
	"context"
	"sync"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

// localFactor is how many times more streams the local principal may hold.
const localFactor = 10

// streams counts the open streams of each principal and can end them all.
type streams struct {
	perCaller int

	mu     sync.Mutex
	closed bool
	counts map[events.Principal]int
	open   map[*slot]struct{}
}

// A slot is the right to one open stream.
type slot struct {
	// ctx ends with the request, or when the server shuts down.
	ctx       context.Context
	cancel    context.CancelFunc
	all       *streams
	principal events.Principal
}

func newStreams(perCaller int) *streams {
	return &streams{perCaller: perCaller, counts: map[events.Principal]int{}, open: map[*slot]struct{}{}}
}

// take gives a slot, which its holder releases.
func (s *streams) take(ctx context.Context, p events.Principal) (*slot, error) {
	most := s.perCaller
	if p == localPrincipal {
		most *= localFactor
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, actors.ErrDraining
	}
	if s.counts[p] >= most {
		return nil, refuse("too_many_streams", "this principal has too many streams open")
	}
	sl := &slot{all: s, principal: p}
	sl.ctx, sl.cancel = context.WithCancel(ctx)
	s.counts[p]++
	s.open[sl] = struct{}{}
	return sl, nil
}

// release gives the slot back.
func (sl *slot) release() {
	sl.cancel()
	s := sl.all
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sl)
	if s.counts[sl.principal]--; s.counts[sl.principal] == 0 {
		delete(s.counts, sl.principal)
	}
}

// close ends every stream; none opens any more.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for sl := range s.open {
		sl.cancel()
	}
}

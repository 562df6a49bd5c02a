package cli

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/gobdk/bdk/actors"
)

// A landing lets browsers come back to a host of this process from a link that a turn
// gave: on a port of this machine, opened with the first link, that serves nothing else.
type landing struct {
	stack *stack
	ready chan struct{} // closed when stack is there

	mu     sync.Mutex
	base   string
	server *listening
}

func newLanding() *landing { return &landing{ready: make(chan struct{})} }

// attach gives it the host.
func (l *landing) attach(s *stack) {
	l.stack, s.landing = s, l
	close(l.ready)
}

// url is where browsers come back to.
func (l *landing) url(ctx context.Context) (string, error) {
	select {
	case <-l.ready:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.base != "" {
		return l.base, nil
	}
	at, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	l.base, l.server = "http://"+at.Addr().String(), serveOn(at, http.HandlerFunc(l.serve), &l.stack.edge)
	return l.base, nil
}

func (l *landing) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != actors.CallbackPath {
		http.NotFound(w, r)
		return
	}
	l.stack.handler.ServeHTTP(w, r)
}

// close frees the port, when answers that are under way are given or ctx ends. A nil
// landing has none.
func (l *landing) close(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.server == nil {
		return nil
	}
	err := l.server.close(ctx)
	l.server = nil
	return err
}

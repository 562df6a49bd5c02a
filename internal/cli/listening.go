package cli

import (
	"context"
	"errors"
	"net"
	"net/http"

	"github.com/gobdk/bdk/transport"
)

// A listening is a server of a command that serves a browser on this machine for a while.
type listening struct {
	server *http.Server
	// ended has what serving ended with.
	ended chan error
}

// serveOn serves what h answers on a port that is open, until close.
func serveOn(at net.Listener, h http.Handler, edge *transport.Options) *listening {
	l := &listening{server: transport.NewServer(h, edge), ended: make(chan error, 1)}
	go func() { l.ended <- l.server.Serve(at) }()
	return l
}

// close frees the port, when answers that are under way are given or ctx ends.
func (l *listening) close(ctx context.Context) error {
	if l.server.Shutdown(ctx) != nil {
		_ = l.server.Close() // who reads slowly is cut
	}
	if err := <-l.ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

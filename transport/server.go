package transport

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/rs/zerolog"
)

// headerSlop is what net/http reads beyond MaxHeaderBytes.
const headerSlop = 4096

// NewServer gives a server with the timeouts and header limits of the contract:
// 5 s for a request's headers, 120 s of idleness, no limit on how long a reply
// takes (each write has one). The caller serves and shuts it down; o may be nil.
func NewServer(h http.Handler, o *Options) *http.Server {
	var limits Limits
	logger := zerolog.Nop()
	if o != nil {
		limits, logger = o.Limits, o.Logger
	}
	limits.ensureDefaults()
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    max(limits.HeaderBytes-headerSlop, 1),
		ConnState: func(c net.Conn, s http.ConnState) {
			if s == http.StateIdle { // the last reply's time is over
				_ = c.SetWriteDeadline(time.Time{})
			}
		},
		BaseContext: func(l net.Listener) context.Context {
			return context.WithValue(context.Background(), bindKey{}, l.Addr())
		},
		ErrorLog: log.New(serverLog{logger}, "", 0),
	}
}

// serverLog takes what net/http has to say of connections.
type serverLog struct{ zerolog.Logger }

// Write logs one line.
func (l serverLog) Write(p []byte) (int, error) {
	l.Warn().Str("source", "http").Msg(strings.TrimSpace(string(p)))
	return len(p), nil
}

// Shutdown ends every stream at a line's end, then waits for the requests in
// hand until ctx ends, and cuts what is left. It may be called again.
func Shutdown(ctx context.Context, s *http.Server, h http.Handler) error {
	if e, ok := h.(interface{ endStreams() }); ok {
		e.endStreams()
	}
	if err := s.Shutdown(ctx); err != nil {
		return fmt.Errorf("transport: shutting down: %w", errors.Join(err, s.Close()))
	}
	return nil
}

// endStreams ends the open streams and refuses new ones.
func (h *handler) endStreams() { h.streams.close() }

package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

var (
	// errLost ends what is under way on a line that is closed.
	errLost = errors.New("the connection was lost")
	// errUnsent is in the error of what no server has begun with.
	errUnsent = errors.New("the server was not asked")
	// errDuring is in the error of what a server may have done, and did not answer.
	errDuring = errors.New("it was lost while the server was asked")
)

// A trip is what became of one request, as far as it is known on the road.
type trip struct {
	mu sync.Mutex
	// sent says that there was a connection to send on, and no answer since.
	sent bool
	// status is of the answer; 0: none began.
	status int
	// session says that the request named a session of the server's.
	session bool
	// cut says that the answer ended before its end.
	cut bool
}

type tripKey struct{}

// travel gives the context for one request, and what becomes of it.
func travel(ctx context.Context) (context.Context, *trip) {
	t := &trip{}
	return context.WithValue(ctx, tripKey{}, t), t
}

// tripOf is the one that a request belongs to, or one that nobody looks at.
func tripOf(ctx context.Context) *trip {
	if t, ok := ctx.Value(tripKey{}).(*trip); ok {
		return t
	}
	return &trip{}
}

// watched notes what becomes of a request.
func (t *trip) watched(q *http.Request) *http.Request {
	if q.Method != http.MethodPost {
		return q
	}
	t.mu.Lock()
	t.session, t.sent, t.status = q.Header.Get("Mcp-Session-Id") != "", false, 0
	t.mu.Unlock()
	return q.WithContext(httptrace.WithClientTrace(q.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.sent = true
	}}))
}

func (t *trip) answered(status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.status = status
}

// A hearing notes that the server has answered, also where what proves who calls
// makes an error of the answer.
type hearing struct{ next http.RoundTripper }

// RoundTrip is http.RoundTripper's.
func (h *hearing) RoundTrip(q *http.Request) (*http.Response, error) {
	res, err := h.next.RoundTrip(q)
	if err == nil {
		t := tripOf(q.Context())
		t.mu.Lock()
		defer t.mu.Unlock()
		t.sent = false
	}
	return res, err
}

func (t *trip) broke() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut = true
}

// refused says whether the server did not know the session, so that it did nothing.
func (t *trip) refused(err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.session || t.status != http.StatusBadRequest && t.status != http.StatusNotFound {
		return false
	}
	var said *jsonrpc.Error // a code of the protocol's own is about what was asked
	return !errors.As(err, &said) || said.Code > -32600 || said.Code < -32700
}

// vanished says whether the server was asked and no answer came, or half of one.
func (t *trip) vanished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cut || t.sent && t.status == 0
}

// told makes clear what an error of a request says about what the server did. ctx is
// the one that ends with the line.
func (t *trip) told(ctx context.Context, err error) error {
	var written *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sdk.ErrConnectionClosed), errors.Is(err, sdk.ErrSessionMissing), errors.As(err, &written), t.refused(err):
		return fmt.Errorf("%w: %w", errUnsent, err)
	case errors.Is(context.Cause(ctx), errLost), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", errDuring, err)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.vanished():
		return fmt.Errorf("%w: %w", errDuring, err)
	}
	return err
}

// An overtime says that something took longer than it may.
type overtime struct{ limit time.Duration }

// Error says how long was waited.
func (o *overtime) Error() string {
	return fmt.Sprintf("it did not answer within %s", seconds(o.limit))
}

// Is makes it a context.DeadlineExceeded.
func (o *overtime) Is(target error) bool { return target == context.DeadlineExceeded }

func seconds(d time.Duration) string {
	if d == time.Second {
		return "1 second"
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

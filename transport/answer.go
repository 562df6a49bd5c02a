package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// ofConnection are the headers that belong to the connection, which is the server's,
// and the length, which it counts.
var ofConnection = []string{"Connection", "Content-Length", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// answer sends what a handler answered. The body goes out as it comes, and is closed.
func (c *call) answer(res *agent.Response) error {
	shut := closing(res.Body)
	defer shut()
	status := res.Status
	if status == 0 {
		status = http.StatusOK
	}
	if status < 200 || status > 599 {
		return handlerFault(fmt.Sprintf("the handler answered with status %d; it is 200 to 599", status))
	}
	hasBody := res.Body != nil && status != http.StatusNoContent && status != http.StatusNotModified
	head, err := c.answerHeaders(res.Header, hasBody)
	if err != nil {
		return err
	}
	begin := func() {
		maps.Copy(c.w.Header(), head)
		c.begin(status)
	}
	n, whole := lengthOf(res.Body)
	if hasBody && whole {
		head.Set("Content-Length", strconv.Itoa(n))
	}
	switch {
	case !hasBody || c.r.Method == http.MethodHead:
		begin()
		return nil
	case whole:
		begin()
		return c.relay(c.r.Context(), res.Body, false)
	}
	sl, err := c.h.streams.take(c.r.Context(), c.principal)
	if err != nil {
		return err
	}
	defer sl.release()
	defer context.AfterFunc(sl.ctx, shut)() // a body that waits is told
	begin()
	_ = http.NewResponseController(c.w).Flush() // the head does not wait for the body
	return c.relay(sl.ctx, res.Body, true)
}

// closing closes a body where it can be closed, once.
func closing(body io.Reader) func() {
	return sync.OnceFunc(func() {
		if c, ok := body.(io.Closer); ok {
			_ = c.Close()
		}
	})
}

// answerHeaders gives the handler's headers. Those of the connection, and those that
// would let other origins read what this host does not, are left out.
func (c *call) answerHeaders(given http.Header, hasBody bool) (http.Header, error) {
	h := http.Header{}
	for name, values := range given {
		name = textproto.CanonicalMIMEHeaderKey(name)
		if slices.Contains(ofConnection, name) {
			continue
		}
		if strings.HasPrefix(name, "Access-Control-") {
			c.mounted.told.Do(func() {
				c.h.o.Logger.Warn().Str("route", c.mounted.method+" "+c.mounted.path).Str("header", name).
					Msg("a handler's CORS header was left out: which origins may read is said with --cors-origin alone")
			})
			continue
		}
		if !validHeader(name, values) {
			return nil, handlerFault(fmt.Sprintf("the handler answered with a header %q that cannot be sent", name))
		}
		if name == "Vary" {
			values = slices.Concat(c.w.Header()["Vary"], values)
		}
		h[name] = values
	}
	defaults := http.Header{"X-Content-Type-Options": noSniff, "Cache-Control": noStore}
	if hasBody {
		defaults["Content-Type"] = []string{"application/octet-stream"}
	}
	for name, values := range defaults {
		if _, there := h[name]; !there {
			h[name] = values
		}
	}
	return h, nil
}

// validHeader refuses what could end a header early.
func validHeader(name string, values []string) bool {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) }) {
		return false
	}
	return !slices.ContainsFunc(values, func(v string) bool {
		return strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
	})
}

// lengthOf is the length of a body that is in memory.
func lengthOf(body io.Reader) (int, bool) {
	if w, ok := body.(interface{ Unwrap() io.Reader }); ok {
		body = w.Unwrap()
	}
	switch b := body.(type) {
	case *bytes.Reader:
		return b.Len(), true
	case *bytes.Buffer:
		return b.Len(), true
	case *strings.Reader:
		return b.Len(), true
	}
	return 0, false
}

// relay sends a body piece by piece, where it flushes each as it comes. One that breaks off cuts the
// connection, so that nobody takes a part for the whole.
func (c *call) relay(ctx context.Context, body io.Reader, flushes bool) error {
	rc, buf := http.NewResponseController(c.w), make([]byte, 16<<10)
	for ctx.Err() == nil {
		n, err := body.Read(buf)
		if n > 0 {
			c.extend()
			if _, err := c.w.Write(buf[:n]); err != nil {
				return nil // the client is gone
			}
			if flushes {
				_ = rc.Flush()
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("%w: the body of its answer: %w", actors.ErrHandlerFailed, err)
		}
	}
	abort()
	return nil
}

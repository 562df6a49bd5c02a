package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/netguard"
)

// A road sends the requests of one client. To the address that the author wrote it
// goes with the headers; anywhere else, where a redirect or the server points, it
// goes without them, and to public addresses alone.
type road struct {
	life    context.Context // ends with the client
	home    *url.URL
	headers map[string]string
	own     http.RoundTripper
	other   http.RoundTripper
	base    *http.Transport
	// status is of the newest answer to a POST; 0: there was none.
	status atomic.Int32
}

func (p *Pool) newRoad(life context.Context, c *agent.Connection) (*road, error) {
	home, err := url.Parse(c.URL)
	if err != nil || home.Host == "" || home.Scheme != "http" && home.Scheme != "https" {
		return nil, fmt.Errorf("its url is not one of http or https")
	}
	r := &road{life: life, home: home}
	if r.headers, err = p.fill(c, "headers", c.Headers); err != nil {
		return nil, err
	}
	r.base = http.DefaultTransport.(*http.Transport).Clone()
	r.own = &hearing{r.base}
	r.other = netguard.NewTransport(&netguard.Options{MaxBody: maxMessage})
	if c.OAuth == nil {
		return r, nil
	}
	if p.o.Authorize == nil {
		return nil, fmt.Errorf("it asks for oauth, which this build does not do: send a token with headers, such as {Authorization: \"Bearer ${TOKEN}\"}")
	}
	auth, err := p.o.Authorize(c)
	if err != nil {
		return nil, err
	}
	r.own = auth.RoundTripper(r.own)
	return r, nil
}

func (r *road) client() *http.Client {
	return &http.Client{Transport: r, CheckRedirect: netguard.CheckRedirect}
}

func (r *road) close() {
	r.base.CloseIdleConnections()
	if c, ok := r.other.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// RoundTrip is http.RoundTripper's.
func (r *road) RoundTrip(q *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(q.Context())
	stop := context.AfterFunc(r.life, func() { cancel(context.Cause(r.life)) })
	trip := tripOf(ctx)
	q = trip.watched(q.Clone(ctx))
	next := r.other
	if netguard.SameOrigin(q.URL, r.home) {
		next = r.own
		for name, value := range r.headers {
			q.Header.Set(name, value)
		}
	}
	res, err := next.RoundTrip(q)
	if err != nil {
		stop()
		cancel(err)
		return nil, err
	}
	if q.Method == http.MethodPost {
		r.status.Store(int32(res.StatusCode))
		trip.answered(res.StatusCode)
	}
	body := &endingBody{ReadCloser: res.Body, trip: trip, end: func() { stop(); cancel(nil) }}
	switch kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind {
	case "text/event-stream":
		res.Body = newFilter(body, asEvents)
	default:
		res.Body = newFilter(body, asWhole)
	}
	res.Header.Del("Content-Length")
	res.ContentLength = -1
	return res, nil
}

// An endingBody lets go of its request's context when it is closed.
type endingBody struct {
	io.ReadCloser
	trip *trip
	end  func()
}

// Read is io.Reader's.
func (b *endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.trip.broke()
	}
	return n, err
}

// Close is io.Closer's.
func (b *endingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// answers is the status of the newest answer to a POST; 0: there was none.
func (r *road) answers() int { return int(r.status.Load()) }

// isOlder says whether the answer is that of a server that may know the older transport alone.
func (r *road) isOlder() bool {
	switch r.answers() {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}

// refuses says whether the server does not let us in.
func (r *road) refuses() bool {
	return r.answers() == http.StatusUnauthorized || r.answers() == http.StatusForbidden
}

// statusText adds what to do where the server refuses the caller.
func statusText(err error, status int) error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%w (status %d: check the headers of the connection)", err, status)
	}
	return err
}

package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// InProcess gives a transport that hands requests to a handler of the same
// process, as if they came from the loopback address. Closing a response's body
// ends its request and waits for the handler to return.
func InProcess(h http.Handler) http.RoundTripper { return inProcess{h} }

type inProcess struct{ handler http.Handler }

// RoundTrip returns as soon as the handler wrote its header; the body follows.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	r := req.Clone(ctx)
	r.RemoteAddr = "127.0.0.1:0"
	r.RequestURI = r.URL.RequestURI()
	r.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.1", 1, 1
	if r.Host == "" {
		r.Host = req.URL.Host
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	reader, writer := io.Pipe()
	a := &answer{header: http.Header{}, body: writer, ready: make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.serve(t.handler, r)
	}()
	end := func() error {
		cancel()
		err := reader.Close()
		<-done
		return err
	}
	select {
	case <-a.ready:
	case <-ctx.Done():
		_ = end()
		return nil, context.Cause(ctx)
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status,
		Proto: r.Proto, ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, Body: &body{ctx: ctx, r: reader, end: end}, ContentLength: -1, Request: req,
	}, nil
}

// An answer is a response on its way from the handler to the client.
type answer struct {
	header http.Header
	body   *io.PipeWriter
	ready  chan struct{} // closed when status and sent are set
	status int
	sent   http.Header // what header was when it was sent
}

// serve runs the handler; a panic breaks the body instead of the process.
func (a *answer) serve(h http.Handler, r *http.Request) {
	defer func() {
		p := recover()
		if p == nil {
			a.WriteHeader(http.StatusOK)
			_ = a.body.Close()
			return
		}
		a.WriteHeader(http.StatusInternalServerError)
		_ = a.body.CloseWithError(broken(p))
	}()
	h.ServeHTTP(a, r)
}

// broken says why a body ends early.
func broken(p any) error {
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return io.ErrUnexpectedEOF
	}
	return fmt.Errorf("the handler panicked: %s", strings.TrimSpace(fmt.Sprint(p)))
}

// Header is the header that WriteHeader sends.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader counts once.
func (a *answer) WriteHeader(status int) {
	if a.sent != nil {
		return
	}
	a.status, a.sent = status, a.header.Clone()
	if a.sent == nil {
		a.sent = http.Header{}
	}
	close(a.ready)
}

// Write waits until the client has read.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if len(p) == 0 {
		return 0, nil
	}
	return a.body.Write(p)
}

// Flush sends the header; what is written is on its way at once anyhow.
func (a *answer) Flush() { a.WriteHeader(http.StatusOK) }

// SetWriteDeadline has nothing to bound: a client of the same process ends its request by closing.
func (a *answer) SetWriteDeadline(time.Time) error { return nil }

// SetReadDeadline has nothing to bound either.
func (a *answer) SetReadDeadline(time.Time) error { return nil }

type body struct {
	ctx context.Context
	r   io.Reader
	end func() error
}

// Read gives the context's error where the handler ended because of it.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if errors.Is(err, io.EOF) && b.ctx.Err() != nil {
		err = b.ctx.Err()
	}
	return n, err
}

// Close ends the request.
func (b *body) Close() error { return b.end() }

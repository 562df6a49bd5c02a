package fakemodel

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// Transport gives a client's way to the server that needs no network, so that a
// test can run in a bubble of testing/synctest. A cut is an unexpected end there.
func (s *Server) Transport() http.RoundTripper { return memory{s} }

type memory struct{ handler http.Handler }

// RoundTrip runs the handler on a goroutine, which ends when the body is closed or
// the request's context ends.
func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	reader, writer := io.Pipe()
	w := &pipeWriter{header: http.Header{}, body: writer, ready: make(chan struct{})}
	go func() {
		_ = writer.CloseWithError(w.run(m.handler, r.Clone(ctx)))
		w.WriteHeader(http.StatusOK)
	}()
	select {
	case <-w.ready:
	case <-r.Context().Done():
		cancel()
		return nil, r.Context().Err()
	}
	if w.err != nil {
		cancel()
		return nil, w.err
	}
	stop := context.AfterFunc(r.Context(), func() { _ = reader.CloseWithError(r.Context().Err()) })
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: &pipeBody{PipeReader: reader, end: func() { stop(); cancel() }}, ContentLength: -1, Request: r,
	}, nil
}

type pipeBody struct {
	*io.PipeReader
	end func()
}

func (b *pipeBody) Close() error {
	err := b.PipeReader.Close()
	b.end()
	return err
}

// A pipeWriter is a http.ResponseWriter into a pipe.
type pipeWriter struct {
	header http.Header
	body   *io.PipeWriter

	once   sync.Once
	ready  chan struct{} // closed when status or err is set
	status int
	err    error // the handler gave up before it answered
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status = status
		w.header = w.header.Clone()
		close(w.ready)
	})
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }

// run gives the error with which the body ends; nil is a clean end.
func (w *pipeWriter) run(h http.Handler, r *http.Request) (err error) {
	defer func() {
		switch v := recover(); v {
		case nil:
		case http.ErrAbortHandler:
			err = io.ErrUnexpectedEOF
			w.once.Do(func() { w.err = io.EOF; close(w.ready) })
		default:
			panic(v)
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

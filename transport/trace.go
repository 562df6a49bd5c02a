package transport

import (
	"net/http"
	"sync"
)

// A Traced is what came of a request.
type Traced struct {
	Status int
	// Session is the one that the request named, or that its message went to. Tool is
	// the tool that it called. Empty where there is none.
	Session, Tool string
}

// traced is what a request turned out to be about, noted from any goroutine.
type traced struct {
	mu            sync.Mutex
	session, tool string
}

func (t *traced) note(session, tool string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if session != "" {
		t.session = session
	}
	if tool != "" {
		t.tool = tool
	}
}

// trace tells Options.Trace of the call; what it gives ends that.
func (c *call) trace() (end func()) {
	if c.h.o.Trace == nil {
		return func() {}
	}
	w := &statusWriter{ResponseWriter: c.w}
	c.w = w
	route := "unknown"
	if e, _ := c.h.router.find(c.r); e != nil {
		route = e.path
	}
	done := c.h.o.Trace(c.r, route)
	return func() {
		if w.status == 0 {
			w.status = http.StatusOK
		}
		if c.called != nil {
			c.about.note("", c.called.Name)
		}
		c.about.note(c.session.ID, "")
		c.about.mu.Lock()
		defer c.about.mu.Unlock()
		done(Traced{w.status, c.about.session, c.about.tool})
	}
}

// A statusWriter notes the status that is written.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader is http.ResponseWriter's.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

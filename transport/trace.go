package transport

import "net/http"

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
		done(w.status, c.session.ID)
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

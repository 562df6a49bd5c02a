package transport

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
)

// An mcpWriter puts the SDK's answer on the wire as every reply goes out here. What
// the SDK refuses in plain text becomes an error of the protocol. One goroutine at
// a time writes: the SDK's, while the request's own waits.
type mcpWriter struct {
	c      *call
	id     json.RawMessage
	status int
	// refusal is the plain text; nil where the answer is one of the protocol.
	refusal *bytes.Buffer
}

// Header is that of the reply.
func (w *mcpWriter) Header() http.Header { return w.c.w.Header() }

// WriteHeader begins the reply; a second one is ignored.
func (w *mcpWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	h := w.Header()
	switch contentType := h.Get("Content-Type"); {
	case status >= 400 && contentType != "application/json":
		w.refusal = &bytes.Buffer{}
		return
	case contentType == eventStream:
		h["X-Accel-Buffering"] = unbuffered
	}
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h["Cross-Origin-Resource-Policy"] = ownPages
	w.c.begin(status)
}

// Write begins the reply with 200 where nobody has.
func (w *mcpWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.refusal != nil {
		return w.refusal.Write(b)
	}
	w.c.extend()
	return w.c.w.Write(b)
}

// FlushError sends what was written.
func (w *mcpWriter) FlushError() error {
	if w.refusal != nil {
		return nil
	}
	return http.NewResponseController(w.c.w).Flush()
}

// finish answers with what was refused in plain text.
func (w *mcpWriter) finish() error {
	if w.refusal == nil {
		return nil
	}
	for _, name := range []string{"Content-Length", "Connection"} {
		w.Header().Del(name)
	}
	return w.c.refuseMCP(w.id, &rpcFault{status: w.status, code: rpcInvalidRequest, message: strings.TrimSpace(w.refusal.String())})
}

package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// writeTimeout bounds each write to a client that does not read.
const writeTimeout = 30 * time.Second

// Header values are shared: net/http only reads them.
var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"}
	noSniff  = []string{"nosniff"}
	ownPages = []string{"same-origin"}
)

// encoders are reused: making one costs as much as the encoding.
var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.buf)
	e.json.SetEscapeHTML(false)
	return e
}}

type encoder struct {
	buf  bytes.Buffer
	json *json.Encoder
}

// reply writes a JSON reply.
func (c *call) reply(status int, body any) error {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.buf.Reset()
	if err := e.json.Encode(body); err != nil {
		return fmt.Errorf("encoding a reply: %w", err)
	}
	c.send(status, jsonType, e.buf.Bytes())
	if e.buf.Cap() > keptSize {
		e.buf = bytes.Buffer{}
	}
	return nil
}

// send writes a whole reply. A client that is gone is nobody's error.
func (c *call) send(status int, contentType []string, body []byte) {
	c.head(status, contentType)
	_, _ = c.w.Write(body)
}

// head writes the status and the headers that every reply has.
func (c *call) head(status int, contentType []string) {
	h := c.w.Header()
	h["Content-Type"] = contentType
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h["Cross-Origin-Resource-Policy"] = ownPages // as an image or a script no other site loads it
	c.begin(status)
}

// begin writes the status and the headers as they are.
func (c *call) begin(status int) {
	if c.unread() {
		c.partly()
	}
	c.extend()
	c.sent = true
	c.w.WriteHeader(status)
}

// extend gives the next write its time. Where the writer has no deadlines there is none.
func (c *call) extend() {
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(c.h.patience))
}

// root is the absolute URL of the host.
func (c *call) root() string {
	scheme := "http"
	if c.r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + c.r.Host
}

// base is the absolute URL under which the agent's routes stand.
func (c *call) base(slug string) string {
	if c.h.o.Mode == ModeSingle {
		return c.root()
	}
	return c.root() + "/" + slug
}

package transport

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

// bodyTimeout is how long a body may take to come.
const bodyTimeout = 30 * time.Second

// readBody takes a body of JSON from the connection; nil when there is none.
func (c *call) readBody(limit int64) ([]byte, error) { return c.readTyped(limit, checkMediaType) }

// readTyped takes the body from the connection; nil when there is none. It checks
// the type before the size and the size before the content.
func (c *call) readTyped(limit int64, check func(http.Header) error) ([]byte, error) {
	if c.r.ContentLength == 0 {
		c.bodyRead = true
		return nil, nil
	}
	rc := http.NewResponseController(c.w)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout)) // a writer without deadlines has none
	if c.r.Header.Get("Expect") != "" {
		c.extend() // reading writes "100 Continue"
	}
	defer func() { _ = rc.SetReadDeadline(time.Time{}) }()
	var b []byte
	if c.r.ContentLength < 0 {
		// A chunked body may be empty, and then needs no type.
		b = make([]byte, 1, 512)
		if n, err := io.ReadFull(c.r.Body, b); n == 0 {
			c.bodyRead = err == io.EOF
			return nil, ended(err)
		}
	}
	if err := check(c.r.Header); err != nil {
		return nil, err
	}
	if c.r.ContentLength > limit {
		return nil, tooLarge()
	}
	return c.readRest(b, limit)
}

func (c *call) readRest(b []byte, limit int64) ([]byte, error) {
	if n := c.r.ContentLength; n > 0 {
		b = make([]byte, 0, min(n+1, 64<<10))
	}
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := c.r.Body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if int64(len(b)) > limit {
			return nil, tooLarge()
		}
		if err == io.EOF {
			c.bodyRead = true
			return b, nil
		}
		if err != nil {
			return nil, ended(err)
		}
	}
}

func tooLarge() error {
	return refuse("body_too_large", "the body is larger than this route takes")
}

// ended is the problem of a body that did not come whole; nil for one that is just empty.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return refuse("invalid_body", "the body did not come whole")
}

// checkMediaType takes JSON in UTF-8, not compressed.
func checkMediaType(h http.Header) error {
	if err := checkEncoding(h); err != nil {
		return err
	}
	types := h["Content-Type"]
	if len(types) == 1 && (types[0] == "application/json" || isJSON(types[0])) {
		return nil
	}
	return refuse("unsupported_media_type", "the content type must be application/json")
}

// checkEncoding refuses bodies that would have to be unpacked.
func checkEncoding(h http.Header) error {
	if enc := h["Content-Encoding"]; len(enc) > 1 || len(enc) == 1 && !strings.EqualFold(enc[0], "identity") {
		return refuse("unsupported_media_type", "compressed bodies are not taken")
	}
	return nil
}

func isJSON(contentType string) bool {
	name, params, err := mime.ParseMediaType(contentType)
	if err != nil || name != "application/json" {
		return false
	}
	charset, ok := params["charset"]
	return !ok || strings.EqualFold(charset, "utf-8")
}

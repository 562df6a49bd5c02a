package transport

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

// A reader reads a stream line by line.
type reader struct {
	t    *testing.T
	res  *http.Response
	in   *bufio.Reader
	last string
}

type line struct {
	Type   string
	Index  uint64
	TurnID string
	Data   json.RawMessage
}

func (c *client) stream(path string, headers ...string) *reader {
	c.t.Helper()
	res := c.open("GET", path, "", headers...)
	if res.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(res.Body)
		c.t.Fatalf("%s: %d %s", path, res.StatusCode, b)
	}
	return &reader{t: c.t, res: res, in: bufio.NewReader(res.Body)}
}

// next gives the next event of an NDJSON stream.
func (r *reader) next() line {
	r.t.Helper()
	var l line
	if err := json.Unmarshal([]byte(r.text()), &l); err != nil {
		r.t.Fatalf("%v in %q", err, r.last)
	}
	return l
}

// text gives the next line as it came.
func (r *reader) text() string {
	r.t.Helper()
	s, err := r.in.ReadString('\n')
	if err != nil {
		r.t.Fatalf("after %q: %v", s, err)
	}
	r.last = s
	return s
}

// end fails unless the stream ends here, whole.
func (r *reader) end() {
	r.t.Helper()
	if b, err := io.ReadAll(r.in); err != nil || len(b) > 0 {
		r.t.Fatalf("%d bytes more, %v: %q", len(b), err, b)
	}
}

func (r *reader) close() { _ = r.res.Body.Close() }

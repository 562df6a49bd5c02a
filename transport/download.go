package transport

import (
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/gobdk/bdk/events"
)

// Headers of a download. Whatever the contents are, a browser that opens them runs
// nothing: they are a file to be kept, of a type that is harmless or of none, and the
// page that they would be may load and run nothing.
const (
	downloadPolicy = "default-src 'none'; sandbox"
	downloadCache  = "private, no-cache" // may be kept, and is asked for by its ETag each time
)

// content sends an artifact's contents as a file.
func (c *call) content() error {
	f, err := c.h.host.OpenContents(c.r.Context(), c.artifact)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	d := &download{c: c, from: f, size: size, etag: `"` + c.artifact.SHA256 + `"`, contentType: safeType(c.artifact.ContentType)}
	switch {
	case !d.matches("If-Match", true):
		return refuse("precondition_failed", "the contents are not those that If-Match names")
	case !d.matches("If-None-Match", false):
		d.headers()
		c.w.Header().Del("Content-Type")
		c.begin(http.StatusNotModified)
		return nil
	}
	spans, ok := d.spans()
	if !ok {
		c.w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		return refuse("invalid_range", fmt.Sprintf("the contents have %d bytes, and none of those that Range asks for", size))
	}
	d.headers()
	if err := d.send(spans); err != nil { // it cannot be told any more but by breaking off
		c.h.o.Logger.Error().Err(err).Str("artifact", c.artifact.ID).Msg("a download broke off")
		abort()
	}
	return nil
}

// A download is one reply with contents.
type download struct {
	c           *call
	from        io.ReadSeeker
	size        int64
	etag        string
	contentType string
}

// matches says whether a condition on the tag holds; a header that is not there
// asks for none.
func (d *download) matches(header string, wanted bool) bool {
	lines := d.c.r.Header.Values(header)
	if len(lines) == 0 {
		return true
	}
	named := false
	for tag := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		tag = strings.TrimSpace(tag)
		named = named || tag == "*" || strings.TrimPrefix(tag, "W/") == d.etag
	}
	return named == wanted
}

// spans gives the ranges that are asked for: none for the whole. ok is false when
// there is nothing in any of them.
func (d *download) spans() (spans []span, ok bool) {
	lines := d.c.r.Header.Values("Range")
	if len(lines) != 1 || d.c.r.Method != http.MethodGet || d.size == 0 {
		return nil, true
	}
	if since := d.c.r.Header.Get("If-Range"); since != "" && since != d.etag {
		return nil, true
	}
	return parseRange(lines[0], d.size)
}

func (d *download) headers() {
	h := d.c.w.Header()
	h["Content-Type"] = []string{d.contentType}
	h["X-Content-Type-Options"] = noSniff
	h.Set("Content-Disposition", disposition(nameOfFile(d.c.artifact)))
	h.Set("Content-Security-Policy", downloadPolicy)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", downloadCache)
	h.Set("ETag", d.etag)
	h.Set("Accept-Ranges", "bytes")
}

// nameOfFile is what the author called the file, else the artifact's key.
func nameOfFile(a *events.Artifact) string {
	if a.FileName != "" {
		return a.FileName
	}
	return a.Key
}

// send writes the whole, a range, or several as one message of parts. An error is one
// of reading: a client that is gone is nobody's error.
func (d *download) send(spans []span) error {
	h := d.c.w.Header()
	switch len(spans) {
	case 0:
		h.Set("Content-Length", strconv.FormatInt(d.size, 10))
		d.c.begin(http.StatusOK)
		return d.copy(d.c.w, span{0, d.size})
	case 1:
		h.Set("Content-Range", spans[0].contentRange(d.size))
		h.Set("Content-Length", strconv.FormatInt(spans[0].length, 10))
		d.c.begin(http.StatusPartialContent)
		return d.copy(d.c.w, spans[0])
	}
	m := multipart.NewWriter(d.c.w)
	h.Set("Content-Type", "multipart/byteranges; boundary="+m.Boundary())
	d.c.begin(http.StatusPartialContent)
	for _, s := range spans {
		part, err := m.CreatePart(textproto.MIMEHeader{"Content-Type": {d.contentType}, "Content-Range": {s.contentRange(d.size)}})
		if err != nil {
			return nil // the client is gone
		}
		if err := d.copy(part, s); err != nil {
			return err
		}
	}
	_ = m.Close()
	return nil
}

// copy writes a span piece by piece, each with its own time.
func (d *download) copy(to io.Writer, s span) error {
	if d.c.r.Method == http.MethodHead {
		return nil
	}
	if _, err := d.from.Seek(s.start, io.SeekStart); err != nil {
		return err
	}
	buf := make([]byte, min(s.length, flushSize))
	for left := s.length; left > 0; {
		n, err := io.ReadFull(d.from, buf[:min(left, int64(len(buf)))])
		if err != nil {
			return err
		}
		d.c.extend()
		if _, err := to.Write(buf[:n]); err != nil {
			return nil
		}
		left -= int64(n)
	}
	return nil
}

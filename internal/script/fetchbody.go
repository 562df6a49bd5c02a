package script

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A fetchBody is an open response. Close is safe at any time.
type fetchBody struct {
	ctx context.Context
	// body is unpacked, raw what came over the network.
	body   io.Reader
	raw    io.Closer
	cancel context.CancelFunc
	once   sync.Once
	// left is how much the body may still give.
	left int64
}

// Close ends the response.
func (b *fetchBody) Close() error {
	b.once.Do(func() {
		b.cancel()
		b.raw.Close()
	})
	return nil
}

// readBody gives the next chunk, "" at the end.
func (v *vm) readBody(handle int, from io.Closer) (any, error) {
	b, open := from.(*fetchBody)
	if _, expired := from.(expired); expired {
		return nil, fetchTimedOut(v.o.FetchTimeout)
	}
	if !open {
		return "", nil
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := b.body.Read(buf)
		if b.left -= int64(n); b.left < 0 {
			v.handles.close(handle)
			return nil, typeError("the response is larger than %s", sizeText(v.o.FetchBody))
		}
		if n > 0 {
			return fromBytes(buf[:n]), nil
		}
		if err == nil {
			continue
		}
		v.handles.close(handle)
		switch {
		case errors.Is(err, io.EOF):
			return "", nil
		case errors.Is(b.ctx.Err(), context.DeadlineExceeded):
			return nil, fetchTimedOut(v.o.FetchTimeout)
		}
		return nil, &hostError{Name: "TypeError", Message: "terminated: the response ended early", Cause: causeOf(err)}
	}
}

func sizeText(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// known are the codings that a response may be packed with.
var known = []string{"gzip", "x-gzip", "deflate", "identity"}

// codings is what a request accepts: of what the author asks for, that which can be unpacked.
func codings(asked string) string {
	if asked == "" {
		return "gzip, deflate"
	}
	var list []string
	for coding := range strings.SplitSeq(asked, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if slices.Contains(known, strings.ToLower(name)) {
			list = append(list, strings.TrimSpace(coding))
		}
	}
	if len(list) == 0 {
		return "identity"
	}
	return strings.Join(list, ", ")
}

// unpacked reads a response's body as its Content-Encoding says, the last coding
// first. The packing itself is looked at when the first byte is read.
func unpacked(res *http.Response) (io.Reader, error) {
	var names []string
	for _, value := range res.Header.Values("Content-Encoding") {
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
				names = append(names, name)
			}
		}
	}
	body := io.Reader(res.Body)
	if res.Request.Method == http.MethodHead || res.ContentLength == 0 {
		return body, nil
	}
	for _, name := range slices.Backward(names) {
		switch name {
		case "gzip", "x-gzip":
			body = &lazyReader{from: body, open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}
		case "deflate":
			body = &lazyReader{from: body, open: inflater}
		default:
			return nil, fmt.Errorf("the response is packed as %s, which is not one of gzip, deflate", name)
		}
	}
	return body, nil
}

// inflater reads deflate both ways: with the header that it should have, and without.
func inflater(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8+int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// A lazyReader opens what unpacks when it is first read, so that headers need not
// wait for the body.
type lazyReader struct {
	from io.Reader
	open func(io.Reader) (io.Reader, error)
	r    io.Reader
}

// Read reads unpacked bytes.
func (l *lazyReader) Read(p []byte) (int, error) {
	if l.r == nil {
		r, err := l.open(l.from)
		if err != nil {
			return 0, err
		}
		l.r = r
	}
	return l.r.Read(p)
}

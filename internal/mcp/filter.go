package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// maxMessage is how long one message of a server may be.
const maxMessage = 16 << 20

var errMessageTooLong = fmt.Errorf("the server sent a message of more than %d bytes", maxMessage)

// A filter reads messages in one of the forms of the transports, and gives them on
// rewritten in the same form.
type filter struct {
	from io.ReadCloser
	buf  *bufio.Reader
	next func(*bufio.Reader) ([]byte, error)
	rest []byte
	err  error
	// ended says that there was nothing more to read.
	ended atomic.Bool
}

// Forms of messages on the wire.
var (
	asLines  = nextLine  // one a line, over stdio
	asEvents = nextEvent // events of a stream
	asWhole  = nextWhole // one, a whole body
)

func newFilter(from io.ReadCloser, next func(*bufio.Reader) ([]byte, error)) *filter {
	return &filter{from: from, buf: bufio.NewReader(from), next: next}
}

// Close is io.Closer's.
func (f *filter) Close() error { return f.from.Close() }

// Read is io.Reader's.
func (f *filter) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		if f.rest, f.err = f.next(f.buf); errors.Is(f.err, io.EOF) {
			f.ended.Store(true)
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// readLine gives a line with its end; the last one may have none.
func readLine(r *bufio.Reader, max int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > max {
			return nil, errMessageTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func nextLine(r *bufio.Reader) ([]byte, error) {
	line, err := readLine(r, maxMessage)
	if text := bytes.TrimSpace(line); len(text) > 0 {
		return append(keepRaw(text), '\n'), err
	}
	return nil, err
}

// nextEvent gathers an event: its fields as they are, its data rewritten in one line.
func nextEvent(r *bufio.Reader) (out []byte, err error) {
	var data [][]byte
	size := 0
	for {
		var line []byte
		if line, err = readLine(r, maxMessage-size); errors.Is(err, errMessageTooLong) {
			return nil, err
		}
		size += len(line)
		text := bytes.TrimRight(line, "\r\n")
		value, isData := bytes.CutPrefix(text, []byte("data:"))
		switch {
		case isData:
			data = append(data, bytes.TrimPrefix(value, []byte(" ")))
		case len(text) > 0:
			out = append(append(out, text...), '\n')
		}
		if err != nil || len(text) == 0 {
			break
		}
	}
	if len(data) > 0 {
		out = append(append(append(out, "data: "...), oneLine(keepRaw(bytes.Join(data, []byte("\n"))))...), '\n')
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	return out, err
}

// oneLine takes the breaks out of JSON, where they mean nothing.
func oneLine(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte(" ")) }

func nextWhole(r *bufio.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxMessage+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxMessage:
		return nil, errMessageTooLong
	}
	return keepRaw(body), io.EOF
}

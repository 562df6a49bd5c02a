package harness

import (
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// Bounds of a program's output.
const (
	// inlineBytes is what an answer has of each end of a longer output.
	inlineBytes = 16 << 10
	// keptBytes is what is kept of one in a file.
	keptBytes = 10 << 20
)

// A capture takes a program's output: its ends in memory, and more of it in a file,
// however much there is. It is used by one goroutine at a time.
type capture struct {
	head []byte
	tail ring
	n    int64
	// aside makes the file on first need; file is nil before, and after it failed.
	aside func() (*os.File, error)
	file  *os.File
	// nameless says that nobody else finds the file, which ends when it is closed.
	nameless bool
	// lost says that the file could not be made or written.
	lost bool
}

// Write takes a piece. It never fails.
func (c *capture) Write(p []byte) (int, error) {
	if room := 2*inlineBytes - len(c.head); room > 0 {
		c.head = append(c.head, p[:min(room, len(p))]...)
	}
	if c.n += int64(len(p)); c.n > 2*inlineBytes {
		c.spill(p)
	}
	c.tail.write(p)
	return len(p), nil
}

// spill keeps a piece in the file, with what came before it.
func (c *capture) spill(p []byte) {
	had := c.n - int64(len(p))
	if c.file == nil && !c.lost {
		var err error
		if c.file, err = c.aside(); err == nil {
			c.nameless = os.Remove(c.file.Name()) == nil // so that a crash leaves nothing
			_, err = c.file.Write(c.head[:min(int64(len(c.head)), had)])
		}
		c.lost = err != nil
	}
	if c.lost || had >= keptBytes {
		return
	}
	_, err := c.file.Write(p[:min(int64(len(p)), keptBytes-had)])
	c.lost = err != nil
}

// close lets go of the file.
func (c *capture) close() {
	if c.file != nil {
		_ = c.file.Close()
		if !c.nameless {
			_ = os.Remove(c.file.Name())
		}
	}
}

// long says whether an answer cannot have all of it.
func (c *capture) long() bool { return c.n > 2*inlineBytes }

// text is the output as an answer has it: whole, or its ends.
func (c *capture) text() string {
	if !c.long() {
		return valid(c.head)
	}
	head, tail := cutEnd(string(c.head), inlineBytes), cutStart(string(c.tail.bytes()), inlineBytes-utf8.UTFMax)
	left := c.n - int64(len(head)) - int64(len(tail))
	return fmt.Sprintf("%s\n[… %d bytes are left out here …]\n%s", valid([]byte(head)), left, valid([]byte(tail)))
}

// kept gives what the file holds.
func (c *capture) kept() ([]byte, error) {
	if c.file == nil || c.lost {
		return nil, fmt.Errorf("the output was not kept")
	}
	if _, err := c.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(c.file, keptBytes))
}

// A ring keeps the last bytes of what is written: up to inlineBytes.
type ring struct {
	b  [inlineBytes]byte
	at int
	n  int
}

func (r *ring) write(p []byte) {
	p = p[max(0, len(p)-len(r.b)):]
	for len(p) > 0 {
		k := copy(r.b[r.at:], p)
		r.at = (r.at + k) % len(r.b)
		r.n = min(r.n+k, len(r.b))
		p = p[k:]
	}
}

// bytes gives what is kept, in order.
func (r *ring) bytes() []byte {
	if r.n < len(r.b) {
		return r.b[:r.n]
	}
	return append(append([]byte{}, r.b[r.at:]...), r.b[:r.at]...)
}

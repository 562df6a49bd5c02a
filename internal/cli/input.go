package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
)

// An input reads lines from stdin on demand, so that waiting for one can be
// given up. Reading itself cannot be: a line that nobody waits for any more is
// given to who asks next.
type input struct {
	in   *bufio.Reader
	want chan struct{}
	got  chan inputLine
	once sync.Once

	// waiting says that a line was asked for and has not come.
	waiting bool
}

type inputLine struct {
	text string
	err  error
}

// newInput gives the lines of r. It reads nothing before the first is asked for.
func newInput(r io.Reader) *input {
	return &input{in: bufio.NewReader(r), want: make(chan struct{}, 1), got: make(chan inputLine, 1)}
}

// read answers each request with one line. It ends with close, but for a read
// that nobody can end: that one ends with the process.
func (i *input) read() {
	for range i.want {
		text, err := i.in.ReadString('\n')
		if text != "" && errors.Is(err, io.EOF) {
			err = nil
		}
		i.got <- inputLine{strings.TrimRight(text, "\r\n"), err}
	}
}

// lines asks for a line, unless one is being waited for, and gives where it comes.
// Who takes it from there calls taken.
func (i *input) lines() <-chan inputLine {
	i.once.Do(func() { go i.read() })
	if !i.waiting {
		i.waiting = true
		i.want <- struct{}{}
	}
	return i.got
}

func (i *input) taken() { i.waiting = false }

// line gives the next line; io.EOF at the end.
func (i *input) line(ctx context.Context) (string, error) {
	select {
	case l := <-i.lines():
		i.taken()
		return l.text, l.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// close ends the reading once the line being waited for has come.
func (i *input) close() { close(i.want) }

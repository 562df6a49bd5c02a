package cli

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/logs"
)

// progressAfter is how long work may be silent.
const progressAfter = time.Second

// clearLine takes the cursor to the begin of its line and empties that.
const clearLine = "\r\x1b[2K"

// A status is one line on a terminal that says what goes on while nothing else
// is written for a second. Whatever is written next takes its place, so that
// nothing of it is left. A nil status shows nothing.
type status struct {
	out io.Writer

	mu    sync.Mutex
	timer *time.Timer
	// what goes on, empty when nothing does.
	what string
	// shown says that the line is on the terminal now.
	shown bool
	// live says that the line is there all the time, not only after a second of silence.
	live bool
	// inLine says that the cursor stands behind other text, which stays as it is.
	inLine bool
}

func newStatus(terminal io.Writer) *status {
	s := &status{out: terminal}
	s.timer = time.AfterFunc(time.Hour, s.elapsed)
	s.timer.Stop()
	return s
}

// begin says what goes on from now on, instead of anything before.
func (s *status) begin(what string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.what, s.live = shortLine(what, lineWidth), false
	s.timer.Reset(progressAfter)
}

// show says what goes on at once and until end, however much else is written.
func (s *status) show(what string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.what, s.live = shortLine(what, liveWidth), true
	s.timer.Stop()
	s.draw()
}

// end says that nothing goes on any more.
func (s *status) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.what, s.live = "", false
	s.timer.Stop()
}

// elapsed is called by the timer.
func (s *status) elapsed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draw()
}

// draw puts the line on the terminal; the lock is held.
func (s *status) draw() {
	if s.what == "" || s.shown || s.inLine {
		return
	}
	s.shown = true
	_, _ = io.WriteString(s.out, s.what+" …")
}

// What is said on the line at most, so that it fits on one line of any terminal: a live
// one has more to say.
const (
	lineWidth = 60
	liveWidth = 76
)

// shortLine is cut to a width and cannot move the cursor.
func shortLine(s string, width int) string {
	s = logs.Visible(s, "")
	if r := []rune(s); len(r) > width {
		return string(r[:width])
	}
	return s
}

// clear takes the line away; the lock is held.
func (s *status) clear() {
	if s.shown {
		_, _ = io.WriteString(s.out, clearLine)
	}
	s.shown = false
}

// writer gives a stream of the same terminal, on which the line makes way.
func (s *status) writer(out io.Writer) io.Writer { return &statusWriter{s, out} }

type statusWriter struct {
	status *status
	out    io.Writer
}

// Write takes the line away first. After a second of silence it is back, and a live one at once.
func (w *statusWriter) Write(p []byte) (int, error) {
	s := w.status
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	if s.what != "" && !s.live {
		s.timer.Reset(progressAfter)
	}
	n, err := w.out.Write(p)
	if n > 0 {
		s.inLine = p[n-1] != '\n'
	}
	if s.live {
		s.draw()
	}
	return n, err
}

// reader gives the terminal's input: a line that was typed ends the one on the screen.
func (s *status) reader(in io.Reader) io.Reader { return &statusReader{s, in} }

type statusReader struct {
	status *status
	in     io.Reader
}

// Read passes on what is typed.
func (r *statusReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if bytes.HasSuffix(p[:n], []byte("\n")) {
		r.status.mu.Lock()
		r.status.inLine = false
		r.status.mu.Unlock()
	}
	return n, err
}

// withStatus gives a process whose terminal has a status line, and the line; the
// process itself and nil where stderr is no terminal that can take it back.
func withStatus(p *Process, dumb bool) (*Process, *status) {
	if !p.terminal(p.Stderr) || dumb {
		return p, nil
	}
	s := newStatus(p.Stderr)
	wrapped := *p
	terminals := map[any]bool{}
	wrapped.IsTerminal = func(stream any) bool { return terminals[stream] }
	wrapped.Stderr = s.writer(p.Stderr)
	terminals[wrapped.Stderr] = true
	if p.terminal(p.Stdout) {
		wrapped.Stdout = s.writer(p.Stdout)
		terminals[wrapped.Stdout] = true
	}
	if p.terminal(p.Stdin) {
		wrapped.Stdin = s.reader(p.Stdin)
		terminals[wrapped.Stdin] = true
	}
	return &wrapped, s
}

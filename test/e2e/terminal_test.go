package e2e

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gobdk/bdk/internal/cli"
)

// A screen is what a person sees, stdout and stderr together.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{} // gets one when something was written since it was empty
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) since(n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()[n:]
}

// terminal runs bdk as a person would see it: "see text" lines of the file wait
// until something new on the screen has the text, "type text" lines type it.
func terminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: terminal file args…")
	}
	keyboard, typed := io.Pipe()
	s := &screen{changed: make(chan struct{}, 1)}
	p := &cli.Process{
		Args: args[1:], Environ: environ(ts), Dir: ts.MkAbs("."), Stdin: keyboard, Stdout: s, Stderr: s,
		IsTerminal: func(any) bool { return true },
	}
	done := make(chan int, 1)
	go func() { done <- cli.Main(p) }()
	at := 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		what, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if what == "type" {
			_, err := io.WriteString(typed, text+"\n")
			ts.Check(err)
			continue
		}
		at = s.await(ts, text, at)
	}
	ts.Check(typed.Close())
	select {
	case code := <-done:
		_, _ = io.WriteString(ts.Stdout(), s.since(0))
		if code != 0 {
			ts.Fatalf("exit code %d", code)
		}
	case <-time.After(patience):
		ts.Fatalf("it did not end: %s", s.since(0))
	}
}

// await waits for a text behind a place and gives the place behind it.
func (s *screen) await(ts *testscript.TestScript, text string, at int) int {
	timeout := time.After(patience)
	for {
		if i := strings.Index(s.since(at), text); i >= 0 {
			return at + i + len(text)
		}
		select {
		case <-s.changed:
		case <-timeout:
			ts.Fatalf("never saw %q in:\n%s", text, s.since(at))
		}
	}
}

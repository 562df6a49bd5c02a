package e2e

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A reader follows a stream beside its script.
type reader struct {
	done chan struct{} // closed at the stream's end
	text bytes.Buffer  // belongs to the reader until then
	err  error
}

var readers = newTable[key, *reader]()

// follow opens a stream, waits for its first line, and goes on reading.
func follow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: follow name url")
	}
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, args[1], nil)
	ts.Check(err)
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	in := bufio.NewReader(resp.Body)
	first, err := in.ReadString('\n')
	ts.Check(err)
	r := &reader{done: make(chan struct{})}
	r.text.WriteString(first)
	go func() {
		defer close(r.done)
		defer resp.Body.Close()
		_, r.err = io.Copy(&r.text, in)
	}()
	ts.Defer(func() {
		cancel()
		<-r.done
	})
	readers.put(key{ts.Name(), args[0]}, r)
}

// followed waits for the stream's end and prints what came; an end inside a line fails.
func followed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: followed name")
	}
	r, ok := readers.take(key{ts.Name(), args[0]})
	if !ok {
		ts.Fatalf("nobody follows as %s", args[0])
	}
	select {
	case <-r.done:
	case <-time.After(patience):
		ts.Fatalf("the stream did not end")
	}
	ts.Check(r.err)
	_, _ = ts.Stdout().Write(r.text.Bytes())
	if !bytes.HasSuffix(r.text.Bytes(), []byte("\n")) {
		ts.Fatalf("the stream ended inside a line")
	}
}

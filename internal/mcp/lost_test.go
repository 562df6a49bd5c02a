package mcp

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors/agent"
)

const nobodyKnows = "nobody knows whether the tool ran"

// A connection that cannot be opened says why, in the list and in each call, and
// never that a tool may have run.
func TestLost_OpeningSaysWhy(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>hello</html>"))
	})
	for want, c := range map[string]*agent.Connection{
		"text/html":                          remote(t, "page", page),
		"ended before it answered":           stdio("dies", "dies"),
		"does not speak the protocol":        stdio("garbage", "garbage"),
		"is not in the PATH":                 {Name: "none", Command: "no-such-program-here"},
		"connection refused":                 {Name: "down", URL: "http://127.0.0.1:1"},
		"the address is refused":             remote(t, "away", http.RedirectHandler("https://127.0.0.1:1/", http.StatusTemporaryRedirect)),
		"X of its headers needs N, which is": {Name: "unset", URL: "http://127.0.0.1:1", Headers: map[string]string{"X": "${N}"}},
	} {
		p, log := newPool(t, nil, c)
		var texts []string
		for range 2 { // the second is in the pause after the first
			names(t, p, true)
			for _, f := range p.Faults() {
				texts = append(texts, f.Message)
			}
			_, err := calls(t, p, c.Name, "x", "")
			texts = append(texts, err.Error())
			_, err = p.For(alice).ReadResource(t.Context(), c.Name, "memo:a")
			texts = append(texts, err.Error())
		}
		for _, text := range texts {
			if !strings.Contains(text, want) || strings.Contains(text, "know") || strings.Contains(text, "context ") || strings.Contains(text, "Post \"") || strings.Contains(text, "netguard") {
				t.Errorf("%s: got %s", c.Name, text)
			}
		}
		// "a warning once as long as it stays the same"
		if n := strings.Count(log.text(), `"level":"warn"`); n != 1 {
			t.Errorf("%s: %d warnings:\n%s", c.Name, n, log.text())
		}
	}
}

// The call during which a server dies says that nobody knows; one in the pause
// afterwards, which no server saw, does not.
func TestLost_DuringACall(t *testing.T) {
	t.Parallel()
	p, _ := newPool(t, &Options{Clock: newTime()}, stdio("s", "exits"))
	if _, err := calls(t, p, "s", "exit", ""); err == nil || !strings.Contains(err.Error(), nobodyKnows) {
		t.Errorf("got %v", err)
	}
	if _, err := calls(t, p, "s", "exit", ""); err == nil || strings.Contains(err.Error(), nobodyKnows) || !strings.Contains(err.Error(), "tried again in a while") {
		t.Errorf("in the pause: %v", err)
	}
	cut := remote(t, "h", interrupted(func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":`))
		_ = http.NewResponseController(w).Flush()
	}))
	gone := remote(t, "h", interrupted(func(http.ResponseWriter) {}))
	for _, c := range []*agent.Connection{cut, gone} {
		q, _ := newPool(t, nil, c)
		if _, err := calls(t, q, "h", "echo", `{"n":1}`); err == nil || !strings.Contains(err.Error(), nobodyKnows) {
			t.Errorf("over HTTP: %v", err)
		}
	}
}

// Where the server answers that it lets nobody in, the tool did not run.
func TestLost_Unauthorized(t *testing.T) {
	t.Parallel()
	c := remote(t, "r", streamable(newServerOf(t1)))
	c.OAuth = &agent.OAuth{}
	var closed atomic.Bool
	p, _ := newPool(t, &Options{Authorize: func(*agent.Connection) (Authorizer, error) { return &withdrawn{&closed}, nil }}, c)
	must(t, p, "r", "echo", `{"n":1}`)
	closed.Store(true)
	if _, err := calls(t, p, "r", "echo", `{"n":1}`); err == nil || strings.Contains(err.Error(), nobodyKnows) || !strings.Contains(err.Error(), "the token is taken no longer") {
		t.Errorf("got %v", err)
	}
}

// A withdrawn grant makes an error of what the server answers.
type withdrawn struct{ closed *atomic.Bool }

func (w *withdrawn) RoundTripper(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(q *http.Request) (*http.Response, error) {
		res, err := next.RoundTrip(q)
		if err == nil && w.closed.Load() {
			_ = res.Body.Close()
			return nil, errors.New("the token is taken no longer")
		}
		return res, err
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// interrupted is a server that breaks the connection in the middle of a call.
func interrupted(begin func(http.ResponseWriter)) http.Handler {
	inner := streamable(newServerOf(t1))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(peek(r), `"tools/call"`) {
			begin(w)
			panic(http.ErrAbortHandler)
		}
		inner.ServeHTTP(w, r)
	})
}

// A server that was deployed anew, and does not know the session, costs no call.
func TestLost_ForgottenSession(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(http.ResponseWriter){
		"as the specification says": func(w http.ResponseWriter) { http.Error(w, "session not found", http.StatusNotFound) },
		"as others do":              func(w http.ResponseWriter) { http.Error(w, "Bad Request: No valid session ID", http.StatusBadRequest) },
		"in JSON": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":1}`))
		},
	} {
		var ran atomic.Int32
		counts := tool{sdk.Tool{Name: "count", InputSchema: t1.InputSchema}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			ran.Add(1)
			return text("ok"), nil
		}}
		server := newServerOf(counts)
		t.Cleanup(func() {
			for s := range server.Sessions() {
				_ = s.Close() // nobody ends a session that was forgotten
			}
		})
		inner := streamable(server)
		var forgotten atomic.Value
		forgotten.Store("")
		var newest atomic.Value
		c := remote(t, "r", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := r.Header.Get("Mcp-Session-Id")
			if id != "" && id == forgotten.Load() {
				refuse(w)
				return
			}
			if id != "" {
				newest.Store(id)
			}
			inner.ServeHTTP(w, r)
		}))
		p, _ := newPool(t, &Options{Clock: newTime()}, c)
		must(t, p, "r", "count", `{"n":1}`)
		if newest.Load() == nil {
			t.Fatal("the server gave no session")
		}
		forgotten.Store(newest.Load())
		if _, err := calls(t, p, "r", "count", `{"n":1}`); err != nil || ran.Load() != 2 {
			t.Errorf("%s: the tool ran %d times: %v", name, ran.Load(), err)
		}
	}
}

// A call of code that takes too long says so in words.
func TestLost_Overtime(t *testing.T) {
	t.Parallel()
	time := newTime()
	silent := make(chan struct{})
	asked := make(chan struct{}, 8)
	defer close(silent)
	c := remote(t, "r", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-silent }))
	p, _ := newPool(t, &Options{Clock: time}, c)
	got := make(chan error, 1)
	go func() {
		_, err := p.For(alice).ReadResource(t.Context(), "r", "memo:a")
		got <- err
	}()
	<-asked
	time.advance(p.o.OpenWithin)
	if err := <-got; err == nil || err.Error() != "connection r: it cannot be opened: it did not answer within 20 seconds" {
		t.Errorf("got %v", err)
	}
}

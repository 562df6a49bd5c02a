package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors/agent"
)

// "url: streamable HTTP (falls back to SSE servers of the older revision)"; "command: stdio"
func TestPool_Transports(t *testing.T) {
	t.Parallel()
	s := newServerOf(t1, t2)
	p, _ := newPool(t, nil,
		stdio("stdio", "tools"), remote(t, "stateful", streamable(s)),
		remote(t, "stateless", sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})),
		remote(t, "sse", sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return s }, nil)),
	)
	for _, name := range p.Names() {
		if got := must(t, p, name, "echo", `{"n":12345678901234567890}`); got != `{"content":[{"text":"got {\"n\":12345678901234567890}","type":"text"}]}` &&
			got != `{"content":[{"type":"text","text":"got {\"n\":12345678901234567890}"}]}` {
			t.Errorf("%s: got %s", name, got)
		}
		if got := must(t, p, name, "fail", ``); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "no such file") {
			t.Errorf("%s: got %s", name, got)
		}
		var bad *agent.InputError
		if _, err := calls(t, p, name, "echo", `{"n":"x"}`); !errors.As(err, &bad) || bad.Issues[0].Path != "n" {
			t.Errorf("%s: bad arguments gave %v", name, err)
		}
		raw, err := p.For(alice).ReadResource(t.Context(), name, "memo:a")
		if err != nil || !strings.Contains(string(raw), "remember") {
			t.Errorf("%s: the resource is %s, %v", name, raw, err)
		}
		if _, err := p.For(alice).ReadResource(t.Context(), name, "memo:none"); err == nil {
			t.Errorf("%s: a resource that is not there was read", name)
		}
		list, err := p.For(alice).ListTools(t.Context(), name)
		if err != nil || !strings.Contains(string(list), `"name":"echo"`) {
			t.Errorf("%s: tools %s, %v", name, list, err)
		}
	}
	if _, err := calls(t, p, "none", "x", ""); err == nil || !strings.Contains(err.Error(), "there are: sse, stateful, stateless, stdio") {
		t.Errorf("an unknown connection: %v", err)
	}
	if _, err := calls(t, p, "sse", "ecko", ""); err == nil || !strings.Contains(err.Error(), "there are: echo, fail") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// "the child gets env plus PATH, HOME, LANG, nothing else"
func TestPool_ChildEnvironment(t *testing.T) {
	t.Parallel()
	c := stdio("env", "env")
	c.Env["TOKEN"], c.Env["HOME"], c.Cwd = "Bearer ${SECRET}", "/own", "sub"
	c.Lookup = func(name string) (string, bool) { return "s3cret-value", name == "SECRET" }
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	p, _ := newPool(t, &Options{Dir: dir, Environ: []string{"PATH=/bin", "HOME=/srv/x", "LANG=C", "OPENAI_API_KEY=k", "SECRET=other", "LC_ALL=C"}}, c)
	got := must(t, p, "env", "env", "")
	want, _ := json.Marshal("HOME=/own\nLANG=C\n" + asServer + "=env\nPATH=/bin\nTOKEN=Bearer s3cret-value\nDIR=" + filepath.Join(dir, "sub"))
	if !strings.Contains(got, string(want)) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// "${NAME} … is filled each time a client opens; an undefined name is … an open-time error that names it"
func TestPool_Templates(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	heard := map[string]bool{}
	inner := streamable(newServerOf(t1))
	c := remote(t, "r", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		heard[r.Header.Get("X-Key")] = true
		mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	value, defined := "first-value", true
	c.Headers = map[string]string{"X-Key": "k-${KEY}-${KEY}"}
	c.Lookup = func(string) (string, bool) { mu.Lock(); defer mu.Unlock(); return value, defined }
	p, log := newPool(t, nil, c)
	must(t, p, "r", "echo", `{"n":1}`)
	mu.Lock()
	value = "second-value"
	mu.Unlock()
	must(t, p, "r", "echo", `{"n":1}`)
	if heard["k-second-value-second-value"] || !heard["k-first-value-first-value"] || len(heard) != 1 {
		t.Errorf("heard %v", heard)
	}
	client := p.clients["r"]
	client.drop(client.line)
	client.next = time.Time{}
	must(t, p, "r", "echo", `{"n":1}`)
	if !heard["k-second-value-second-value"] {
		t.Errorf("heard %v after it was opened again", heard)
	}
	client.drop(client.line)
	client.next, defined = time.Time{}, false
	if _, err := calls(t, p, "r", "echo", `{"n":1}`); err == nil || !strings.Contains(err.Error(), "X-Key of its headers needs KEY, which is not defined") {
		t.Errorf("an undefined name: %v", err)
	}
	if strings.Contains(log.text(), "-value") {
		t.Errorf("the log has a secret: %s", log.text())
	}
	if got := (&agent.Connection{Headers: map[string]string{"a": "${B} ${A}"}, Env: map[string]string{"c": "${B}$D${}"}}).Variables(); strings.Join(got, " ") != "A B" {
		t.Errorf("variables are %v", got)
	}
}

// "STOP returns < 1 s" although the server stopped reading
func TestPool_CancelDoesNotWaitForADeafServer(t *testing.T) {
	t.Parallel()
	p, _ := newPool(t, nil, stdio("deaf", "deaf"))
	large, _ := json.Marshal(map[string]string{"text": strings.Repeat("x", 1<<20)}) // more than a pipe holds
	if _, err := p.Tool(t.Context(), "deaf", "hear"); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{`{}`, string(large)} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stopped")
		done := make(chan error, 1)
		go func() {
			_, err := p.For(alice).CallTool(ctx, "deaf", "hear", json.RawMessage(args))
			done <- err
		}()
		until(t, "the call is under way", func() bool {
			c := p.clients["deaf"]
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.users > 0
		})
		cancel(stop)
		select {
		case err := <-done:
			if !errors.Is(err, stop) {
				t.Errorf("the call ended with %v", err)
			}
		case <-time.After(time.Second):
			t.Fatal("the call goes on a second after it was cancelled")
		}
	}
}

// "own process group, killed as a group"
func TestPool_KillsTheGroup(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	c := stdio("parent", "parent")
	c.Env["MARK"] = mark
	p, _ := newPool(t, nil, c)
	must(t, p, "parent", "echo", `{"n":1}`)
	until(t, "the child works", func() bool { _, err := os.Stat(mark); return err == nil })
	p.Close()
	_ = os.Remove(mark)
	quiet := 0
	until(t, "the child is gone", func() bool {
		if os.Remove(mark) == nil {
			quiet = 0
		} else {
			quiet++
		}
		return quiet > 60
	})
}

// "reconnects with backoff"; a server's standard error goes to the log without secrets.
func TestPool_BackoffAndStandardError(t *testing.T) {
	t.Parallel()
	time := newTime()
	p, log := newPool(t, &Options{Clock: time}, stdio("dies", "dies"))
	first, err := calls(t, p, "dies", "x", "")
	if err == nil || !strings.Contains(err.Error(), "connection dies: it cannot be opened: ") {
		t.Fatalf("got %s, %v", first, err)
	}
	if _, err := calls(t, p, "dies", "x", ""); err == nil || strings.Contains(err.Error(), "whether the tool ran") {
		t.Errorf("while it waits to be tried again: %v", err)
	}
	tries := func() int { return strings.Count(log.text(), "cannot open the safe") }
	until(t, "the log", func() bool { return tries() == 1 })
	if strings.Contains(log.text(), "hunter22") {
		t.Errorf("the log has a secret: %s", log.text())
	}
	for range 5 {
		if _, err := p.clients["dies"].take(t.Context()); err == nil {
			t.Fatal("it opened")
		}
	}
	if tries() != 1 {
		t.Errorf("it was tried %d times without a pause", tries())
	}
	time.advance(firstPause)
	if _, err := p.clients["dies"].take(t.Context()); err == nil {
		t.Fatal("it opened")
	}
	until(t, "a second try", func() bool { return tries() == 2 })
	time.advance(firstPause / 2) // the pause is twice as long now, and half of it at least
	if _, err := p.clients["dies"].take(t.Context()); err == nil || tries() != 2 {
		t.Errorf("it was tried %d times", tries())
	}
}

// "opens on first use, is shared by the sessions …, and closes when idle"
func TestPool_OpensOnceAndClosesWhenIdle(t *testing.T) {
	t.Parallel()
	time := newTime()
	c := remote(t, "r", streamable(newServerOf(t1)))
	p, _ := newPool(t, &Options{Clock: time}, c)
	client := p.clients["r"]
	isOpen := func() bool { client.mu.Lock(); defer client.mu.Unlock(); return client.line != nil }
	if isOpen() {
		t.Fatal("it opened before it was used")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := calls(t, p, "r", "echo", `{"n":1}`); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	until(t, "nobody uses it", func() bool { client.mu.Lock(); defer client.mu.Unlock(); return client.users == 0 })
	first := client.line
	time.advance(p.o.IdleAfter)
	until(t, "it is closed", func() bool { return !isOpen() })
	must(t, p, "r", "echo", `{"n":1}`)
	if client.line == first {
		t.Error("it is the same client")
	}
}

// A redirect to another host goes without the headers, and to no private address.
func TestPool_HeadersStayAtHome(t *testing.T) {
	t.Parallel()
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	c := remote(t, "r", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	c.Headers = map[string]string{"Authorization": "Bearer x"}
	p, _ := newPool(t, nil, c)
	if _, err := calls(t, p, "r", "echo", ""); err == nil || reached || !strings.Contains(err.Error(), "refused") {
		t.Errorf("got %v, reached %v", err, reached)
	}
}

func TestPool_OAuthIsRefusedAtOpen(t *testing.T) {
	t.Parallel()
	c := remote(t, "r", streamable(newServerOf(t1)))
	c.OAuth = &agent.OAuth{}
	p, _ := newPool(t, nil, c)
	if _, err := calls(t, p, "r", "echo", ""); err == nil || !strings.Contains(err.Error(), "oauth") {
		t.Errorf("got %v", err)
	}
	q, _ := newPool(t, &Options{Authorize: func(*agent.Connection) (Authorizer, error) { return withToken{}, nil }}, c)
	if _, err := calls(t, q, "r", "echo", `{"n":1}`); err != nil {
		t.Error(err)
	}
}

type withToken struct{}

func (withToken) RoundTripper(next http.RoundTripper) http.RoundTripper { return next }

func TestPool_Closed(t *testing.T) {
	t.Parallel()
	p, _ := newPool(t, nil, stdio("s", "tools"))
	must(t, p, "s", "echo", `{"n":1}`)
	p.Close()
	p.Close()
	if _, err := calls(t, p, "s", "echo", `{"n":1}`); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// S26: "Redact … by value (all configured secrets …)": what a plugin's variable put into
// an address is in no error and no log.
func TestPool_SecretsOfAConnection(t *testing.T) {
	t.Parallel()
	c := &agent.Connection{Name: "x", URL: "http://127.0.0.1:1/mcp/canary-path", Secrets: []string{"canary-path"}}
	p, log := newPool(t, &Options{}, c)
	_, err := calls(t, p, "x", "echo", "")
	if err == nil || strings.Contains(err.Error()+log.text(), "canary") {
		t.Errorf("%v\n%s", err, log.text())
	}
}

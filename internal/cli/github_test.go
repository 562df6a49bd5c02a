package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/github"
)

// A hook is a request that a channel got.
type hook struct {
	path   string
	header http.Header
	body   string
}

// hookHost plays an agent whose channel answers with a status, and keeps what it gets.
func hookHost(t *testing.T, status int, answer string) (string, func() hook) {
	t.Helper()
	var mu sync.Mutex
	var last hook
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"ok":true}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		last = hook{r.URL.Path, r.Header, string(body)}
		mu.Unlock()
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() hook {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

// "bdk github replay posts a signed event to a running host": over the bytes of the file.
func TestGitHubReplay_Signs(t *testing.T) {
	t.Parallel()
	url, got := hookHost(t, 202, "")
	b := newBench(t, "github", "replay", "--fixture", "opened.json", "--url", url, "--token", "a-token-of-the-host")
	b.Environ = append(b.Environ, "GITHUB_WEBHOOK_SECRET=hush-hush")
	put(t, b, "opened.json", `{"event": "pull_request", "delivery": "d-1", "payload": { "title" : "é 😊"} }`)
	b.want(t, ExitOK, "202 Accepted (delivery d-1)\n", "")
	h := got()
	if h.path != "/v1/channels/github" || h.body != `{ "title" : "é 😊"}` || h.header.Get("X-GitHub-Event") != "pull_request" || h.header.Get("X-GitHub-Delivery") != "d-1" {
		t.Errorf("the host got %+v", h)
	}
	if h.header.Get(github.HeaderSignature) != github.Sign("hush-hush", []byte(h.body)) || h.header.Get("Content-Type") != "application/json" || h.header.Get("Authorization") != "" {
		t.Errorf("the headers are %v", h.header)
	}
}

// A payload as GitHub sends it needs --event; the secret may be the project's.
func TestGitHubReplay_Payload(t *testing.T) {
	t.Parallel()
	url, got := hookHost(t, 200, `{"ok":true,"event":"ping"}`)
	b := newBench(t, "github", "replay", "--fixture", "-", "--event", "ping", "--url", url, "--channel", "code", "--dir", "demo")
	b.Stdin = strings.NewReader("{\"zen\":1}\n")
	put(t, b, "demo/bot/instructions.md", "Here.")
	put(t, b, "demo/.env", "GITHUB_WEBHOOK_SECRET=of-the-project\n")
	b.want(t, ExitOK, "{\"ok\":true,\"event\":\"ping\"}\n", "")
	h := got()
	if h.path != "/v1/channels/code" || h.body != "{\"zen\":1}\n" || len(h.header.Get("X-GitHub-Delivery")) != 36 || h.header.Get(github.HeaderSignature) != github.Sign("of-the-project", []byte(h.body)) {
		t.Errorf("the host got %+v", h)
	}
	b = newBench(t, "github", "replay", "--fixture", "-", "--event", "ping", "--url", url, "--dir", "demo", "--secret", "")
	b.Stdin = strings.NewReader("{}")
	b.Environ = append(b.Environ, "GITHUB_WEBHOOK_SECRET=of-the-environment")
	b.want(t, ExitOK, "", "")
	if s := got().header.Get(github.HeaderSignature); s != "" {
		t.Errorf("with an empty secret the signature is %s", s)
	}
	b = newBench(t, "github", "replay", "--fixture", "-", "--event", "ping", "--url", url)
	b.Stdin = strings.NewReader("{}")
	b.want(t, ExitOK, "", "")
	if s := got().header.Get(github.HeaderSignature); s != "" {
		t.Errorf("without a secret the signature is %s", s)
	}
}

func TestGitHubReplay_Refusals(t *testing.T) {
	t.Parallel()
	denied, _ := hookHost(t, 401, `{"ok":false,"error":"unauthorized"}`)
	absent, _ := hookHost(t, 404, `{"ok":false,"error":"not_found"}`)
	broken, _ := hookHost(t, 503, `{"ok":false}`)
	for _, c := range []struct {
		in, want string
		code     int
		args     []string
	}{
		{"{}", "does not say which event it is", ExitUsage, []string{"--fixture", "-"}},
		{"[]", "it is no JSON object", ExitUsage, []string{"--fixture", "-"}},
		{`{"event":1,"payload":{}}`, "event and delivery are texts", ExitUsage, []string{"--fixture", "-"}},
		{`{"event":"x","payload":[]}`, "its payload is no object", ExitUsage, []string{"--fixture", "-"}},
		{"", "--fixture is missing", ExitUsage, nil},
		{"", "--fixture cannot be read", ExitUsage, []string{"--fixture", "nowhere.json"}},
		{"{}", "no host is running", ExitNoStart, []string{"--fixture", "-", "--event", "ping"}},
		{"{}", "the host did not take the signature", ExitFailed, []string{"--fixture", "-", "--event", "ping", "--url", denied}},
		{"{}", `serves no channel "github"`, ExitFailed, []string{"--fixture", "-", "--event", "ping", "--url", absent}},
		{"{}", "", ExitFailed, []string{"--fixture", "-", "--event", "ping", "--url", broken}},
	} {
		b := newBench(t, append([]string{"github", "replay"}, c.args...)...)
		b.Stdin = strings.NewReader(c.in)
		b.want(t, c.code, "", c.want)
	}
	newBench(t, "github", "reply").want(t, ExitUsage, "", `bdk github has no command "reply" (did you mean replay?): it has replay`)
}

func put(t *testing.T, b *bench, name, text string) {
	t.Helper()
	file := filepath.Join(b.Dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

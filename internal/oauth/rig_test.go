package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// A rig is an MCP server and the authorization server for it, on two loopback ports.
type rig struct {
	t           *testing.T
	mcp, auth   *httptest.Server
	keeper      *memory
	clock       *hands
	m           *Manager
	mu          sync.Mutex
	meta        map[string]any        // of the authorization server
	resource    map[string]any        // of the MCP server
	codes       map[string]url.Values // code → what the link asked for
	access      map[string]bool       // tokens that are valid
	refresh     map[string]bool
	registered  []map[string]any
	forms       []url.Values // sent to the token endpoint
	served      []string     // bodies that the MCP server took
	n           int
	seconds     int // of a token
	noChallenge bool
}

// memory keeps in a map.
type memory struct {
	mu sync.Mutex
	kv map[string]string
}

func (k *memory) Get(key string) (string, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.kv[key]
	return v, ok, nil
}

func (k *memory) Put(key, value string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kv[key] = value
	return nil
}

func (k *memory) Delete(key string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.kv, key)
	return nil
}

// hands are a clock that a test moves.
type hands struct {
	clock.System
	mu sync.Mutex
	at time.Time
}

func (c *hands) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *hands) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, keeper: &memory{kv: map[string]string{}}, clock: &hands{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)},
		codes: map[string]url.Values{}, access: map[string]bool{}, refresh: map[string]bool{}, seconds: 3600}
	r.mcp = httptest.NewServer(http.HandlerFunc(r.serveMCP))
	r.auth = httptest.NewServer(http.HandlerFunc(r.serveAuth))
	t.Cleanup(r.mcp.Close)
	t.Cleanup(r.auth.Close)
	a := r.auth.URL
	r.meta = map[string]any{"issuer": a, "authorization_endpoint": a + "/authorize?tenant=1", "token_endpoint": a + "/token", "registration_endpoint": a + "/register",
		"code_challenge_methods_supported": []string{"S256"}, "scopes_supported": []string{"tools", "offline_access"}, "authorization_response_iss_parameter_supported": true}
	r.resource = map[string]any{"resource": r.mcp.URL + "/mcp", "authorization_servers": []string{a}, "scopes_supported": []string{"tools"}}
	r.restart()
	return r
}

// restart makes a new manager over what was kept.
func (r *rig) restart() {
	r.t.Helper()
	var err error
	if r.m, err = New(&Options{Secret: make([]byte, 32), Keeper: r.keeper, Clock: r.clock}); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) target() Target {
	return Target{Agent: "bot", Connection: "issues", URL: r.mcp.URL + "/mcp"}
}

func say(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (r *rig) serveMCP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch q.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		if r.resource == nil {
			http.NotFound(w, q)
			return
		}
		say(w, 200, r.resource)
	case "/mcp":
		if !r.access[strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")] {
			if !r.noChallenge {
				w.Header().Set("WWW-Authenticate", `Bearer realm="x", resource_metadata="`+r.mcp.URL+`/.well-known/oauth-protected-resource/mcp", scope="tools"`)
			}
			say(w, 401, nil)
			return
		}
		b, _ := io.ReadAll(q.Body)
		r.served = append(r.served, string(b))
		say(w, 200, "ok")
	default:
		http.NotFound(w, q)
	}
}

func (r *rig) serveAuth(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch q.URL.Path {
	case "/.well-known/oauth-authorization-server":
		say(w, 200, r.meta)
	case "/register":
		var m map[string]any
		_ = json.NewDecoder(q.Body).Decode(&m)
		r.registered = append(r.registered, m)
		say(w, 201, map[string]any{"client_id": fmt.Sprint("client-", len(r.registered))})
	case "/token":
		_ = q.ParseForm()
		r.forms = append(r.forms, q.PostForm)
		r.grant(w, q.PostForm)
	default:
		http.NotFound(w, q)
	}
}

func (r *rig) grant(w http.ResponseWriter, form url.Values) {
	ok := r.refresh[form.Get("refresh_token")]
	if form.Get("grant_type") == "authorization_code" {
		link := r.codes[form.Get("code")]
		delete(r.codes, form.Get("code"))
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		ok = link != nil && link.Get("code_challenge") == base64.RawURLEncoding.EncodeToString(sum[:]) &&
			link.Get("redirect_uri") == form.Get("redirect_uri") && link.Get("client_id") == form.Get("client_id")
	}
	if !ok || form.Get("resource") != r.mcp.URL+"/mcp" {
		say(w, 400, map[string]any{"error": "invalid_grant", "error_description": "no such grant"})
		return
	}
	delete(r.refresh, form.Get("refresh_token"))
	r.n++
	access, refresh := fmt.Sprint("access-", r.n), fmt.Sprint("refresh-", r.n)
	clear(r.access)
	r.access[access], r.refresh[refresh] = true, true
	say(w, 200, map[string]any{"access_token": access, "token_type": "bearer", "refresh_token": refresh, "expires_in": r.seconds})
}

// agrees plays the person at the link, and gives the query of the redirect.
func (r *rig) agrees(link string) url.Values {
	r.t.Helper()
	u, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(link, r.auth.URL+"/authorize?") {
		r.t.Fatalf("%v: the link is %s", err, link)
	}
	q := u.Query()
	for name, want := range map[string]string{"response_type": "code", "code_challenge_method": "S256", "resource": r.mcp.URL + "/mcp", "redirect_uri": back, "tenant": "1", "scope": "tools offline_access"} {
		if q.Get(name) != want {
			r.t.Errorf("%s is %q in %s, want %q", name, q.Get(name), link, want)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.codes["code-1"] = q
	return url.Values{"code": {"code-1"}, "state": {q.Get("state")}, "iss": {r.auth.URL}}
}

// back is where people come back to.
const back = "http://127.0.0.1:3000/v1/oauth/callback"

func (r *rig) begin() Pending {
	r.t.Helper()
	p, err := r.m.Begin(r.t.Context(), r.target(), back)
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// authorize goes the whole way.
func (r *rig) authorize() {
	r.t.Helper()
	if got, err := r.m.Finish(r.t.Context(), r.agrees(r.begin().URL)); err != nil || got.Connection != "issues" {
		r.t.Fatalf("%+v, %v", got, err)
	}
}

// has says whether the manager has a grant.
func has(r *rig, m *Manager, t Target) bool {
	r.t.Helper()
	at, err := m.Since(r.t.Context(), t)
	if err != nil {
		r.t.Fatal(err)
	}
	return !at.IsZero()
}

// send posts to the MCP server as a connection does.
func (r *rig) send(ctx context.Context, t Target, body string) error {
	q, err := http.NewRequestWithContext(ctx, "POST", t.URL, strings.NewReader(body))
	if err != nil {
		return err
	}
	res, err := (&http.Client{Transport: r.m.For(t).RoundTripper(http.DefaultTransport)}).Do(q)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != 200 {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

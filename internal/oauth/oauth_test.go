package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// packs.md: "PKCE S256, protected-resource and authorization-server metadata, …
// dynamic registration, `resource` parameter".
func TestManager_TheWholeWay(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var needed *NeededError
	if err := r.send(t.Context(), r.target(), "x"); !errors.As(err, &needed) || !strings.Contains(err.Error(), "Reconnect issues") {
		t.Errorf("without a grant: %v", err)
	}
	r.authorize()
	if err := r.send(t.Context(), r.target(), "one"); err != nil || r.served[0] != "one" {
		t.Errorf("%v, it took %q", err, r.served)
	}
	if m := r.registered[0]; m["client_name"] != "bdk" || m["token_endpoint_auth_method"] != "none" || fmt.Sprint(m["redirect_uris"]) != "["+back+"]" {
		t.Errorf("it registered %v", m)
	}
	r.restart()
	if err := r.send(t.Context(), r.target(), "two"); err != nil {
		t.Error("after a restart:", err)
	}
	r.authorize()
	if len(r.registered) != 1 {
		t.Errorf("it registered %d times with one server", len(r.registered))
	}
}

// "Tokens live in the state root, encrypted with the host key, bound to connection
// and URL; … a changed URL forgets them."
func TestManager_TokensAtRest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.authorize()
	for key, value := range r.keeper.kv {
		for _, secret := range []string{"access-1", "refresh-1", "client-1"} {
			if strings.Contains(value, secret) {
				t.Errorf("%q holds %s as it is: %s", key, secret, value)
			}
		}
	}
	other := r.target()
	other.Connection = "stolen"
	r.keeper.kv[other.key()] = r.keeper.kv["bot/issues"]
	if has(r, r.m, other) {
		t.Error("the tokens of one connection serve another")
	}
	moved := r.target()
	moved.URL = "http://127.0.0.1:1/mcp"
	if has(r, r.m, moved) {
		t.Error("after the URL changed")
	}
	if _, ok := r.keeper.kv["bot/issues"]; ok {
		t.Error("a changed URL does not forget the tokens")
	}
	if has(r, r.m, r.target()) {
		t.Error("when the URL is the old one again")
	}
}

func TestManager_AnotherHostKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.authorize()
	m, err := New(&Options{Secret: []byte(strings.Repeat("k", 32)), Keeper: r.keeper, Clock: r.clock})
	if err != nil {
		t.Fatal(err)
	}
	if has(r, m, r.target()) {
		t.Error("another key opens the tokens")
	}
}

// "one-use `state` for 10 minutes"; "`iss` checked" (S30).
func TestManager_Returns(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.agrees(r.begin().URL)
	if _, err := r.m.Finish(t.Context(), url.Values{"state": {"made-up"}, "code": {"code-1"}, "iss": {r.auth.URL}}); !errors.Is(err, ErrState) {
		t.Errorf("a state that nobody began: %v", err)
	}
	if _, err := r.m.Finish(t.Context(), url.Values{"code": {"code-1"}}); !errors.Is(err, ErrState) {
		t.Errorf("no state: %v", err)
	}
	if _, err := r.m.Finish(t.Context(), first); err != nil {
		t.Error(err)
	}
	if _, err := r.m.Finish(t.Context(), first); !errors.Is(err, ErrState) {
		t.Errorf("the same state again: %v", err)
	}
	late := r.agrees(r.begin().URL)
	r.clock.pass(Lifetime)
	if _, err := r.m.Finish(t.Context(), late); !errors.Is(err, ErrState) {
		t.Errorf("after 10 minutes: %v", err)
	}
	for name, change := range map[string]func(url.Values){
		"another issuer":      func(q url.Values) { q.Set("iss", "https://evil.test") },
		"an empty issuer":     func(q url.Values) { q.Set("iss", "") },
		"no issuer":           func(q url.Values) { q.Del("iss") },
		"no code":             func(q url.Values) { q.Del("code") },
		"a refusal":           func(q url.Values) { q.Set("error", "access_denied") },
		"a code of nobody":    func(q url.Values) { q.Set("code", "code-x") },
		"a code with no text": func(q url.Values) { q.Set("code", "") },
	} {
		q := r.agrees(r.begin().URL)
		change(q)
		if _, err := r.m.Finish(t.Context(), q); err == nil {
			t.Errorf("%s was taken", name)
		} else if f := r.m.Failed(r.target()); f.Cause != err || !f.At.Equal(r.clock.Now()) {
			t.Errorf("%s: the failure is %+v", name, f)
		}
		q.Set("code", "code-1")
		if _, err := r.m.Finish(t.Context(), q); !errors.Is(err, ErrState) {
			t.Errorf("%s: its state lives on: %v", name, err)
		}
	}
	if _, err := r.m.Finish(t.Context(), r.agrees(r.begin().URL)); err != nil || r.m.Failed(r.target()).Cause != nil {
		t.Errorf("afterwards: %v, %+v", err, r.m.Failed(r.target()))
	}
}

// "refreshed": once for all who find that a token has run out.
func TestManager_Renews(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.authorize()
	r.clock.pass(2 * time.Hour)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := r.send(t.Context(), r.target(), "x"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(r.forms) != 2 || r.forms[1].Get("grant_type") != "refresh_token" || r.forms[1].Get("refresh_token") != "refresh-1" || r.forms[1].Get("resource") != r.mcp.URL+"/mcp" {
		t.Errorf("the token endpoint was asked %d times: %v", len(r.forms), r.forms)
	}
	clear(r.access) // the server revokes a token before its end
	if err := r.send(t.Context(), r.target(), "again"); err != nil || r.served[20] != "again" {
		t.Errorf("a token that the server refuses: %v", err)
	}
	clear(r.access)
	clear(r.refresh)
	var needed *NeededError
	if err := r.send(t.Context(), r.target(), "x"); !errors.As(err, &needed) {
		t.Errorf("a grant that was withdrawn: %v", err)
	}
	if has(r, r.m, r.target()) {
		t.Error("a grant that was withdrawn is kept")
	}
}

// An answer that comes late, to a token of before, takes away nothing that was granted since.
func TestManager_LateRefusal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.authorize()
	late := answering(func(q *http.Request) *http.Response {
		r.authorize() // while the request is on its way
		return &http.Response{StatusCode: http.StatusForbidden, Body: http.NoBody, Request: q, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope", scope="more"`}}}
	})
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.target().URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	var needed *NeededError
	if _, err := r.m.For(r.target()).RoundTripper(late).RoundTrip(q); !errors.As(err, &needed) {
		t.Errorf("it gives %v", err)
	}
	if !has(r, r.m, r.target()) {
		t.Error("the new grant is gone")
	}
}

type answering func(*http.Request) *http.Response

func (f answering) RoundTrip(q *http.Request) (*http.Response, error) { return f(q), nil }

// A server that cannot be reached for a moment is no reason to forget.
func TestManager_ServerIsDown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.authorize()
	r.auth.Close()
	r.clock.pass(2 * time.Hour)
	var needed *NeededError
	if err := r.send(t.Context(), r.target(), "x"); err == nil || errors.As(err, &needed) {
		t.Errorf("%v", err)
	}
	if !has(r, r.m, r.target()) {
		t.Error("the grant was forgotten")
	}
}

// S30 and S29: who may authorize, and where a link may lead.
func TestManager_HostileMetadata(t *testing.T) {
	t.Parallel()
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	for name, change := range map[string]func(*rig){
		"no PKCE":                 func(r *rig) { delete(r.meta, "code_challenge_methods_supported") },
		"plain PKCE":              func(r *rig) { r.meta["code_challenge_methods_supported"] = []string{"plain"} },
		"another issuer":          func(r *rig) { r.meta["issuer"] = "https://other.test" },
		"a script":                func(r *rig) { r.meta["authorization_endpoint"] = "javascript:alert(1)" },
		"a file":                  func(r *rig) { r.meta["authorization_endpoint"] = "file:///etc/passwd" },
		"a shell":                 func(r *rig) { r.meta["authorization_endpoint"] = "http://a.test/$(id)" },
		"a private token server":  func(r *rig) { r.meta["token_endpoint"] = "http://10.0.0.1/token" },
		"metadata at a private":   func(r *rig) { r.resource["authorization_servers"] = []string{"http://169.254.169.254"} },
		"no authorization server": func(r *rig) { r.resource["authorization_servers"] = []string{} },
		"another resource":        func(r *rig) { r.resource["resource"] = "https://bank.test/mcp" },
		"a resource beside":       func(r *rig) { r.resource["resource"] = r.mcp.URL + "/mcp/other" },
		"nobody registers":        func(r *rig) { delete(r.meta, "registration_endpoint") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			change(r)
			if p, err := r.m.Begin(t.Context(), r.target(), back); err == nil {
				t.Errorf("there is a link: %s", p.URL)
			}
		})
	}
}

// Metadata is found without a challenge, as far as the standards say where; a server
// without any has the addresses of old.
func TestManager_Discovery(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.noChallenge = true
	r.authorize()
	old := newRig(t)
	old.noChallenge, old.resource = true, nil
	p, err := old.m.Begin(t.Context(), Target{Agent: "bot", Connection: "old", URL: old.mcp.URL + "/mcp", ClientID: "me"}, back)
	if err != nil || !strings.HasPrefix(p.URL, old.mcp.URL+"/authorize?") || !strings.Contains(p.URL, "client_id=me") {
		t.Errorf("%v: %s", err, p.URL)
	}
}

// A client of the author's proves who it is, and asks for the author's scopes.
func TestManager_TheAuthorsClient(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	target := r.target()
	target.ClientID, target.ClientSecret, target.Scopes = "me", "s&cret", []string{"one", "two"}
	p, err := r.m.Begin(t.Context(), target, back)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(p.URL)
	if q := u.Query(); q.Get("client_id") != "me" || q.Get("scope") != "one two" || len(r.registered) != 0 {
		t.Errorf("the link is %s", p.URL)
	}
	for offered, in := range map[string]string{"client_secret_post": "form", "client_secret_basic": "header"} {
		form, header := url.Values{}, http.Header{}
		client{"me", "s&cret", method([]string{offered}, "s&cret")}.prove(form, header)
		if (form.Get("client_secret") == "s&cret") != (in == "form") || (header.Get("Authorization") == basic("me", "s&cret")) != (in == "header") {
			t.Errorf("%s: %v %v", offered, form, header)
		}
	}
}

// A code or a token is sent nowhere else, whatever the token endpoint answers.
func TestManager_TokenEndpointRedirects(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	heard := 0
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard++ }))
	defer thief.Close()
	sends := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer sends.Close()
	r.meta["token_endpoint"] = sends.URL
	if _, err := r.m.Finish(t.Context(), r.agrees(r.begin().URL)); err == nil || heard != 0 {
		t.Errorf("%v, and the other server heard %d requests", err, heard)
	}
}

// Who waits hears of it; a caller that goes away waits no longer.
func TestManager_Await(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	got := make(chan error, 1)
	go func() { got <- r.m.Await(t.Context(), r.target()) }()
	r.authorize()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

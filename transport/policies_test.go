package transport

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const (
	longToken  = "a-token-of-enough-letters"
	otherToken = "another-token-of-enough-letters"
	password   = "pass:word of ünusual letters"
)

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// A kind of policy with what it admits, and as whom.
type policyKind struct {
	policy agent.AuthPolicy
	right  http.Header
	wrong  http.Header
	who    events.Principal
}

// secretKinds are the policies that hold secrets.
func secretKinds(t *testing.T) map[string]policyKind {
	t.Helper()
	header := func(name, value string) http.Header { return http.Header{name: {value}} }
	token := signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "", nil)
	return map[string]policyKind{
		"bearer": {agent.BearerAuth(longToken), header("Authorization", "Bearer "+longToken), header("Authorization", "Bearer "+longToken+"x"), events.Principal{Kind: "bearer", ID: "bearer"}},
		"tokens": {agent.BearerTokens(map[string]string{longToken: "ci:1/x", otherToken: "ops"}), header("Authorization", "bearer "+longToken), header("Authorization", "Bearer x"), events.Principal{Kind: "bearer", ID: "ci:1/x"}},
		"basic":  {agent.BasicAuth(map[string]string{"ann": password, "bob": otherToken}), header("Authorization", basic("ann", password)), header("Authorization", basic("ann", otherToken)), events.Principal{Kind: "basic", ID: "ann"}},
		"apiKey": {agent.APIKeyHeader("x-api-key", map[string]string{longToken: "partner"}), header("X-Api-Key", longToken), header("X-Api-Key", "x"), events.Principal{Kind: "apiKey", ID: "partner"}},
		"jwt": {agent.JWTAuth(agent.JWTRules{Issuer: testIssuer, Audience: testAudience, Keys: []string{sharedSecret}}), header("Authorization", "Bearer "+token), header("Authorization", "Bearer "+token+"x"),
			events.Principal{Kind: "jwt", Issuer: testIssuer, ID: "ann"}},
		"function": {agent.AuthFunc(func(_ context.Context, r *agent.Request) (*events.Principal, error) {
			if r.Header.Get("Authorization") != "Custom "+longToken {
				return nil, nil
			}
			return &events.Principal{Kind: "custom", ID: "x", Tenant: "t"}, nil
		}), header("Authorization", "Custom "+longToken), header("Authorization", "Custom x"), events.Principal{Kind: "custom", ID: "x", Tenant: "t"}},
	}
}

// Each policy that holds secrets admits by them alone: from anywhere, through a proxy,
// by any Host; never where they are missing, wrong, twice, or in the URL.
func TestPolicies_BySecretsAlone(t *testing.T) {
	t.Parallel()
	for name, k := range secretKinds(t) {
		t.Run(name, func(t *testing.T) {
			c := chainOf(t, k.policy)
			for _, remote := range []string{"127.0.0.1:5", "203.0.113.9:5"} {
				for _, host := range []string{"localhost:3000", "evil.test", "127.0.0.1.evil.test", ""} {
					h := k.right.Clone()
					h.Set("X-Forwarded-For", "127.0.0.1")
					if a, err := c.admit(localRequest(remote, host, h)); err != nil || a.who != k.who || a.by != k.policy.Kind {
						t.Errorf("peer %s, Host %q: %+v, %v", remote, host, a, err)
					}
				}
			}
			twice, empty := http.Header{}, http.Header{}
			for header, v := range k.right {
				twice[header], empty[header] = []string{v[0], v[0]}, []string{""}
			}
			cases := map[string]http.Header{"nothing": nil, "wrong": k.wrong, "empty": empty, "twice": twice}
			if name == "function" { // what it makes of two is its own
				delete(cases, "twice")
			}
			for what, h := range cases {
				if a, err := c.admit(localRequest("127.0.0.1:5", "localhost:3000", h)); !errors.Is(err, errUnauthorized) {
					t.Errorf("%s: %+v, %v", what, a, err)
				}
				c.guesses.note("127.0.0.1", true)
			}
			inURL := localRequest("127.0.0.1:5", "localhost:3000", nil)
			inURL.URL.RawQuery = fmt.Sprintf("token=%[1]s&access_token=%[1]s&x-api-key=%[1]s&authorization=Bearer+%[1]s", longToken)
			if a, err := c.admit(inURL); err == nil {
				t.Errorf("a token in the URL: %+v", a)
			}
		})
	}
}

// S08: "Principal … compared as a struct, not concatenated text; test subjects
// containing ':' and '/'".
func TestPolicies_PrincipalsAreStructs(t *testing.T) {
	t.Parallel()
	c := chainOf(t, agent.BearerTokens(map[string]string{longToken: "a:b", otherToken: "a"}), agent.BasicAuth(map[string]string{"a": "b:a-long-password", "a/b": "a-long-password!"}))
	seen := map[events.Principal]bool{}
	for _, credentials := range []string{"Bearer " + longToken, "Bearer " + otherToken, basic("a", "b:a-long-password"), basic("a/b", "a-long-password!")} {
		a, err := c.admit(localRequest("203.0.113.9:5", "x", http.Header{"Authorization": {credentials}}))
		if err != nil || seen[a.who] {
			t.Errorf("%s: %+v, %v", credentials, a, err)
		}
		seen[a.who] = true
	}
	for _, wrong := range []string{basic("a", "a-long-password"), "Basic " + base64.StdEncoding.EncodeToString([]byte("a")), "Basic !!!", "Basic " + strings.TrimRight(strings.TrimPrefix(basic("a/b", "a-long-password!"), "Basic "), "=") + "A"} {
		if a, err := c.admit(localRequest("203.0.113.9:5", "x", http.Header{"Authorization": {wrong}})); err == nil {
			t.Errorf("%s: %+v", wrong, a)
		}
	}
}

// "Policies are tried in order; the first that admits names the principal."
func TestPolicies_TheFirstThatAdmits(t *testing.T) {
	t.Parallel()
	c := chainOf(t, agent.LocalDevStrict(), agent.BearerAuth(longToken), agent.AllowAll())
	right := http.Header{"Authorization": {"Bearer " + longToken}}
	for _, tc := range []struct {
		remote, host string
		header       http.Header
		by           string
	}{
		{"127.0.0.1:5", "localhost:3000", right, agent.AuthLocalDevStrict}, {"127.0.0.1:5", "evil.test", right, agent.AuthBearer}, {"203.0.113.9:5", "localhost:3000", nil, agent.AuthAllowAll},
	} {
		a, err := c.admit(onWideBind(localRequest(tc.remote, tc.host, tc.header)))
		if err != nil || a.by != tc.by {
			t.Errorf("%+v: %+v, %v", tc, a, err)
		}
	}
	if empty := chainOf(t); len(empty.policies) != 0 {
		t.Error("an empty list admits nobody")
	} else if _, err := empty.admit(localRequest("127.0.0.1:5", "localhost:3000", nil)); err == nil {
		t.Error("an empty list admits")
	}
}

func onWideBind(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), bindKey{}, net.Addr(&net.TCPAddr{IP: net.IPv4zero, Port: 3000})))
}

// "A bearer secret under 16 characters is … refused on a bind that is not loopback",
// and so is any other secret. Long ones beside it count.
func TestPolicies_ShortSecrets(t *testing.T) {
	t.Parallel()
	short := "fifteen-letters"
	claims := jwt.NewWithClaims(jwt.SigningMethodHS256, goodClaims())
	token, err := claims.SignedString([]byte(short))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		policy agent.AuthPolicy
		header http.Header
		wide   bool // whether it counts on a bind that others reach
	}{
		"bearer":   {agent.BearerAuth(short), http.Header{"Authorization": {"Bearer " + short}}, false},
		"basic":    {agent.BasicAuth(map[string]string{"a-long-name-of-a-user": short}), http.Header{"Authorization": {basic("a-long-name-of-a-user", short)}}, false},
		"apiKey":   {agent.APIKeyHeader("k", map[string]string{short: "x"}), http.Header{"K": {short}}, false},
		"jwt":      {agent.JWTAuth(agent.JWTRules{Issuer: testIssuer, Audience: testAudience, Keys: []string{short}}), http.Header{"Authorization": {"Bearer " + token}}, false},
		"long one": {agent.BearerTokens(map[string]string{short: "x", longToken: "y"}), http.Header{"Authorization": {"Bearer " + longToken}}, true},
	} {
		c := chainOf(t, tc.policy)
		if _, err := c.admit(localRequest("127.0.0.1:5", "localhost:3000", tc.header)); err != nil {
			t.Errorf("%s: on this machine: %v", name, err)
		}
		if _, err := c.admit(onWideBind(localRequest("127.0.0.1:5", "localhost:3000", tc.header))); (err == nil) != tc.wide {
			t.Errorf("%s: where others reach the host: %v", name, err)
		}
	}
}

// A function sees the request without its body. One that fails, panics or names half a
// principal admits nobody, and that is logged.
func TestJudge_WhatItSeesAndFails(t *testing.T) {
	t.Parallel()
	var seen *agent.Request
	var logged strings.Builder
	m := newPolicyMaker(zerolog.New(&logged))
	var cut context.Context
	answer := func() (*events.Principal, error) { return nil, nil }
	c, err := m.chain([]agent.AuthPolicy{agent.AuthFunc(func(ctx context.Context, r *agent.Request) (*events.Principal, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("it may take for ever")
		}
		seen, cut = r, ctx
		return answer()
	})})
	if err != nil {
		t.Fatal(err)
	}
	r := localRequest("203.0.113.9:5", "example.com", http.Header{"X-Who": {"me"}})
	r.URL.Path, r.URL.RawQuery = "/bot/v1/channels/x", "a=1&a=2"
	for what, f := range map[string]func() (*events.Principal, error){
		"an error": func() (*events.Principal, error) { return &events.Principal{Kind: "k", ID: "i"}, errors.New("broken") },
		"a panic":  func() (*events.Principal, error) { panic("broken") },
		"no id":    func() (*events.Principal, error) { return &events.Principal{Kind: "k"}, nil },
		"no kind":  func() (*events.Principal, error) { return &events.Principal{ID: "i"}, nil },
	} {
		answer = f
		logged.Reset()
		if _, err := c.admit(r); !errors.Is(err, errUnauthorized) || !strings.Contains(logged.String(), "admitted nobody") {
			t.Errorf("%s: %v, logged %q", what, err, logged.String())
		}
	}
	if seen.URL != "http://example.com/bot/v1/channels/x?a=1&a=2" || seen.Header.Get("X-Who") != "me" || len(seen.Query["a"]) != 2 || seen.Remote != "203.0.113.9:5" || seen.Body != nil || seen.Principal != (events.Principal{}) {
		t.Errorf("%+v", seen)
	}
	synctest.Test(t, func(t *testing.T) { // one that takes too long is said to
		logged.Reset()
		answer = func() (*events.Principal, error) {
			<-cut.Done()
			return nil, errors.New("cut off")
		}
		if _, err := c.admit(r); err == nil || !strings.Contains(logged.String(), "it did not answer within 10s: cut off") {
			t.Errorf("%v, logged %q", err, logged.String())
		}
	})
	seen.Header.Set("X-Who", "changed")
	if r.Header.Get("X-Who") != "me" {
		t.Error("a function changed the request")
	}
}

// "ten wrong ones from a peer slow it down", over all policies; who is admitted without
// a secret is not held up, and a right secret ends it.
func TestChain_SlowsGuessesOfEveryKind(t *testing.T) {
	t.Parallel()
	kinds := secretKinds(t)
	synctest.Test(t, func(t *testing.T) {
		m := newPolicyMaker(zerolog.Nop())
		took := func(c *chain, h http.Header) time.Duration {
			start := time.Now()
			_, _ = c.admit(localRequest("203.0.113.9:5", "x", h))
			return time.Since(start)
		}
		for name, k := range kinds {
			c, err := m.chain([]agent.AuthPolicy{k.policy})
			if err != nil {
				t.Fatal(err)
			}
			other, err := m.chain([]agent.AuthPolicy{agent.APIKeyHeader("other", map[string]string{otherToken: "x"})})
			if err != nil {
				t.Fatal(err)
			}
			for range freeGuesses {
				if d := took(c, k.wrong); d != 0 {
					t.Fatalf("%s: held up by %v before ten wrong ones", name, d)
				}
			}
			if d := took(other, http.Header{"Other": {"x"}}); d != firstDelay {
				t.Errorf("%s: the next guess at another policy waited %v", name, d)
			}
			if d := took(c, nil); d != 0 {
				t.Errorf("%s: a request without a secret waited %v", name, d)
			}
			if d := took(c, k.right); d != 2*firstDelay {
				t.Errorf("%s: a right one waited %v", name, d)
			}
			if d := took(c, k.wrong); d != 0 {
				t.Errorf("%s: after a right one, a guess waited %v", name, d)
			}
			m.guesses.note("203.0.113.9", true)
		}
	})
}

// "`WWW-Authenticate` where bearer would do", and Basic where that would; nothing else
// has a word for it.
func TestChain_Challenges(t *testing.T) {
	t.Parallel()
	k := secretKinds(t)
	for _, tc := range []struct {
		list []agent.AuthPolicy
		want string
	}{
		{[]agent.AuthPolicy{agent.LocalDevStrict(), k["apiKey"].policy, k["function"].policy}, ""},
		{[]agent.AuthPolicy{k["bearer"].policy, k["jwt"].policy}, "Bearer"},
		{[]agent.AuthPolicy{k["basic"].policy}, `Basic realm="bdk", charset="UTF-8"`},
		{[]agent.AuthPolicy{agent.LocalDevStrict(), k["basic"].policy, k["tokens"].policy}, `Basic realm="bdk", charset="UTF-8"|Bearer`},
	} {
		w := newWorldOf(t, nil, func(*world) []*agent.Agent {
			return []*agent.Agent{{Slug: "bot", Model: agent.Model{ID: "scripted"}, Auth: tc.list}}
		})
		a := w.serve(nil).do("GET", "/bot/v1/info", "", "Host", "evil.test")
		if got := strings.Join(a.header["Www-Authenticate"], "|"); a.status != 401 || got != tc.want {
			t.Errorf("%d, %q, want %q", a.status, got, tc.want)
		}
	}
}

// A function of an agent that was replaced while it judged is not the last word: its VM
// may be gone, so the new agent's is asked.
func TestJudge_WhileTheAgentIsReplaced(t *testing.T) {
	t.Parallel()
	var w *world
	asked := 0
	next := &agent.Agent{Slug: "bot", Model: agent.Model{ID: "scripted"}, Auth: []agent.AuthPolicy{agent.AuthFunc(func(context.Context, *agent.Request) (*events.Principal, error) {
		asked++
		return &events.Principal{Kind: "custom", ID: "x"}, nil
	})}}
	w = newWorldOf(t, nil, func(*world) []*agent.Agent {
		return []*agent.Agent{{Slug: "bot", Model: agent.Model{ID: "scripted"}, Auth: []agent.AuthPolicy{agent.AuthFunc(func(ctx context.Context, _ *agent.Request) (*events.Principal, error) {
			return nil, errors.Join(errors.New("the VM is gone"), w.host.Reload(ctx, []*agent.Agent{next}))
		})}}}
	})
	if a := w.serve(nil).do("GET", "/bot/v1/info", ""); a.status != 200 || asked != 1 {
		t.Error(a.status, a.body, asked)
	}
}

// At debug level each policy says why it did not admit, and never the secret.
func TestPolicies_SayWhy(t *testing.T) {
	t.Parallel()
	jwtPolicy := agent.JWTAuth(agent.JWTRules{Issuer: testIssuer, Audience: testAudience, Keys: []string{sharedSecret}})
	late := signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "", func(c jwt.MapClaims) { c["exp"] = time.Now().Add(-time.Hour).Unix() })
	other := signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "", func(c jwt.MapClaims) { c["aud"] = "other" })
	nobody := signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "", func(c jwt.MapClaims) { delete(c, "sub") })
	forged := signed(t, jwt.SigningMethodHS256, []byte(otherToken), "", nil)
	for _, c := range []struct {
		policy       agent.AuthPolicy
		header, sent string
		want         string
	}{
		{jwtPolicy, "Authorization", "Bearer " + late, "token is expired"},
		{jwtPolicy, "Authorization", "Bearer " + other, "invalid audience"},
		{jwtPolicy, "Authorization", "Bearer " + forged, "signature is invalid"},
		{jwtPolicy, "Authorization", "Bearer " + nobody, "the token's sub is no text"},
		{jwtPolicy, "Authorization", "Bearer not.a-token", "malformed"},
		{jwtPolicy, "X-None", "", "there is not one header Authorization: Bearer"},
		{agent.BearerAuth(longToken), "Authorization", "Bearer " + otherToken, "the token is not one of those"},
		{agent.BearerAuth(longToken), "Authorization", basic("ann", password), "there is not one header Authorization: Bearer"},
		{agent.BasicAuth(map[string]string{"ann": password}), "Authorization", basic("ann", otherToken), "the user and password is not one of those"},
		{agent.APIKeyHeader("x-key", map[string]string{longToken: "p"}), "X-Key", otherToken, "the key is not one of those"},
		{agent.LocalDevStrict(), "Via", "", "a proxy left the header Via"},
		{agent.LocalDevStrict(), "X-None", "", "Host is not localhost"},
		{agent.AllowAll(), "X-None", "", "Host is not localhost"},
		{agent.AuthFunc(func(context.Context, *agent.Request) (*events.Principal, error) { return nil, nil }), "X-None", "", "the function named nobody"},
	} {
		for _, level := range []zerolog.Level{zerolog.DebugLevel, zerolog.InfoLevel} {
			var logged strings.Builder
			made, err := newPolicyMaker(zerolog.New(&logged).Level(level)).chain([]agent.AuthPolicy{c.policy})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := made.admit(localRequest("127.0.0.1:5", "evil.test", http.Header{c.header: {c.sent}})); err == nil {
				t.Fatal(c.want, "it is admitted")
			}
			if said := logged.String(); strings.Contains(said, c.want) != (level == zerolog.DebugLevel) || c.sent != "" && strings.Contains(said, c.sent[strings.IndexByte(c.sent, ' ')+1:]) || strings.Contains(said, longToken) {
				t.Errorf("%s at %v: %s", c.want, level, said)
			}
		}
	}
}

package transport

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const (
	testIssuer   = "https://idp.test/"
	testAudience = "bdk"
	sharedSecret = "a shared secret of thirty-two byte"
)

// keys are made once: RSA keys take their time.
var keys = sync.OnceValue(func() (k struct {
	rsa *rsa.PrivateKey
	ec  *ecdsa.PrivateKey
	ed  ed25519.PrivateKey
}) {
	k.rsa, _ = rsa.GenerateKey(rand.Reader, 2048)
	k.ec, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, k.ed, _ = ed25519.GenerateKey(rand.Reader)
	return k
})

func publicPEM(t *testing.T, key crypto.PublicKey) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func goodClaims() jwt.MapClaims {
	return jwt.MapClaims{"iss": testIssuer, "aud": testAudience, "sub": "ann", "exp": time.Now().Add(time.Hour).Unix()}
}

// signed makes a token; change edits its claims, kid its header.
func signed(t *testing.T, method jwt.SigningMethod, key any, kid string, change func(jwt.MapClaims)) string {
	t.Helper()
	claims := goodClaims()
	if change != nil {
		change(claims)
	}
	token := jwt.NewWithClaims(method, claims)
	if kid != "" {
		token.Header["kid"] = kid
	}
	s, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bearing(token string) *http.Request {
	return localRequest("203.0.113.9:5", "example.com", http.Header{"Authorization": {"Bearer " + token}})
}

func chainOf(t *testing.T, list ...agent.AuthPolicy) *chain {
	t.Helper()
	c, err := newPolicyMaker(zerolog.Nop()).chain(list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// forgive forgets wrong guesses, for tests that are not about them.
func (c *chain) forgive() { c.guesses.note("203.0.113.9", true) }

// "a valid JWT | {kind:"jwt", issuer, id: sub}", by each kind of key; a kid says nothing
// where the keys are given.
func TestJWT_KindsOfKeys(t *testing.T) {
	t.Parallel()
	k := keys()
	c := chainOf(t, agent.JWTAuth(agent.JWTRules{Issuer: testIssuer, Audience: testAudience,
		Keys: []string{publicPEM(t, k.rsa.Public()), publicPEM(t, k.ec.Public()), publicPEM(t, k.ed.Public()), sharedSecret}}))
	want := events.Principal{Kind: "jwt", Issuer: testIssuer, ID: "ann"}
	for _, tc := range []struct {
		method jwt.SigningMethod
		key    any
	}{
		{jwt.SigningMethodRS256, k.rsa}, {jwt.SigningMethodRS512, k.rsa}, {jwt.SigningMethodPS256, k.rsa}, {jwt.SigningMethodES256, k.ec}, {jwt.SigningMethodEdDSA, k.ed}, {jwt.SigningMethodHS256, []byte(sharedSecret)}, {jwt.SigningMethodHS512, []byte(sharedSecret)},
	} {
		a, err := c.admit(bearing(signed(t, tc.method, tc.key, "any", nil)))
		if err != nil || a.who != want || a.by != agent.AuthJWT {
			t.Errorf("%s: %+v, %v", tc.method.Alg(), a, err)
		}
	}
	if len(c.challenges) != 1 || c.challenges[0] != "Bearer" {
		t.Error(c.challenges)
	}
}

// Tokens that are not valid admit nobody: another issuer, another audience, past, not
// yet, without what it needs, of another claim.
func TestJWT_Claims(t *testing.T) {
	t.Parallel()
	rules := agent.JWTRules{Issuer: testIssuer, Audience: testAudience, Keys: []string{sharedSecret}}
	c := chainOf(t, agent.JWTAuth(rules))
	rules.Claim = "email"
	byMail := chainOf(t, agent.JWTAuth(rules))
	for name, tc := range map[string]struct {
		change func(jwt.MapClaims)
		chain  *chain
		id     string // empty: not admitted
	}{
		"good":           {nil, c, "ann"},
		"audience list":  {func(m jwt.MapClaims) { m["aud"] = []string{"other", testAudience} }, c, "ann"},
		"colon, slash":   {func(m jwt.MapClaims) { m["sub"] = "a:b/c" }, c, "a:b/c"},
		"claim":          {func(m jwt.MapClaims) { m["email"] = "ann@x.test" }, byMail, "ann@x.test"},
		"no claim":       {nil, byMail, ""},
		"issuer":         {func(m jwt.MapClaims) { m["iss"] = "https://evil.test/" }, c, ""},
		"issuer prefix":  {func(m jwt.MapClaims) { m["iss"] = strings.TrimSuffix(testIssuer, "/") }, c, ""},
		"no issuer":      {func(m jwt.MapClaims) { delete(m, "iss") }, c, ""},
		"audience":       {func(m jwt.MapClaims) { m["aud"] = "another service" }, c, ""},
		"no audience":    {func(m jwt.MapClaims) { delete(m, "aud") }, c, ""},
		"expired":        {func(m jwt.MapClaims) { m["exp"] = time.Now().Add(-time.Second).Unix() }, c, ""},
		"no expiry":      {func(m jwt.MapClaims) { delete(m, "exp") }, c, ""},
		"expiry is text": {func(m jwt.MapClaims) { m["exp"] = "tomorrow" }, c, ""},
		"not yet":        {func(m jwt.MapClaims) { m["nbf"] = time.Now().Add(time.Hour).Unix() }, c, ""},
		"no subject":     {func(m jwt.MapClaims) { delete(m, "sub") }, c, ""},
		"empty subject":  {func(m jwt.MapClaims) { m["sub"] = "" }, c, ""},
		"subject is 7":   {func(m jwt.MapClaims) { m["sub"] = 7 }, c, ""},
	} {
		a, err := tc.chain.admit(bearing(signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "", tc.change)))
		tc.chain.forgive()
		if (err == nil) != (tc.id != "") || a.who.ID != tc.id {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

// Signatures that must not count: with the public key as the secret of HS256, with no
// algorithm, with another key, with a critical header that nobody knows, altered.
func TestJWT_Forgeries(t *testing.T) {
	t.Parallel()
	k := keys()
	text := publicPEM(t, k.rsa.Public())
	c := chainOf(t, agent.JWTAuth(agent.JWTRules{Issuer: testIssuer, Audience: testAudience, Keys: []string{text, sharedSecret}}))
	der, _ := x509.MarshalPKIXPublicKey(k.rsa.Public())
	other, _ := rsa.GenerateKey(rand.Reader, 2048)
	good := signed(t, jwt.SigningMethodRS256, k.rsa, "", nil)
	parts := strings.Split(good, ".")
	critical := jwt.NewWithClaims(jwt.SigningMethodHS256, goodClaims())
	critical.Header["crit"] = []string{"b64"}
	criticalText, _ := critical.SignedString([]byte(sharedSecret))
	none := signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "", nil)
	for name, token := range map[string]string{
		"HS256 by the PEM":       signed(t, jwt.SigningMethodHS256, []byte(text), "", nil),
		"HS256 by trimmed PEM":   signed(t, jwt.SigningMethodHS256, []byte(strings.TrimSpace(text)), "", nil),
		"HS256 by the DER":       signed(t, jwt.SigningMethodHS256, der, "", nil),
		"HS256 by nothing":       signed(t, jwt.SigningMethodHS256, []byte{}, "", nil),
		"none":                   none,
		"none, in capitals":      base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"NONE"}`)) + "." + parts[1] + ".",
		"none with a signature":  strings.Split(none, ".")[0] + "." + parts[1] + "." + parts[2],
		"another key":            signed(t, jwt.SigningMethodRS256, other, "", nil),
		"another secret":         signed(t, jwt.SigningMethodHS256, []byte(sharedSecret+"x"), "", nil),
		"no signature":           parts[0] + "." + parts[1] + ".",
		"two parts":              parts[0] + "." + parts[1],
		"critical":               criticalText,
		"altered":                parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"`+testIssuer+`","aud":"bdk","sub":"eve","exp":9999999999}`)) + "." + parts[2],
		"ES256 by another curve": signed(t, jwt.SigningMethodES256, k.ec, "", nil),
		"empty parts":            "..",
	} {
		if a, err := c.admit(bearing(token)); err == nil {
			t.Errorf("%s was admitted: %+v", name, a)
		}
		c.forgive()
	}
	if _, err := c.admit(bearing(good)); err != nil {
		t.Error(err)
	}
}

// An idp serves a set of keys that a test can change.
type idp struct {
	*httptest.Server
	set     atomic.Value // string
	fetches atomic.Int64
}

func newIDP(t *testing.T, set string) *idp {
	t.Helper()
	p := &idp{}
	p.set.Store(set)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.fetches.Add(1)
		body := p.set.Load().(string)
		if body == "" {
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(p.Close)
	return p
}

func jwkOf(t *testing.T, kid string, key crypto.PublicKey, more map[string]any) map[string]any {
	t.Helper()
	b64 := base64.RawURLEncoding.EncodeToString
	m := map[string]any{"kid": kid}
	switch k := key.(type) {
	case *rsa.PublicKey:
		m["kty"], m["n"], m["e"] = "RSA", b64(k.N.Bytes()), b64(big.NewInt(int64(k.E)).Bytes())
	case *ecdsa.PublicKey:
		point, err := k.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		m["kty"], m["crv"], m["x"], m["y"] = "EC", "P-256", b64(point[1:33]), b64(point[33:])
	case ed25519.PublicKey:
		m["kty"], m["crv"], m["x"] = "OKP", "Ed25519", b64(k)
	}
	maps.Copy(m, more)
	return m
}

func setOf(keys ...map[string]any) string {
	b, _ := json.Marshal(map[string]any{"keys": keys})
	return string(b)
}

// jwksChain gives a chain over an identity provider, and its clock.
func jwksChain(t *testing.T, p *idp) (*chain, *atomic.Int64) {
	t.Helper()
	m, at := newPolicyMaker(zerolog.Nop()), &atomic.Int64{}
	m.now = func() time.Time { return time.Now().Add(time.Duration(at.Load())) }
	c, err := m.chain([]agent.AuthPolicy{agent.JWTAuth(agent.JWTRules{JWKSURL: p.URL, Issuer: testIssuer, Audience: testAudience})})
	if err != nil {
		t.Fatal(err)
	}
	return c, at
}

// Keys are fetched when they are needed, once for many tokens, again for a key that is
// not known, though not for each token that names one, and old ones go on where the
// provider does not answer.
func TestJWKS_FetchesWhatItNeeds(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, setOf(jwkOf(t, "one", k.rsa.Public(), nil)))
	c, now := jwksChain(t, p)
	try := func(what string, token string, want bool, fetches int64) {
		t.Helper()
		if _, err := c.admit(bearing(token)); (err == nil) != want || p.fetches.Load() != fetches {
			t.Errorf("%s: %v, %d fetches, want %d", what, err, p.fetches.Load(), fetches)
		}
		c.forgive()
	}
	one, two := signed(t, jwt.SigningMethodRS256, k.rsa, "one", nil), signed(t, jwt.SigningMethodES256, k.ec, "two", nil)
	if p.fetches.Load() != 0 {
		t.Error("keys are fetched before anybody needs them")
	}
	try("the first token", one, true, 1)
	try("the second", one, true, 1)
	try("an unknown key, at once", two, false, 1)
	p.set.Store(setOf(jwkOf(t, "one", k.rsa.Public(), nil), jwkOf(t, "two", k.ec.Public(), nil)))
	now.Add(int64(jwksPause))
	try("an unknown key, later", two, true, 2)
	try("the old key", one, true, 2)
	for range 20 {
		try("nonsense", signed(t, jwt.SigningMethodES256, k.ec, "three", nil), false, 2)
	}
	p.set.Store("")
	now.Add(int64(jwksFresh))
	try("while the provider is down", one, true, 3)
	try("and again", one, true, 3)
	p.set.Store(setOf(jwkOf(t, "two", k.ec.Public(), nil)))
	now.Add(int64(jwksPause))
	try("a key that was taken back", one, false, 4)
	try("without an id", signed(t, jwt.SigningMethodES256, k.ec, "", nil), true, 4)
}

// What a set must not bring: secrets, short keys, keys of another use, huge sets. Good
// keys beside bad ones still count.
func TestJWKS_WhatASetMayHold(t *testing.T) {
	t.Parallel()
	k := keys()
	secret := base64.RawURLEncoding.EncodeToString([]byte(sharedSecret))
	short, _ := rsa.GenerateKey(rand.Reader, 1024)
	bad := []map[string]any{
		{"kty": "oct", "kid": "shared", "k": secret}, {"kty": "new", "kid": "new"}, {"kty": 7}, jwkOf(t, "short", short.Public(), nil),
		jwkOf(t, "enc", k.rsa.Public(), map[string]any{"use": "enc"}), jwkOf(t, "narrow", k.rsa.Public(), map[string]any{"alg": "RS512"}),
	}
	c, _ := jwksChain(t, newIDP(t, setOf(append(bad, jwkOf(t, "", k.ed.Public(), nil), jwkOf(t, "", k.ec.Public(), nil))...)))
	for name, tc := range map[string]struct {
		token string
		want  bool
	}{
		"shared secret":  {signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "shared", nil), false},
		"no id, secret":  {signed(t, jwt.SigningMethodHS256, []byte(sharedSecret), "", nil), false},
		"short key":      {signed(t, jwt.SigningMethodRS256, short, "short", nil), false},
		"for encryption": {signed(t, jwt.SigningMethodRS256, k.rsa, "enc", nil), false},
		"other alg":      {signed(t, jwt.SigningMethodRS256, k.rsa, "narrow", nil), false},
		"its alg":        {signed(t, jwt.SigningMethodRS512, k.rsa, "narrow", nil), true},
		"one without id": {signed(t, jwt.SigningMethodES256, k.ec, "", nil), true},
		"the other":      {signed(t, jwt.SigningMethodEdDSA, k.ed, "", nil), true},
	} {
		if _, err := c.admit(bearing(tc.token)); (err == nil) != tc.want {
			t.Errorf("%s: %v", name, err)
		}
		c.forgive()
	}
	for name, set := range map[string]string{
		"huge": `{"keys":[],"x":"` + strings.Repeat("x", jwksBytes) + `"}`, "not JSON": "<html>", "empty": `{"keys":[]}`, "only secrets": setOf(bad[0]),
	} {
		c, _ := jwksChain(t, newIDP(t, set))
		if _, err := c.admit(bearing(signed(t, jwt.SigningMethodES256, k.ec, "", nil))); err == nil {
			t.Errorf("%s: admitted", name)
		}
	}
}

// Keys are taken from the address that was written, or where that leads safely.
func TestJWKS_Redirects(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, setOf(jwkOf(t, "one", k.ec.Public(), nil)))
	for target, want := range map[string]bool{p.URL: true, "http://evil.test/keys": false, "ftp://localhost/": false, "": false} {
		hops := 0
		hop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			to := target
			if hops++; to == "" {
				to = fmt.Sprintf("/%d", hops)
			}
			http.Redirect(w, r, to, http.StatusFound)
		}))
		defer hop.Close()
		c, _ := jwksChain(t, &idp{Server: hop})
		if _, err := c.admit(bearing(signed(t, jwt.SigningMethodES256, k.ec, "one", nil))); (err == nil) != want {
			t.Errorf("to %q: %v", target, err)
		}
		if hops > jwksHops+1 {
			t.Errorf("%d redirects were followed", hops)
		}
	}
}

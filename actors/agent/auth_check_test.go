package agent

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"
)

func pemOf(t *testing.T, kind string, der []byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func publicPEM(t *testing.T, key crypto.PublicKey) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	return pemOf(t, "PUBLIC KEY", der, err)
}

func ecdsaKey(t *testing.T, c elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// What a policy cannot be used with is refused with a sentence that names no secret.
func TestAuthPolicy_Check(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		policy AuthPolicy
		want   string // empty: fine
	}{
		"local": {LocalDevStrict(), ""}, "all": {AllowAll(), ""},
		"token":       {BearerAuth("s3cret-of-some-length"), ""},
		"no token":    {BearerAuth(""), "is empty"},
		"none at all": {BearerTokens(nil), "would admit nobody"},
		"space":       {BearerAuth("s3cret "), "begins or ends with a space"},
		"line":        {BearerAuth("s3\ncret"), "no header can have"},
		"no id":       {BearerTokens(map[string]string{"s3cret": ""}), "no principal"},
		"user":        {BasicAuth(map[string]string{"ann": "s3cret: ü"}), ""},
		"colon":       {BasicAuth(map[string]string{"a:b": "s3cret"}), "no user"},
		"no password": {BasicAuth(map[string]string{"ann": ""}), "is empty"},
		"key":         {APIKeyHeader("x-api-key", map[string]string{"s3cret": "ci"}), ""},
		"no header":   {APIKeyHeader("", map[string]string{"s3cret": "ci"}), "no name of a header"},
		"odd header":  {APIKeyHeader("x api", map[string]string{"s3cret": "ci"}), "no name of a header"},
		"host":        {APIKeyHeader("host", map[string]string{"s3cret": "ci"}), "Host"},
		"function":    {AuthFunc(nil), "has none"},
		"unknown":     {AuthPolicy{Kind: "magic"}, `"magic" is unknown`},
		"no rules":    {AuthPolicy{Kind: AuthJWT}, "no rules"},
	} {
		err := tc.policy.Check()
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "s3")):
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

// A public key in any form that people paste is never taken for a shared secret, with
// which everybody could sign.
func TestJWTRules_Keys(t *testing.T) {
	t.Parallel()
	ec := ecdsaKey(t, elliptic.P256())
	der, err := x509.MarshalPKIXPublicKey(ec.Public())
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(ec)
	short, shortErr := rsa.GenerateKey(rand.Reader, 1024)
	if shortErr != nil {
		t.Fatal(shortErr)
	}
	edwards, _, _ := ed25519.GenerateKey(rand.Reader)
	for name, tc := range map[string]struct{ key, want string }{
		"ecdsa":       {publicPEM(t, ec.Public()), ""},
		"ed25519":     {"\n  " + publicPEM(t, edwards) + "\n", ""},
		"secret":      {"a-shared-secret-of-some-length", ""},
		"empty":       {" ", "is empty"},
		"private":     {pemOf(t, "PRIVATE KEY", private, err), "private key"},
		"no lines":    {base64.StdEncoding.EncodeToString(der), "without the PEM lines"},
		"wrapped":     {base64.StdEncoding.EncodeToString(der)[:64] + "\n" + base64.StdEncoding.EncodeToString(der)[64:], "without the PEM lines"},
		"jwk":         {`{"kty":"EC"}`, "JSON object"},
		"ssh":         {"ssh-ed25519 AAAA me", "SSH key"},
		"two":         {publicPEM(t, ec.Public()) + publicPEM(t, edwards), "more than one PEM block"},
		"cut":         {"-----BEGIN PUBLIC KEY-----\nAAAA", "cannot be read"},
		"short RSA":   {publicPEM(t, short.Public()), "too short"},
		"other curve": {publicPEM(t, ecdsaKey(t, elliptic.P224()).Public()), "P-224"},
	} {
		p := JWTAuth(JWTRules{Keys: []string{tc.key}, Issuer: "i", Audience: "a"})
		err := p.Check()
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func TestJWTRules_Address(t *testing.T) {
	t.Parallel()
	for address, fine := range map[string]bool{
		"https://idp.test/keys": true, "http://localhost:8080/keys": true, "http://127.0.0.1/keys": true, "http://[::1]/keys": true,
		"http://idp.test/keys": false, "http://127.0.0.1.evil.test/keys": false, "https://me:word@idp.test/keys": false, "file:///keys": false, "https:idp.test": false, "keys": false,
	} {
		p := JWTAuth(JWTRules{JWKSURL: address, Issuer: "i", Audience: "a"})
		if err := p.Check(); (err == nil) != fine {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, r := range []JWTRules{{Keys: []string{"k"}, Audience: "a"}, {Keys: []string{"k"}, Issuer: "i"}, {Issuer: "i", Audience: "a"}, {Keys: []string{"k"}, JWKSURL: "https://x/y", Issuer: "i", Audience: "a"}} {
		if p := JWTAuth(r); p.Check() == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}

// "A bearer secret under 16 characters is a start-up warning": each kind has its own.
func TestAuthPolicy_Secrets(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		policy AuthPolicy
		secret string
		short  int
	}{
		{BearerAuth("fifteen-letters"), "fifteen-letters", 1}, {BearerAuth("sixteen-letters!"), "sixteen-letters!", 0},
		{BasicAuth(map[string]string{"a-user-with-a-long-name": "short"}), "short", 1}, {APIKeyHeader("k", map[string]string{"short": "i"}), "short", 1},
		{JWTAuth(JWTRules{Keys: []string{"short"}}), "short", 1},
	} {
		if got := tc.policy.Secret(); len(got) != 1 || got[0] != tc.secret || tc.policy.Short() != tc.short {
			t.Errorf("%s: %q, %d short", tc.policy.Kind, got, tc.policy.Short())
		}
	}
}

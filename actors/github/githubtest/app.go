package githubtest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// appSide is a GitHub App as the server knows it.
type appSide struct {
	id, slug     string
	key          *rsa.PublicKey
	installation int64
	lifetime     time.Duration
	now          func() time.Time
	made         int
}

// AddApp registers an app with one installation, which has every repository, and gives
// its private key. Its tokens live for an hour of the clock now.
func (s *Server) AddApp(t testing.TB, id, slug string, installation int64, now func() time.Time) (privateKey string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.app = &appSide{id: id, slug: slug, key: &key.PublicKey, installation: installation, lifetime: time.Hour, now: now}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
}

func (s *Server) appRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /app", s.asApp(func(w http.ResponseWriter, _ *http.Request, a *appSide) {
		reply(w, http.StatusOK, map[string]any{"slug": a.slug})
	}))
	mux.HandleFunc("GET /repos/{owner}/{repo}/installation", s.asApp(func(w http.ResponseWriter, _ *http.Request, a *appSide) {
		reply(w, http.StatusOK, map[string]any{"id": a.installation})
	}))
	mux.HandleFunc("GET /app/installations", s.asApp(func(w http.ResponseWriter, _ *http.Request, a *appSide) {
		reply(w, http.StatusOK, []any{map[string]any{"id": a.installation}})
	}))
	mux.HandleFunc("POST /app/installations/{id}/access_tokens", s.asApp(func(w http.ResponseWriter, r *http.Request, a *appSide) {
		if r.PathValue("id") != fmt.Sprint(a.installation) {
			reply(w, http.StatusNotFound, map[string]any{"message": "Not Found"})
			return
		}
		a.made++
		reply(w, http.StatusCreated, map[string]any{"token": fmt.Sprintf("ghs_installation_token_%d", a.made), "expires_at": a.now().Add(a.lifetime).UTC().Format(time.RFC3339)})
	}))
}

// asApp admits what the app has signed.
func (s *Server) asApp(f func(http.ResponseWriter, *http.Request, *appSide)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.app == nil || !s.app.admits(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
			reply(w, http.StatusUnauthorized, map[string]any{"message": "A JSON web token could not be decoded"})
			return
		}
		f(w, r, s.app)
	}
}

// admits checks a signature and its time as GitHub does: at most ten minutes ahead.
func (a *appSide) admits(token string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err != nil || rsa.VerifyPKCS1v15(a.key, crypto.SHA256, sum[:], signature) != nil {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Issued  int64  `json:"iat"`
		Expires int64  `json:"exp"`
		Issuer  string `json:"iss"`
	}
	if err != nil || json.Unmarshal(text, &claims) != nil {
		return false
	}
	now := a.now().Unix()
	return claims.Issuer == a.id && claims.Issued <= now && claims.Expires > now && claims.Expires <= now+600
}

package github

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An app is a GitHub App: it signs that it is itself, and gets tokens of its installations.
type app struct {
	id  string
	key *rsa.PrivateKey

	mu sync.Mutex
	// tokens by installation; places maps "owner/repo", in lower case, to installations.
	tokens map[int64]*grant
	places map[string]int64
}

// A grant is the token of one installation. Its lock is held while it is renewed.
type grant struct {
	mu      sync.Mutex
	token   string
	expires time.Time
}

// renewBefore is how long before its end a token is renewed.
const renewBefore = 5 * time.Minute

func newApp(id, key string) (*app, error) {
	if _, err := strconv.ParseInt(id, 10, 64); err != nil && !strings.HasPrefix(id, "Iv") {
		return nil, &SettingError{"appId", "the app's id is its number, or its client id"}
	}
	k, err := parseKey(key)
	if err != nil {
		return nil, err
	}
	return &app{id: id, key: k, tokens: map[int64]*grant{}, places: map[string]int64{}}, nil
}

func parseKey(text string) (*rsa.PrivateKey, error) {
	const wrong = "the app's private key is no RSA key in PEM: it begins with -----BEGIN RSA PRIVATE KEY-----"
	block, _ := pem.Decode([]byte(strings.ReplaceAll(text, `\n`, "\n")))
	if block == nil {
		return nil, &SettingError{"privateKey", wrong}
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if k, ok := key.(*rsa.PrivateKey); err == nil && ok {
		return k, nil
	}
	return nil, &SettingError{"privateKey", wrong}
}

// assertion is a JSON Web Token by which the app says that it is itself. Its beginning
// lies back for clocks that differ.
func (p *app) assertion(now time.Time) (string, error) {
	claims, err := json.Marshal(map[string]any{"iat": now.Add(-time.Minute).Unix(), "exp": now.Add(9 * time.Minute).Unix(), "iss": p.id})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + encode(claims)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("github: signing as the app: %w", err)
	}
	return signed + "." + encode(signature), nil
}

// credential is what a request is authorized by; empty: nothing.
func (c *Client) credential(ctx context.Context, r *request) (string, error) {
	switch {
	case c.app == nil:
		return c.token, nil
	case r.asApp || r.path == "/app" || strings.HasPrefix(r.path, "/app/"):
		return c.app.assertion(c.clock.Now())
	}
	if r.installation == 0 {
		id, err := c.installationOf(ctx, r.path)
		if err != nil {
			return "", err
		}
		r.installation = id
	}
	return c.installationToken(ctx, r.installation)
}

// installationToken gives the token of an installation, renewed in time.
func (c *Client) installationToken(ctx context.Context, id int64) (string, error) {
	g := c.app.grant(id)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.token != "" && c.clock.Now().Add(renewBefore).Before(g.expires) {
		return g.token, nil
	}
	a, err := c.do(ctx, &request{method: http.MethodPost, path: fmt.Sprintf("/app/installations/%d/access_tokens", id), asApp: true})
	if err != nil {
		return "", err
	}
	var made struct {
		Token   string    `json:"token"`
		Expires time.Time `json:"expires_at"`
	}
	if err := json.Unmarshal(a.body, &made); err != nil || made.Token == "" {
		return "", fmt.Errorf("github: the answer for a token of installation %d has no token", id)
	}
	c.secret.Add(made.Token)
	g.token, g.expires = made.Token, made.Expires
	return g.token, nil
}

func (p *app) grant(id int64) *grant {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.tokens[id]
	if g == nil {
		g = &grant{}
		p.tokens[id] = g
	}
	return g
}

// forget drops what a request was authorized by.
func (p *app) forget(r *request) {
	g := p.grant(r.installation)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.token = ""
}

// know remembers whose installation a repository belongs to.
func (p *app) know(place string, id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.places) > 10_000 {
		clear(p.places)
	}
	p.places[strings.ToLower(place)] = id
}

func (p *app) known(place string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.places[strings.ToLower(place)]
}

// installationOf finds which installation may ask for a path.
func (c *Client) installationOf(ctx context.Context, path string) (int64, error) {
	place := placeOf(path)
	if id := c.app.known(place); id != 0 {
		return id, nil
	}
	id, err := c.findInstallation(ctx, place)
	if err != nil {
		return 0, err
	}
	c.app.know(place, id)
	return id, nil
}

// placeOf is "/repos/owner/repo", "/orgs/org" or "/users/user" of a path; empty for others.
func placeOf(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "repos":
		return "/" + strings.Join(parts[:3], "/")
	case len(parts) >= 2 && (parts[0] == "orgs" || parts[0] == "users"):
		return "/" + strings.Join(parts[:2], "/")
	}
	return ""
}

func (c *Client) findInstallation(ctx context.Context, place string) (int64, error) {
	if place != "" {
		a, err := c.do(ctx, &request{method: http.MethodGet, path: place + "/installation", asApp: true})
		if err != nil {
			return 0, fmt.Errorf("finding the app's installation: %w", err)
		}
		var found struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal(a.body, &found); err != nil || found.ID == 0 {
			return 0, fmt.Errorf("github: the answer for the installation of %s has no id", place)
		}
		return found.ID, nil
	}
	a, err := c.do(ctx, &request{method: http.MethodGet, path: "/app/installations", asApp: true})
	if err != nil {
		return 0, fmt.Errorf("finding the app's installation: %w", err)
	}
	var all []struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(a.body, &all); err != nil || len(all) != 1 {
		return 0, errors.New("github: the app has not one installation alone, so name a repository: /repos/{owner}/{repo}/…")
	}
	return all[0].ID, nil
}

package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/gobdk/bdk/internal/netguard"
)

// A challenge is what a server said when it refused a request.
type challenge struct {
	// metadata is the address of the resource's metadata, empty when it named none.
	metadata string
	scopes   []string
}

// readChallenge finds what a WWW-Authenticate header says of Bearer tokens, and why
// the token was refused.
func readChallenge(h http.Header) (c challenge, reason string) {
	all, err := oauthex.ParseWWWAuthenticate(h["Www-Authenticate"])
	if err != nil {
		return c, ""
	}
	for _, one := range all {
		if one.Scheme == "bearer" {
			return challenge{metadata: one.Params["resource_metadata"], scopes: strings.Fields(one.Params["scope"])}, one.Params["error"]
		}
	}
	return c, ""
}

// A resource is the metadata of what is protected (RFC 9728).
type resource struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
	// assumed says that the server has no metadata, and authorizes by itself.
	assumed bool
}

// An authority is the metadata of who authorizes (RFC 8414).
type authority struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	Registration  string   `json:"registration_endpoint"`
	Scopes        []string `json:"scopes_supported"`
	Challenges    []string `json:"code_challenge_methods_supported"`
	Methods       []string `json:"token_endpoint_auth_methods_supported"`
	SaysIssuer    bool     `json:"authorization_response_iss_parameter_supported"`
}

// discover finds who authorizes for a connection.
func (w *web) discover(ctx context.Context, c challenge) (*resource, *authority, error) {
	r, err := w.resource(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	a, err := w.authority(ctx, r)
	if errors.Is(err, errNotThere) && r.Servers[0] == origin(w.home) {
		// Servers of the first revisions had no metadata, and these addresses.
		base := origin(w.home)
		a, err = &authority{Issuer: base, Authorization: base + "/authorize", Token: base + "/token", Registration: base + "/register", Challenges: []string{"S256"}}, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the metadata of the authorization server %s: %w", r.Servers[0], err)
	}
	return r, a, w.trust(a)
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// resource reads the metadata of the connection's server, from where it says, or
// from where it should be. A server without any authorizes by itself.
func (w *web) resource(ctx context.Context, c challenge) (*resource, error) {
	places := []string{}
	if c.metadata != "" {
		if err := w.checkAddress("address of the server's metadata", c.metadata); err != nil {
			return nil, err
		}
		places = append(places, c.metadata)
	} else {
		const known = "/.well-known/oauth-protected-resource"
		if p := strings.TrimSuffix(w.home.EscapedPath(), "/"); p != "" {
			places = append(places, origin(w.home)+known+p)
		}
		places = append(places, origin(w.home)+known)
	}
	for _, place := range places {
		var r resource
		err := w.get(ctx, place, &r)
		if errors.Is(err, errNotThere) && c.metadata == "" {
			continue
		}
		if err == nil {
			err = w.covers(&r)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the metadata of the server at %s: %w", place, err)
		}
		return &r, nil
	}
	return &resource{Resource: w.home.String(), Servers: []string{origin(w.home)}, assumed: true}, nil
}

// covers says whether metadata is of the connection's server: a token is asked for
// what it names, and sent nowhere else.
func (w *web) covers(r *resource) error {
	u, err := url.Parse(r.Resource)
	if err != nil || !netguard.SameOrigin(u, w.home) || !under(w.home.Path, u.Path) {
		return fmt.Errorf("it is of the resource %q and not of %s", r.Resource, w.home.Redacted())
	}
	if len(r.Servers) == 0 {
		return errors.New("it names no authorization server")
	}
	return w.checkAddress("authorization server", r.Servers[0])
}

// under says whether a path is base, or below it.
func under(p, base string) bool {
	p, base = path.Clean("/"+p), path.Clean("/"+base)
	return p == base || base == "/" || strings.HasPrefix(p, base+"/")
}

// authority reads the metadata of an authorization server, from where RFC 8414 and
// OpenID Connect put it.
func (w *web) authority(ctx context.Context, r *resource) (*authority, error) {
	issuer := r.Servers[0]
	u, err := url.Parse(issuer)
	if err != nil {
		return nil, err
	}
	base, p := origin(u), strings.TrimSuffix(u.EscapedPath(), "/")
	places := []string{base + "/.well-known/oauth-authorization-server" + p, base + "/.well-known/openid-configuration" + p}
	if p != "" {
		places = append(places, base+p+"/.well-known/openid-configuration")
	}
	for _, place := range places {
		var a authority
		err := w.get(ctx, place, &a)
		if errors.Is(err, errNotThere) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !isIssuer(a.Issuer, r) {
			return nil, fmt.Errorf("it is that of another issuer, %q", a.Issuer)
		}
		return &a, nil
	}
	return nil, errNotThere
}

// isIssuer says whether metadata is that of the issuer which the resource names. A
// server that names none may call itself as it likes on its own origin.
func isIssuer(said string, r *resource) bool {
	issuer := r.Servers[0]
	if strings.TrimSuffix(said, "/") == strings.TrimSuffix(issuer, "/") {
		return true
	}
	a, errA := url.Parse(said)
	b, errB := url.Parse(issuer)
	return r.assumed && errA == nil && errB == nil && netguard.SameOrigin(a, b)
}

// trust refuses an authorization server that cannot be used safely.
func (w *web) trust(a *authority) error {
	if !slices.Contains(a.Challenges, "S256") {
		return fmt.Errorf("the authorization server %s does not say that it takes PKCE with S256, without which a code could be stolen", a.Issuer)
	}
	for what, address := range map[string]string{"authorization endpoint": a.Authorization, "token endpoint": a.Token} {
		if address == "" {
			return fmt.Errorf("the authorization server %s names no %s", a.Issuer, what)
		}
		if err := w.checkAddress(what, address); err != nil {
			return err
		}
	}
	if a.Registration != "" {
		return w.checkAddress("registration endpoint", a.Registration)
	}
	return nil
}

// probe asks the connection's server without a token, for what it says then.
func (w *web) probe(ctx context.Context) challenge {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.home.String(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return challenge{}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := (&http.Client{Transport: w, CheckRedirect: netguard.CheckRedirect}).Do(r)
	if err != nil {
		return challenge{}
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusUnauthorized {
		return challenge{}
	}
	c, _ := readChallenge(res.Header)
	return c
}

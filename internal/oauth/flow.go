package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// Lifetime is how long what was begun can be finished.
	Lifetime = 10 * time.Minute
	// maxFlows bounds what is under way: the oldest is forgotten.
	maxFlows = 100
)

// A flow is what was begun and is not finished.
type flow struct {
	target    Target
	authority authority
	resource  string
	scopes    []string
	client    client
	redirect  string
	verifier  string
	expiresAt time.Time
}

// A Pending is a link for a person.
type Pending struct {
	// URL is of http or https.
	URL       string
	ExpiresAt time.Time
	// State is what the person comes back with.
	State string
}

// Begin finds who authorizes for a connection, and gives the link at which a
// person does. redirect is where the person comes back to: see Finish.
func (m *Manager) Begin(ctx context.Context, t Target, redirect string) (Pending, error) {
	w, err := m.newWeb(&t)
	if err != nil {
		return Pending{}, err
	}
	defer w.close()
	c, err := m.challenged(ctx, &t)
	if err != nil {
		return Pending{}, err
	}
	if c.metadata == "" && len(c.scopes) == 0 {
		c = w.probe(ctx)
	}
	r, a, err := w.discover(ctx, c)
	if err != nil {
		return Pending{}, err
	}
	who, err := m.client(ctx, w, &t, a, redirect)
	if err != nil {
		return Pending{}, err
	}
	f := &flow{target: t, authority: *a, resource: r.Resource, scopes: scopes(&t, c, r, a), client: who, redirect: redirect, verifier: secret(), expiresAt: m.now().Add(Lifetime)}
	state := secret()
	link, err := f.link(state)
	if err != nil {
		return Pending{}, err
	}
	m.start(state, f)
	return Pending{URL: link, ExpiresAt: f.expiresAt, State: state}, nil
}

// challenged is what the server said when it last refused a request.
func (m *Manager) challenged(ctx context.Context, t *Target) (challenge, error) {
	h, err := m.take(ctx, t)
	if err != nil {
		return challenge{}, err
	}
	defer h.give()
	return h.asked, nil
}

func (m *Manager) start(state string, f *flow) {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldest := ""
	for s, other := range m.flows {
		if !m.now().Before(other.expiresAt) {
			delete(m.flows, s)
		} else if oldest == "" || other.expiresAt.Before(m.flows[oldest].expiresAt) {
			oldest = s
		}
	}
	if len(m.flows) >= maxFlows {
		delete(m.flows, oldest)
	}
	m.flows[state] = f
}

// secret is 256 random bits that a URL may hold.
func secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// scopes are the author's, or else what the server asked for, or else what it has.
func scopes(t *Target, c challenge, r *resource, a *authority) []string {
	list := t.Scopes
	if len(list) == 0 {
		list = c.scopes
	}
	if len(list) == 0 {
		list = r.Scopes
	}
	if offline := "offline_access"; len(t.Scopes) == 0 && slices.Contains(a.Scopes, offline) && !slices.Contains(list, offline) {
		list = append(slices.Clip(list), offline)
	}
	return list
}

func (f *flow) link(state string) (string, error) {
	u, err := url.Parse(f.authority.Authorization)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(f.verifier))
	q := u.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": f.client.ID, "redirect_uri": f.redirect, "state": state, "resource": f.resource,
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256", "scope": strings.Join(f.scopes, " "),
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// ErrState refuses a return that nobody began, that came already, or too late.
var ErrState = errors.New("this link was used already, or it is older than 10 minutes: begin again")

// Finish takes what a person came back with, the query of the redirect, and keeps
// the tokens. It gives the connection.
func (m *Manager) Finish(ctx context.Context, query url.Values) (Target, error) {
	f := m.end(query.Get("state"))
	if f == nil {
		return Target{}, ErrState
	}
	t, err := m.finish(ctx, f, query)
	m.note(&t, err)
	return t, err
}

func (m *Manager) finish(ctx context.Context, f *flow, query url.Values) (Target, error) {
	if err := f.check(query); err != nil {
		return f.target, err
	}
	w, err := m.newWeb(&f.target)
	if err != nil {
		return f.target, err
	}
	defer w.close()
	g, err := m.exchange(ctx, w, &grant{Issuer: f.authority.Issuer, Token: f.authority.Token, Resource: f.resource, Client: f.client, Scopes: f.scopes}, url.Values{
		"grant_type": {"authorization_code"}, "code": {query.Get("code")}, "redirect_uri": {f.redirect}, "code_verifier": {f.verifier},
	})
	if errors.Is(err, errRefused) { // the server may not know us any more
		err = errors.Join(err, m.o.Keeper.Delete(registration(f.authority.Issuer, f.redirect)))
	}
	if err != nil {
		return f.target, fmt.Errorf("exchanging the code with %s: %w", f.authority.Issuer, err)
	}
	return f.target, m.authorized(ctx, &f.target, g)
}

// end gives what was begun under a state, once.
func (m *Manager) end(state string) *flow {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.flows[state]
	delete(m.flows, state)
	if f == nil || !m.now().Before(f.expiresAt) {
		return nil
	}
	return f
}

// check looks at who answers, and what.
func (f *flow) check(query url.Values) error {
	iss, said := query.Get("iss"), query.Has("iss")
	switch {
	case said && iss != f.authority.Issuer, !said && f.authority.SaysIssuer:
		return fmt.Errorf("the answer is not from %s, where this was begun", f.authority.Issuer)
	case query.Get("error") != "":
		return fmt.Errorf("%s says no: %s", f.authority.Issuer, failure{query.Get("error"), query.Get("error_description")}.say(0))
	case query.Get("code") == "":
		return fmt.Errorf("the answer of %s has no code", f.authority.Issuer)
	}
	return nil
}

// authorized keeps a grant, and wakes who waits for it.
func (m *Manager) authorized(ctx context.Context, t *Target, g *grant) error {
	h, err := m.take(ctx, t)
	if err != nil {
		return err
	}
	defer h.give()
	g.At = m.now()
	if err := m.keep(t, g); err != nil {
		return fmt.Errorf("keeping the tokens of %s: %w", t.Connection, err)
	}
	h.grant, h.asked = g, challenge{}
	close(h.changed)
	h.changed = make(chan struct{})
	return nil
}

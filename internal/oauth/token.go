package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// early is how long before its end a token counts as run out.
const early = 30 * time.Second

// exchange asks for tokens and gives the grant with them. errRefused: the server
// takes what was sent no longer.
func (m *Manager) exchange(ctx context.Context, w *web, g *grant, form url.Values) (*grant, error) {
	form.Set("resource", g.Resource)
	header := http.Header{}
	g.Client.prove(form, header)
	var got struct {
		Access  string  `json:"access_token"`
		Type    string  `json:"token_type"`
		Refresh string  `json:"refresh_token"`
		Seconds float64 `json:"expires_in"`
		failure
	}
	asked := m.now()
	status, err := w.post(ctx, g.Token, "application/x-www-form-urlencoded", form.Encode(), header, &got)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusBadRequest && got.Code == "invalid_grant", status == http.StatusUnauthorized && got.Code == "invalid_client":
		return nil, fmt.Errorf("%w (%s)", errRefused, got.say(status))
	case status != http.StatusOK:
		return nil, errors.New(got.say(status))
	case got.Access == "" || !strings.EqualFold(got.Type, "bearer"):
		return nil, errors.New("it gave no bearer token")
	}
	next := *g
	next.Access, next.ExpiresAt = got.Access, time.Time{}
	if got.Refresh != "" {
		next.Refresh = got.Refresh
	}
	if got.Seconds > 0 {
		next.ExpiresAt = asked.Add(time.Duration(min(got.Seconds, 1e9) * float64(time.Second)))
	}
	return &next, nil
}

// token gives the access token of a connection, renewed where it has run out, or
// where it is the one that the server refused.
func (m *Manager) token(ctx context.Context, t *Target, refused string) (string, error) {
	h, err := m.take(ctx, t)
	if err != nil {
		return "", err
	}
	defer h.give()
	g := h.grant
	switch {
	case g == nil:
		return "", &NeededError{t.Connection}
	case g.Access != refused && (g.ExpiresAt.IsZero() || m.now().Before(g.ExpiresAt.Add(-early))):
		return g.Access, nil
	case g.Refresh == "":
		return "", errors.Join(&NeededError{t.Connection}, m.drop(t, h))
	}
	return m.renew(ctx, t, h)
}

// renew is for who has the turn: of many who find that a token has run out, one asks.
func (m *Manager) renew(ctx context.Context, t *Target, h *hold) (string, error) {
	w, err := m.newWeb(t)
	if err != nil {
		return "", err
	}
	defer w.close()
	next, err := m.exchange(ctx, w, h.grant, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {h.grant.Refresh}})
	if errors.Is(err, errRefused) {
		return "", errors.Join(&NeededError{t.Connection}, m.drop(t, h))
	}
	if err != nil {
		return "", fmt.Errorf("renewing the token of %s: %w", t.Connection, err)
	}
	h.grant = next
	if err := m.keep(t, next); err != nil {
		return "", fmt.Errorf("keeping the tokens of %s: %w", t.Connection, err)
	}
	return next.Access, nil
}

// Await returns when somebody has authorized the connection, or ctx ends.
func (m *Manager) Await(ctx context.Context, t Target) error {
	h, err := m.take(ctx, &t)
	if err != nil {
		return err
	}
	has, changed := h.grant != nil, h.changed
	h.give()
	if has {
		return nil
	}
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A Bearer proves to the server of one connection who calls.
type Bearer struct {
	m *Manager
	t Target
}

// For gives what proves it for a connection.
func (m *Manager) For(t Target) *Bearer { return &Bearer{m, t} }

// RoundTripper sends requests to the connection's own server through next, with its
// token. Where nobody has authorized it, or the server wants more than was granted,
// the error is a *NeededError.
func (b *Bearer) RoundTripper(next http.RoundTripper) http.RoundTripper { return &bearing{b, next} }

type bearing struct {
	b    *Bearer
	next http.RoundTripper
}

// RoundTrip is http.RoundTripper's.
func (b *bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := b.b.m.token(r.Context(), &b.b.t, "")
	if err != nil {
		return nil, refuse(r, err)
	}
	res, err := b.next.RoundTrip(with(r, r.Body, token))
	if err != nil || res.StatusCode != http.StatusUnauthorized && res.StatusCode != http.StatusForbidden {
		return res, err
	}
	asked, reason := readChallenge(res.Header)
	if res.StatusCode == http.StatusForbidden {
		if reason != "insufficient_scope" {
			return res, nil
		}
		return nil, errors.Join(done(res), b.lost(r.Context(), asked, token))
	}
	token, err = b.b.m.token(r.Context(), &b.b.t, token)
	if err != nil || r.Body != nil && r.GetBody == nil {
		b.note(r.Context(), asked)
		return nil, errors.Join(done(res), err, needed(err, b.b.t.Connection))
	}
	return b.again(r, token, res)
}

// again sends a request once more, with a new token.
func (b *bearing) again(r *http.Request, token string, before *http.Response) (*http.Response, error) {
	body := r.Body
	if r.GetBody != nil {
		var err error
		if body, err = r.GetBody(); err != nil {
			return nil, errors.Join(done(before), err)
		}
	}
	if err := done(before); err != nil {
		return nil, err
	}
	res, err := b.next.RoundTrip(with(r, body, token))
	if err != nil || res.StatusCode != http.StatusUnauthorized {
		return res, err
	}
	asked, _ := readChallenge(res.Header)
	return nil, errors.Join(done(res), b.lost(r.Context(), asked, token))
}

// lost forgets the grant whose token the server does not take; one that somebody gave
// meanwhile stays. Who begins anew asks for what was granted, too.
func (b *bearing) lost(ctx context.Context, asked challenge, token string) error {
	b.note(ctx, asked)
	h, err := b.b.m.take(ctx, &b.b.t)
	if err != nil {
		return err
	}
	defer h.give()
	if h.grant != nil && h.grant.Access == token {
		err = b.b.m.drop(&b.b.t, h)
	}
	return errors.Join(&NeededError{b.b.t.Connection}, err)
}

// note remembers what the server wants, for who begins anew.
func (b *bearing) note(ctx context.Context, asked challenge) {
	if h, err := b.b.m.take(ctx, &b.b.t); err == nil {
		if h.grant != nil {
			for _, scope := range h.grant.Scopes {
				if len(asked.scopes) > 0 && !slices.Contains(asked.scopes, scope) {
					asked.scopes = append(asked.scopes, scope)
				}
			}
		}
		h.asked = asked
		h.give()
	}
}

// needed is a NeededError where there is none yet.
func needed(err error, connection string) error {
	var n *NeededError
	if errors.As(err, &n) {
		return nil
	}
	return &NeededError{connection}
}

func with(r *http.Request, body io.ReadCloser, token string) *http.Request {
	out := r.Clone(r.Context())
	out.Body = body
	out.Header.Set("Authorization", "Bearer "+token)
	return out
}

func refuse(r *http.Request, err error) error {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return err
}

// done reads an answer to its end, so that its connection can be used again.
func done(res *http.Response) error {
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
	return res.Body.Close()
}

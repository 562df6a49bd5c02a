package actors

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/mcp"
	"github.com/gobdk/bdk/internal/oauth"
)

var (
	// ErrUnknownConnection refuses a name that no connection of the agent has.
	ErrUnknownConnection = errors.New("actors: the agent has no connection of this name")
	// ErrNoOAuth refuses to authorize a connection that does not ask for it.
	ErrNoOAuth = errors.New("actors: the connection does not use oauth")
	// ErrLink refuses a return from an authorization server that nobody waits for.
	ErrLink = oauth.ErrState
)

// An Authorization is a link at which a person lets the host use a connection.
type Authorization struct {
	Connection string
	// URL is of http or https.
	URL       string
	ExpiresAt time.Time
}

// An AuthorizationError says why a connection could not be authorized.
type AuthorizationError struct {
	Connection string
	cause      error
}

// Error is a sentence.
func (e *AuthorizationError) Error() string { return e.Connection + ": " + e.cause.Error() }

// Unwrap gives the cause.
func (e *AuthorizationError) Unwrap() error { return e.cause }

// newOAuth makes what obtains tokens for the connections of all agents.
func (h *Host) newOAuth() (err error) {
	h.oauth, err = oauth.New(&oauth.Options{Secret: h.Secret("mcp oauth"), Keeper: &spacePins{h.journal.Space("oauth")}, Clock: h.o.Clock})
	return err
}

// authorize gives what proves to the server of a connection who calls.
func (r *agentRuntime) authorize(c *agent.Connection) (mcp.Authorizer, error) {
	return r.h.oauth.For(oauthTarget(r.Slug, c)), nil
}

func oauthTarget(slug string, c *agent.Connection) oauth.Target {
	return oauth.Target{Agent: slug, Connection: c.Name, URL: c.URL, ClientID: c.OAuth.ClientID, ClientSecret: c.OAuth.ClientSecret, Scopes: c.OAuth.Scopes}
}

// oauthOf finds a connection that uses OAuth.
func (h *Host) oauthOf(slug, connection string) (oauth.Target, error) {
	a := h.Agent(slug)
	if a == nil {
		return oauth.Target{}, ErrUnknownAgent
	}
	i := slices.IndexFunc(a.Connections, func(c *agent.Connection) bool { return c.Name == connection })
	switch {
	case i < 0:
		return oauth.Target{}, ErrUnknownConnection
	case a.Connections[i].OAuth == nil || a.Connections[i].URL == "":
		return oauth.Target{}, ErrNoOAuth
	}
	return oauthTarget(slug, a.Connections[i]), nil
}

// BeginAuthorization gives the link for a connection. The person comes back to
// redirect, whose query FinishAuthorization takes within 10 minutes.
func (h *Host) BeginAuthorization(ctx context.Context, slug, connection, redirect string) (Authorization, error) {
	t, err := h.oauthOf(slug, connection)
	if err != nil {
		return Authorization{}, err
	}
	p, err := h.oauth.Begin(ctx, t, redirect)
	if err != nil {
		return Authorization{}, &AuthorizationError{connection, err}
	}
	return Authorization{Connection: connection, URL: p.URL, ExpiresAt: p.ExpiresAt}, nil
}

// FinishAuthorization takes what a person came back with, once, and gives the
// connection, which the agent uses from now on.
func (h *Host) FinishAuthorization(ctx context.Context, query url.Values) (connection string, err error) {
	t, err := h.oauth.Finish(ctx, query)
	switch {
	case errors.Is(err, oauth.ErrState):
		return "", ErrLink
	case err != nil:
		h.grants.refuse(query.Get("state"))
		return t.Connection, &AuthorizationError{t.Connection, err}
	}
	defer h.grants.settle(grantKey(&t))
	if r := h.agents.take(t.Agent); r != nil {
		defer r.release()
		r.connections.Retry(t.Connection)
	}
	return t.Connection, nil
}

// Authorized is when somebody has authorized a connection; zero: nobody has.
func (h *Host) Authorized(ctx context.Context, slug, connection string) (time.Time, error) {
	t, err := h.oauthOf(slug, connection)
	if err != nil {
		return time.Time{}, err
	}
	return h.oauth.Since(ctx, t)
}

// AuthorizationFailed says when and why the newest person who came back did not authorize a
// connection; zero and nil where there is no such since somebody did, or since the host started.
func (h *Host) AuthorizationFailed(slug, connection string) (time.Time, error) {
	t, err := h.oauthOf(slug, connection)
	if err != nil {
		return time.Time{}, nil
	}
	f := h.oauth.Failed(t)
	return f.At, f.Cause
}

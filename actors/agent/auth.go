package agent

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/events"
)

// ErrUnauthorized refuses a request whatever was missing or wrong.
var ErrUnauthorized = errors.New("agent: not authorized")

// ErrBusy refuses a message with AdmissionReject to a session with an open turn.
var ErrBusy = errors.New("agent: the session has an open turn")

// Kinds of an AuthPolicy.
const (
	AuthLocalDevStrict = "localDevStrict"
	AuthAllowAll       = "allowAll"
	AuthBearer         = "bearer"
	AuthBasic          = "basic"
	AuthAPIKey         = "apiKeyHeader"
	AuthJWT            = "jwt"
	AuthFunction       = "function"
)

// An AuthPolicy admits requests and names their principal. Policies are asked in
// order; the first that admits wins. Make one with a function of this package.
type AuthPolicy struct {
	Kind string
	// Secrets map a bearer token or an API key to the id of its principal, and a user
	// of basic auth to the password.
	Secrets map[string]string
	// Header has the API key.
	Header string
	JWT    *JWTRules
	// Judge is the function of AuthFunction: nil for a request that it does not admit.
	Judge func(ctx context.Context, r *Request) (*events.Principal, error)
}

// JWTRules say which tokens are valid: signed by a key of JWKSURL or Keys, not
// expired, of Issuer and for Audience.
type JWTRules struct {
	JWKSURL string
	// Keys are PEM public keys, or a shared secret for HS256, HS384 and HS512.
	Keys     []string
	Issuer   string
	Audience string
	// Claim names the principal instead of "sub".
	Claim string
}

// LocalDevStrict admits direct callers on this machine that know it by a local name.
func LocalDevStrict() AuthPolicy { return AuthPolicy{Kind: AuthLocalDevStrict} }

// AllowAll admits everybody.
func AllowAll() AuthPolicy { return AuthPolicy{Kind: AuthAllowAll} }

// BearerAuth admits whoever has the token, as the principal {kind: "bearer", id: "bearer"}.
func BearerAuth(token string) AuthPolicy {
	return BearerTokens(map[string]string{token: "bearer"})
}

// BearerTokens admits whoever has a token, as {kind: "bearer", id} with its id.
func BearerTokens(ids map[string]string) AuthPolicy {
	return AuthPolicy{Kind: AuthBearer, Secrets: ids}
}

// BasicAuth admits users by their passwords, as {kind: "basic", id: user}.
func BasicAuth(passwords map[string]string) AuthPolicy {
	return AuthPolicy{Kind: AuthBasic, Secrets: passwords}
}

// APIKeyHeader admits whoever sends a key in the header, as {kind: "apiKey", id} with its id.
func APIKeyHeader(header string, ids map[string]string) AuthPolicy {
	return AuthPolicy{Kind: AuthAPIKey, Header: header, Secrets: ids}
}

// JWTAuth admits valid tokens, as {kind: "jwt", issuer, id: sub}.
func JWTAuth(rules JWTRules) AuthPolicy { return AuthPolicy{Kind: AuthJWT, JWT: &rules} }

// AuthFunc admits whom the function names. Nil leaves it to the next
// policy, and so does an error or a panic, which is logged.
func AuthFunc(judge func(ctx context.Context, r *Request) (*events.Principal, error)) AuthPolicy {
	return AuthPolicy{Kind: AuthFunction, Judge: judge}
}

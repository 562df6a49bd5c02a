package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// Signature algorithms: those of public keys, and those of shared secrets. No chain
// of keys is used with both kinds, and "none" is in neither.
var (
	publicMethods = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
	sharedMethods = []string{"HS256", "HS384", "HS512"}
)

// jwtAuth admits valid tokens.
type jwtAuth struct {
	issuer, claim string
	verifiers     []verifier
}

// A verifier is a parser for some algorithms with the keys that fit them.
type verifier struct {
	parser *jwt.Parser
	keys   func(ctx context.Context) jwt.Keyfunc
	// shortKey says that the keys can be guessed.
	shortKey bool
}

func (m *policyMaker) jwtAuth(rules *agent.JWTRules) (policy, error) {
	j := &jwtAuth{issuer: rules.Issuer, claim: rules.Claim}
	if j.claim == "" {
		j.claim = "sub"
	}
	add := func(methods []string, short bool, keys func(context.Context) jwt.Keyfunc) {
		j.verifiers = append(j.verifiers, verifier{m.parser(rules, methods), keys, short})
	}
	if rules.JWKSURL != "" {
		add(publicMethods, false, newJWKS(rules.JWKSURL, m.logger, m.now).keyfunc)
		return j, nil
	}
	public, shared, err := rules.ParseKeys()
	if err != nil {
		return nil, err
	}
	for _, k := range public {
		add(publicMethods, false, fixed(k))
	}
	for _, k := range shared {
		add(sharedMethods, len(k) < agent.MinSecret, fixed(k))
	}
	return j, nil
}

func (m *policyMaker) parser(rules *agent.JWTRules, methods []string) *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods(methods), jwt.WithStrictDecoding(), jwt.WithJSONNumber(), jwt.WithTimeFunc(m.now),
		jwt.WithExpirationRequired(), jwt.WithIssuer(rules.Issuer), jwt.WithAudience(rules.Audience))
}

// fixed gives a key that is known beforehand, which fits its own algorithms alone:
// verifying takes a public key by its type, and a shared secret as bytes.
func fixed(key any) func(context.Context) jwt.Keyfunc {
	return func(context.Context) jwt.Keyfunc { return func(*jwt.Token) (any, error) { return key, nil } }
}

func (j *jwtAuth) carries(r *http.Request) bool {
	_, ok := bearerToken(r.Header)
	return ok
}

func (j *jwtAuth) admit(r *http.Request) (events.Principal, bool) {
	text, ok := bearerToken(r.Header)
	if !ok {
		return events.Principal{}, false
	}
	for _, v := range j.verifiers {
		if v.shortKey && !onLoopbackBind(r) {
			continue
		}
		if id, err := j.verified(r.Context(), &v, text); err == nil {
			return events.Principal{Kind: "jwt", Issuer: j.issuer, ID: id}, true
		}
	}
	return events.Principal{}, false
}

var errCritical = errors.New("the token has critical headers, which are not understood")

// verified gives whom a token names.
func (j *jwtAuth) verified(ctx context.Context, v *verifier, text string) (string, error) {
	claims := jwt.MapClaims{}
	token, err := v.parser.ParseWithClaims(text, claims, v.keys(ctx))
	if err != nil {
		return "", err
	}
	if _, critical := token.Header["crit"]; critical { // RFC 7515: what is critical and not known is refused
		return "", errCritical
	}
	id, _ := claims[j.claim].(string)
	if id == "" {
		return "", fmt.Errorf("the token's %s is no text, or empty", j.claim)
	}
	return id, nil
}

// why says what each kind of key makes of the token; errors of verifying hold no token.
func (j *jwtAuth) why(r *http.Request) string {
	text, ok := bearerToken(r.Header)
	if !ok {
		return "there is not one header Authorization: Bearer"
	}
	var reasons []string
	for _, v := range j.verifiers {
		reason := "its key has fewer characters than count where others than this machine reach the host"
		if !v.shortKey || onLoopbackBind(r) {
			if _, err := j.verified(r.Context(), &v, text); err != nil {
				reason = err.Error()
			}
		}
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return strings.Join(reasons, "; ")
}

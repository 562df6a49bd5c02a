package transport

import (
	"net/http"
	"strings"

	"github.com/gobdk/bdk/events"
)

// bearerAuth admits who knows a token.
type bearerAuth struct{ tokens *secrets }

func newBearerAuth(ids map[string]string) *bearerAuth { return &bearerAuth{newSecrets(ids)} }

func (b *bearerAuth) carries(r *http.Request) bool {
	_, ok := bearerToken(r.Header)
	return ok
}

func (b *bearerAuth) admit(r *http.Request) (events.Principal, bool) {
	token, ok := bearerToken(r.Header)
	if !ok {
		return events.Principal{}, false
	}
	id, ok := b.tokens.find(r, token)
	return events.Principal{Kind: "bearer", ID: id}, ok
}

// bearerToken reads the one Authorization header.
func bearerToken(h http.Header) (string, bool) { return credentials(h, "bearer") }

// credentials reads the one Authorization header, where it is of a scheme.
func credentials(h http.Header, scheme string) (string, bool) {
	values := h["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	name, rest, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(name, scheme) {
		return "", false
	}
	rest = strings.Trim(rest, " ")
	return rest, rest != ""
}

func (b *bearerAuth) why(r *http.Request) string {
	if !b.carries(r) {
		return "there is not one header Authorization: Bearer"
	}
	return b.tokens.why(r, "the token")
}

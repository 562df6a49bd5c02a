package transport

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// basicAuth admits users by their passwords.
type basicAuth struct{ pairs *secrets }

// newBasicAuth holds each user and password as one secret: no user has a colon, so
// that no two pairs are the same text.
func newBasicAuth(passwords map[string]string) *basicAuth {
	s := &secrets{}
	for user, password := range passwords {
		s.add(user+":"+password, user, len(password) < agent.MinSecret)
	}
	return &basicAuth{s}
}

func (b *basicAuth) carries(r *http.Request) bool {
	_, ok := credentials(r.Header, "basic")
	return ok
}

func (b *basicAuth) admit(r *http.Request) (events.Principal, bool) {
	encoded, ok := credentials(r.Header, "basic")
	if !ok {
		return events.Principal{}, false
	}
	pair, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || !strings.Contains(string(pair), ":") {
		return events.Principal{}, false
	}
	user, ok := b.pairs.find(r, string(pair))
	return events.Principal{Kind: "basic", ID: user}, ok
}

func (b *basicAuth) why(r *http.Request) string {
	if !b.carries(r) {
		return "there is not one header Authorization: Basic"
	}
	return b.pairs.why(r, "the user and password")
}

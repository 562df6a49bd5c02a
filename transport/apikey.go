package transport

import (
	"net/http"

	"github.com/gobdk/bdk/events"
)

// apiKeyAuth admits who knows a key. It stands in one header, once.
type apiKeyAuth struct {
	header string
	keys   *secrets
}

func newAPIKeyAuth(header string, ids map[string]string) *apiKeyAuth {
	return &apiKeyAuth{http.CanonicalHeaderKey(header), newSecrets(ids)}
}

func (a *apiKeyAuth) carries(r *http.Request) bool { return len(r.Header[a.header]) > 0 }

func (a *apiKeyAuth) admit(r *http.Request) (events.Principal, bool) {
	values := r.Header[a.header]
	if len(values) != 1 || values[0] == "" {
		return events.Principal{}, false
	}
	id, ok := a.keys.find(r, values[0])
	return events.Principal{Kind: "apiKey", ID: id}, ok
}

func (a *apiKeyAuth) why(r *http.Request) string {
	if len(r.Header[a.header]) != 1 {
		return "there is not one header " + a.header
	}
	return a.keys.why(r, "the key")
}

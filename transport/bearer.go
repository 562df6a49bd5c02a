package transport

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/gobdk/bdk/events"
)

// bearerAuth admits who knows the token.
type bearerAuth struct {
	digest  [sha256.Size]byte
	guesses *guesses
}

func newBearerAuth(token string) *bearerAuth {
	return &bearerAuth{digest: sha256.Sum256([]byte(token)), guesses: newGuesses()}
}

// admit compares digests, so that the time taken tells nothing of the token. A
// peer that was wrong often waits before it is heard.
func (b *bearerAuth) admit(r *http.Request) (events.Principal, bool) {
	token, ok := bearerToken(r.Header)
	if !ok {
		return events.Principal{}, false
	}
	peer := peerOf(r.RemoteAddr)
	if !b.guesses.wait(r.Context(), peer) {
		return events.Principal{}, false
	}
	sum := sha256.Sum256([]byte(token))
	right := subtle.ConstantTimeCompare(sum[:], b.digest[:]) == 1
	b.guesses.note(peer, right)
	return bearerPrincipal, right
}

// bearerToken reads the one Authorization header.
func bearerToken(h http.Header) (string, bool) {
	values := h["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return "", false
	}
	token = strings.Trim(token, " ")
	return token, token != ""
}

package transport

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
)

// secrets find whose a secret is. The time taken tells nothing of any: digests are
// compared, and always with all.
type secrets struct {
	digests [][sha256.Size]byte
	ids     []string
	// short has a 1 for each secret that can be guessed, which is no secret where
	// others than this machine reach the host.
	short []int
}

func newSecrets(ids map[string]string) *secrets {
	s := &secrets{}
	for secret, id := range ids {
		s.add(secret, id, len(secret) < agent.MinSecret)
	}
	return s
}

func (s *secrets) add(secret, id string, short bool) {
	n := 0
	if short {
		n = 1
	}
	s.digests, s.ids, s.short = append(s.digests, sha256.Sum256([]byte(secret))), append(s.ids, id), append(s.short, n)
}

// find gives the id of a secret that the request has.
func (s *secrets) find(r *http.Request, secret string) (id string, ok bool) {
	wide := 1
	if onLoopbackBind(r) {
		wide = 0
	}
	sum, at := sha256.Sum256([]byte(secret)), -1
	for i := range s.digests {
		same := subtle.ConstantTimeCompare(sum[:], s.digests[i][:]) &^ (s.short[i] & wide)
		at = subtle.ConstantTimeSelect(same, i, at)
	}
	if at < 0 {
		return "", false
	}
	return s.ids[at], true
}

// why says what keeps a secret from being found, but not how it looks.
func (s *secrets) why(r *http.Request, what string) string {
	if slices.Contains(s.short, 1) && !onLoopbackBind(r) {
		return what + " is not one of those that this policy knows, or has fewer characters than count where others than this machine reach the host"
	}
	return what + " is not one of those that this policy knows"
}

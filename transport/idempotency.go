package transport

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/gobdk/bdk/events"
)

// idempotency reads the Idempotency-Key of a request with this raw body; nil
// when there is none.
func (c *call) idempotency(body []byte) (*events.Idempotency, error) {
	keys, ok := c.r.Header["Idempotency-Key"]
	if !ok {
		return nil, nil
	}
	if len(keys) != 1 || !isKey(keys[0]) {
		return nil, refuse("invalid_idempotency_key", "Idempotency-Key takes one value of 1 to 255 visible ASCII characters")
	}
	sum := sha256.Sum256(body)
	return &events.Idempotency{Key: keys[0], Scope: c.scope(), BodyHash: hex.EncodeToString(sum[:])}, nil
}

func isKey(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 255
}

// scope is what a key is unique in: this principal on this route of this agent.
// As JSON no part can run into the next one.
func (c *call) scope() string {
	path := c.r.URL.Path
	if slug, ok := c.vars["agent"]; ok {
		path = strings.TrimPrefix(path, "/"+slug)
	}
	b, err := json.Marshal([]any{c.principal, c.agent.Slug, c.r.Method, path})
	if err != nil {
		panic(err) // strings always encode
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

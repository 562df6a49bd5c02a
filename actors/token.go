package actors

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/gobdk/bdk/events"
)

const (
	tokenPrefix = "http:"
	idLength    = len(events.SessionPrefix) + 26
	tokenLength = idLength + 8 + sha256.Size
)

// tokens makes and reads continuation tokens: the session's id, the number of
// follow-ups accepted over HTTP so far, and a MAC over both. Nothing is stored.
// It is safe for concurrent use.
type tokens struct{ secret []byte }

func newTokens(secret []byte) *tokens { return &tokens{secret} }

var tokenCoding = base64.RawURLEncoding.Strict()

// Token is the HTTP token of a session after n follow-ups. It needs no storage, is
// the same over restarts of the state root, and never says whether the session exists.
func (h *Host) Token(sessionID string, n int) string { return h.tokens.mint(sessionID, n) }

// ReadToken gives what an HTTP token says; ok is false for a text that Token never gave.
func (h *Host) ReadToken(token string) (sessionID string, n int, ok bool) {
	return h.tokens.read(token)
}

// mint gives the token of a session after n follow-ups.
func (t *tokens) mint(sessionID string, n int) string {
	b := make([]byte, 0, tokenLength)
	b = append(b, sessionID...)
	b = binary.BigEndian.AppendUint64(b, uint64(n))
	return tokenPrefix + tokenCoding.EncodeToString(t.sum(b))
}

// read gives what a token says; ok is false for a text that mint never gave.
func (t *tokens) read(token string) (sessionID string, n int, ok bool) {
	text, ok := strings.CutPrefix(token, tokenPrefix)
	if !ok || len(text) != tokenCoding.EncodedLen(tokenLength) {
		return "", 0, false
	}
	b, err := tokenCoding.DecodeString(text)
	if err != nil {
		return "", 0, false
	}
	said := b[: idLength+8 : idLength+8]
	if subtle.ConstantTimeCompare(t.sum(said), b) != 1 {
		return "", 0, false
	}
	return string(said[:idLength]), int(binary.BigEndian.Uint64(said[idLength:])), true
}

// sum appends the MAC of b to b.
func (t *tokens) sum(b []byte) []byte {
	m := hmac.New(sha256.New, t.secret)
	m.Write(b)
	return m.Sum(b)
}

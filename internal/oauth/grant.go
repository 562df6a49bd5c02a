package oauth

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"
)

// A grant is what somebody authorized.
type grant struct {
	Issuer    string    `json:"issuer"`
	Token     string    `json:"token"` // the endpoint
	Resource  string    `json:"resource"`
	Client    client    `json:"client"`
	Access    string    `json:"access"`
	Refresh   string    `json:"refresh,omitempty"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// Scopes are those that were asked for.
	Scopes []string `json:"scopes,omitempty"`
	// At is when it was authorized.
	At time.Time `json:"at"`
}

// kept is how a grant lies in the store: the URL that it is for can be read, the
// rest cannot, and fits no other connection and URL.
type kept struct {
	URL    string `json:"url"`
	Sealed []byte `json:"sealed"`
}

func newSeal(secret []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, fmt.Errorf("oauth: the host's key: %w", err)
	}
	return cipher.NewGCM(block)
}

// bound is what a sealed grant belongs to.
func bound(t *Target) string { return t.key() + "\x00" + t.URL }

// load reads the grant of a connection; nil where there is none. One for another
// URL, or that cannot be opened, is forgotten.
func (m *Manager) load(t *Target) (*grant, error) {
	value, ok, err := m.o.Keeper.Get(t.key())
	if err != nil || !ok {
		return nil, err
	}
	var k kept
	if json.Unmarshal([]byte(value), &k) == nil && k.URL == t.URL {
		if g := m.open(t, k.Sealed); g != nil {
			return g, nil
		}
	}
	return nil, m.o.Keeper.Delete(t.key())
}

func (m *Manager) open(t *Target, sealed []byte) *grant {
	var g grant
	if !m.unsealed(bound(t), sealed, &g) {
		return nil
	}
	return &g
}

func (m *Manager) keep(t *Target, g *grant) error {
	sealed, err := m.sealed(bound(t), g)
	if err != nil {
		return err
	}
	value, err := json.Marshal(kept{URL: t.URL, Sealed: sealed})
	if err != nil {
		return err
	}
	return m.o.Keeper.Put(t.key(), string(value))
}

// sealed encrypts a value for a place, in which alone it can be opened.
func (m *Manager) sealed(place string, v any) ([]byte, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, m.seal.NonceSize(), m.seal.NonceSize()+len(plain)+m.seal.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return m.seal.Seal(nonce, nonce, plain, []byte(place)), nil
}

func (m *Manager) unsealed(place string, sealed []byte, into any) bool {
	n := m.seal.NonceSize()
	if len(sealed) < n {
		return false
	}
	plain, err := m.seal.Open(nil, sealed[:n], sealed[n:], []byte(place))
	return err == nil && json.Unmarshal(plain, into) == nil
}

// take gives the turn at a connection, with what is kept of it. give ends the turn.
func (m *Manager) take(ctx context.Context, t *Target) (*hold, error) {
	h := m.hold(t)
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if h.url == t.URL {
		return h, nil
	}
	g, err := m.load(t)
	if err != nil {
		h.give()
		return nil, fmt.Errorf("oauth: reading the tokens of %s: %w", t.Connection, err)
	}
	h.grant, h.url = g, t.URL
	return h, nil
}

func (h *hold) give() { <-h.turn }

// Since is when somebody has authorized the connection; zero: nobody has.
func (m *Manager) Since(ctx context.Context, t Target) (time.Time, error) {
	h, err := m.take(ctx, &t)
	if err != nil {
		return time.Time{}, err
	}
	defer h.give()
	if h.grant == nil {
		return time.Time{}, nil
	}
	return h.grant.At, nil
}

// drop is for who has the turn.
func (m *Manager) drop(t *Target, h *hold) error {
	h.grant = nil
	return m.o.Keeper.Delete(t.key())
}

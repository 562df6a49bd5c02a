package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// Pins keep short texts by key. They are safe for concurrent use; Put returns when
// the text is kept.
type Pins interface {
	Get(key string) (value string, ok bool, err error)
	Put(key, value string) error
	Delete(key string) error
}

// memoryPins forget when the process ends.
type memoryPins struct {
	mu   sync.Mutex
	kept map[string]string
}

func newMemoryPins() *memoryPins { return &memoryPins{kept: map[string]string{}} }

// Get is Pins'.
func (m *memoryPins) Get(key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.kept[key]
	return value, ok, nil
}

// Put is Pins'.
func (m *memoryPins) Put(key, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[key] = value
	return nil
}

// Delete is Pins'.
func (m *memoryPins) Delete(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, key)
	return nil
}

// hashOf is the fingerprint of a definition.
func hashOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// pinTool holds a definition against the one that was seen before, and says whether
// it has changed. From now on the new one is the one that was seen.
func (p *Pool) pinTool(t *Tool) (changed bool) {
	key := "tool/" + t.Connection + "/" + t.Remote
	before, seen, err := p.o.Pins.Get(key)
	if err == nil && before != t.Hash {
		err = p.o.Pins.Put(key, t.Hash)
	}
	if err != nil {
		p.o.Logger.Warn().Str("connection", t.Connection).Str("tool", t.Remote).Err(err).Msg("the definition of a tool was not kept")
	}
	return seen && before != t.Hash
}

// pinCall notes what definition a call is asked for with.
func (p *Pool) pinCall(callID string, t *Tool) error {
	return p.o.Pins.Put("call/"+callID, t.Hash)
}

// takeCall says whether the definition is the one that the call was asked for with;
// also where none was noted.
func (p *Pool) takeCall(callID string, t *Tool) (same bool, err error) {
	key := "call/" + callID
	hash, ok, err := p.o.Pins.Get(key)
	if err != nil || !ok {
		return err == nil, err
	}
	return hash == t.Hash, p.o.Pins.Delete(key)
}

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/clock"
)

// Bounds of a pair.
const (
	// MaxKey is the length of a key in bytes.
	MaxKey = 512
	// MaxValue is the length of a value in bytes.
	MaxValue = 1 << 20
)

// kv keeps pairs as records in one space; rows.go has their layout. Who reads sees
// only what is on disk, because a write holds its key's lock until then.
type kv struct {
	space    *journal.Space
	clock    clock.Clock
	versions versions

	// locks are by hash of the key. Nobody takes a second one while holding one,
	// except List, which takes all of them in order.
	locks [64]sync.RWMutex
	seed  maphash.Seed
}

var _ agent.KV = (*kv)(nil)

// NewKV gives the key-value store of one agent over a space that nothing else uses.
// It is safe for concurrent use; there must be one per space. A value is kept byte
// for byte. Versions are never used twice in a space, also not after a delete.
func NewKV(space *journal.Space, c clock.Clock) agent.KV {
	return &kv{space: space, clock: c, versions: versions{space: space}, seed: maphash.MakeSeed()}
}

func (s *kv) lock(key string) *sync.RWMutex {
	return &s.locks[maphash.String(s.seed, key)%uint64(len(s.locks))]
}

// Get gives the value that is on disk; the bytes are the caller's.
func (s *kv) Get(ctx context.Context, key string) (agent.KVEntry, bool, error) {
	if err := checkKey(ctx, key); err != nil {
		return agent.KVEntry{}, false, err
	}
	l := s.lock(key)
	l.RLock()
	defer l.RUnlock()
	r, ok, err := s.read(key)
	if err != nil || !ok || r.expired(s.clock.Now()) {
		return agent.KVEntry{}, false, err
	}
	return agent.KVEntry{Key: key, Value: r.value, Version: r.version}, true, nil
}

// read gives the record of a key, expired or not. The caller holds the key's lock.
func (s *kv) read(key string) (record, bool, error) {
	b, ok, err := s.space.Get(pairKey(key))
	if err != nil || !ok {
		return record{}, false, wrap("reading", key, err)
	}
	r, err := decodeRecord(b)
	return r, err == nil, wrap("reading", key, err)
}

// Put writes a value and gives its version.
func (s *kv) Put(ctx context.Context, key string, value json.RawMessage, o agent.PutOptions) (int64, error) {
	if err := checkPut(ctx, key, value, o); err != nil {
		return 0, err
	}
	now := s.clock.Now()
	version, err := s.put(key, value, o, now)
	if err != nil {
		return 0, err
	}
	s.sweep(now)
	return version, nil
}

func (s *kv) put(key string, value json.RawMessage, o agent.PutOptions, now time.Time) (int64, error) {
	l := s.lock(key)
	l.Lock()
	defer l.Unlock()
	old, there, err := s.read(key)
	if err != nil {
		return 0, err
	}
	if o.IfVersion != nil && *o.IfVersion != current(old, there, now) {
		return 0, agent.ErrVersionConflict
	}
	version, err := s.versions.next()
	if err != nil {
		return 0, wrap("writing", key, err)
	}
	r := record{version: version, value: value}
	if o.TTL > 0 {
		r.expires = now.Add(o.TTL)
	}
	return version, wrap("writing", key, s.replace(key, old, &r))
}

// current is the version that a compare-and-set sees: 0 for an absent or expired key.
func current(r record, there bool, now time.Time) int64 {
	if !there || r.expired(now) {
		return 0
	}
	return r.version
}

// replace puts r in place of old (nil: nothing), with the index of deadlines beside
// them, and returns when it is on disk. The caller holds the key's lock.
func (s *kv) replace(key string, old record, r *record) error {
	b := s.space.NewBatch()
	defer b.Close()
	if !old.expires.IsZero() {
		b.Delete(deadlineKey(old.expires, key))
	}
	if r == nil {
		b.Delete(pairKey(key))
		return b.Commit(true)
	}
	b.Set(pairKey(key), r.encode())
	if !r.expires.IsZero() {
		b.Set(deadlineKey(r.expires, key), nil)
	}
	return b.Commit(true)
}

// Delete says whether there was a pair that had not expired.
func (s *kv) Delete(ctx context.Context, key string) (bool, error) {
	if err := checkKey(ctx, key); err != nil {
		return false, err
	}
	l := s.lock(key)
	l.Lock()
	defer l.Unlock()
	old, there, err := s.read(key)
	if err != nil || !there {
		return false, err
	}
	if err := s.replace(key, old, nil); err != nil {
		return false, wrap("deleting", key, err)
	}
	return !old.expired(s.clock.Now()), nil
}

func checkKey(ctx context.Context, key string) error {
	if len(key) < 1 || len(key) > MaxKey {
		return fmt.Errorf("kv: the key has %d bytes; a key has 1 to %d", len(key), MaxKey)
	}
	if !utf8.ValidString(key) {
		return fmt.Errorf("kv: the key %.80q is not UTF-8", key)
	}
	return ctx.Err()
}

func checkPut(ctx context.Context, key string, value json.RawMessage, o agent.PutOptions) error {
	if err := checkKey(ctx, key); err != nil {
		return err
	}
	switch {
	case len(value) > MaxValue:
		return fmt.Errorf("kv: the value of %.80q has %d bytes; a value has at most %d (keep more in host.files)", key, len(value), MaxValue)
	case !json.Valid(value) || !utf8.Valid(value):
		return fmt.Errorf("kv: the value of %.80q is not JSON", key)
	case o.TTL < 0:
		return fmt.Errorf("kv: the time to live of %.80q is negative", key)
	case o.IfVersion != nil && *o.IfVersion < 0:
		return fmt.Errorf("kv: the version that %.80q must have is negative; 0 means absent", key)
	}
	return nil
}

// wrap says what was done to which key; nil stays nil.
func wrap(doing, key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kv: %s %.80q: %w", doing, key, err)
}

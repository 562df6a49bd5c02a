package actors

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gobdk/bdk/events/journal"
)

// Admit says whether the host takes new work: ErrDraining while it drains, ErrNoSpace
// while the disk is nearly full. Reads go on, and work comes back by itself when
// there is space. Commands ask by themselves; an edge may ask first.
func (h *Host) Admit() error {
	if h.Draining() {
		return ErrDraining
	}
	if h.short() {
		return ErrNoSpace
	}
	return nil
}

// short says whether the disk is nearly full.
func (h *Host) short() bool {
	return h.journal.Room() != nil || h.o.MinFreeBytes > 0 && h.free.low(h.storage.root, uint64(h.o.MinFreeBytes))
}

// freeSpace looks at the disk at most once a second.
type freeSpace struct {
	checked atomic.Int64 // unix nanoseconds
	isLow   atomic.Bool
}

func (f *freeSpace) low(dir string, floor uint64) bool {
	now := time.Now().UnixNano()
	last := f.checked.Load()
	if now-last > int64(time.Second) && f.checked.CompareAndSwap(last, now) {
		free, err := freeBytes(dir)
		f.isLow.Store(err == nil && free < floor)
	}
	return f.isLow.Load()
}

// Secret gives 32 bytes for a purpose: the same over restarts of the state root,
// and never shown to anybody.
func (h *Host) Secret(purpose string) []byte {
	mac := hmac.New(sha256.New, h.root)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// rootSecret reads the random bytes from which secrets are derived, made at the first start.
func rootSecret(j *journal.Journal) ([]byte, error) {
	space, key := j.Space("secret"), []byte("root")
	value, ok, err := space.Get(key)
	if err != nil {
		return nil, fmt.Errorf("actors: reading the host's secret: %w", err)
	}
	if ok {
		return value, nil
	}
	value = make([]byte, 32)
	if _, err := rand.Read(value); err != nil {
		return nil, fmt.Errorf("actors: making the host's secret: %w", err)
	}
	b := space.NewBatch()
	defer func() { _ = b.Close() }()
	b.Set(key, value)
	if err := b.Commit(true); err != nil {
		return nil, fmt.Errorf("actors: keeping the host's secret: %w", err)
	}
	return value, nil
}

package store

import (
	"encoding/binary"
	"sync"

	"github.com/gobdk/bdk/events/journal"
)

// block is how many versions are reserved with one write.
const block = 1024

// versions gives numbers that grow and are never given twice, also over a crash: a
// block of them is reserved on disk before the first one is used.
type versions struct {
	space *journal.Space

	mu sync.Mutex
	// last was given; reserved is the highest that may be given.
	// Invariant: last <= reserved.
	last, reserved int64
	loaded         bool
}

func (v *versions) next() (int64, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.load(); err != nil {
		return 0, err
	}
	if v.last == v.reserved {
		if err := v.reserve(); err != nil {
			return 0, err
		}
	}
	v.last++
	return v.last, nil
}

// load goes on after the reserved block of the run before.
func (v *versions) load() error {
	if v.loaded {
		return nil
	}
	b, ok, err := v.space.Get(versionsKey)
	if err != nil {
		return err
	}
	if ok && len(b) != 8 {
		return errRecord
	}
	if ok {
		v.last = int64(binary.BigEndian.Uint64(b))
		v.reserved = v.last
	}
	v.loaded = true
	return nil
}

func (v *versions) reserve() error {
	b := v.space.NewBatch()
	defer b.Close()
	upTo := v.reserved + block
	b.Set(versionsKey, binary.BigEndian.AppendUint64(nil, uint64(upTo)))
	if err := b.Commit(true); err != nil {
		return err
	}
	v.reserved = upTo
	return nil
}

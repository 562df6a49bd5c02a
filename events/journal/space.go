package journal

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/cockroachdb/pebble/v2"
)

// Space is a named key space of the same store. Spaces of the same name are the
// same; the name must not hold a NUL.
func (j *Journal) Space(name string) *Space {
	if strings.IndexByte(name, 0) >= 0 {
		panic(fmt.Sprintf("journal: space %q: a name without NUL is needed", name))
	}
	prefix := joinKey(kindSpace, name, nil)
	return &Space{j: j, prefix: prefix, end: after(prefix)}
}

// A Space is keys and values that belong to one owner. It is safe for concurrent use.
type Space struct {
	j      *Journal
	prefix []byte
	end    []byte
}

func (s *Space) key(k []byte) []byte {
	return append(append(make([]byte, 0, len(s.prefix)+len(k)), s.prefix...), k...)
}

// Get gives ok=false for an absent key. The slice is the caller's.
func (s *Space) Get(key []byte) (value []byte, ok bool, err error) {
	return s.j.get(s.j.db, s.key(key))
}

func (j *Journal) get(r pebble.Reader, key []byte) ([]byte, bool, error) {
	if !j.gate.enter() {
		return nil, false, ErrClosed
	}
	defer j.gate.leave()
	v, err := get(r, key)
	if err != nil {
		return nil, false, fmt.Errorf("journal: reading a key: %w", err)
	}
	return v, v != nil, nil
}

// A KV is one key of a space with its value. Both are the receiver's.
type KV struct{ Key, Value []byte }

// Scan yields [from, to) in order of keys, or descending, as they were when the
// loop began; a nil from means the beginning, a nil to the end of the space.
// Close of the journal waits for the loop to end.
func (s *Space) Scan(from, to []byte, descending bool) iter.Seq2[KV, error] {
	return func(yield func(KV, error) bool) {
		if !s.j.gate.enter() {
			yield(KV{}, ErrClosed)
			return
		}
		defer s.j.gate.leave()
		o := &pebble.IterOptions{LowerBound: s.key(from), UpperBound: s.end}
		if to != nil {
			o.UpperBound = s.key(to)
		}
		it, err := s.j.db.NewIter(o)
		if err == nil {
			err = s.yieldAll(it, descending, yield)
		}
		if err != nil {
			yield(KV{}, fmt.Errorf("journal: scanning: %w", err))
		}
	}
}

// yieldAll closes the iterator; its error is nil when the receiver broke off.
func (s *Space) yieldAll(it *pebble.Iterator, descending bool, yield func(KV, error) bool) error {
	first, next := it.First, it.Next
	if descending {
		first, next = it.Last, it.Prev
	}
	for ok := first(); ok; ok = next() {
		v, err := it.ValueAndErr()
		if err != nil {
			break
		}
		kv := KV{Key: bytes.Clone(it.Key()[len(s.prefix):]), Value: append([]byte{}, v...)}
		if !yield(kv, nil) {
			_ = it.Close()
			return nil
		}
	}
	return it.Close()
}

// NewBatch begins a change of the space. Close it when done.
func (s *Space) NewBatch() *Batch { return &Batch{space: s, b: s.j.db.NewIndexedBatch()} }

// A Batch changes one space, all or nothing. It is not safe for concurrent use.
type Batch struct {
	space *Space
	b     *pebble.Batch // nil once committed or closed
	err   error         // the first
}

// Get sees what the batch wrote. The slice is the caller's.
func (b *Batch) Get(key []byte) (value []byte, ok bool, err error) {
	if b.b == nil {
		return nil, false, errSpent
	}
	return b.space.j.get(b.b, b.space.key(key))
}

// Set sets a key; an error shows in Commit. The slices stay the caller's.
func (b *Batch) Set(key, value []byte) {
	b.do(func() error { return b.b.Set(b.space.key(key), value, nil) })
}

// Delete deletes a key, which may be absent.
func (b *Batch) Delete(key []byte) {
	b.do(func() error { return b.b.Delete(b.space.key(key), nil) })
}

// Clear deletes everything in the space and what the batch wrote so far.
func (b *Batch) Clear() {
	b.do(func() error { return b.b.DeleteRange(b.space.prefix, b.space.end, nil) })
}

func (b *Batch) do(f func() error) {
	if b.b == nil {
		b.err = errSpent
	} else if err := f(); b.err == nil {
		b.err = err
	}
}

// Commit with sync returns when it is on disk; without, a crash may lose it, but
// only together with all that was written after it. The batch is spent then.
func (b *Batch) Commit(sync bool) error {
	if b.b == nil {
		return errSpent
	}
	if b.err != nil {
		return errorsFirst(b.err, b.Close())
	}
	batch := b.b
	b.b = nil
	return b.space.j.write(func() error { return b.space.j.commit(batch, sync) })
}

// commit writes a batch. A failed sync is the journal's failure: Pebble's own
// Commit would end the process.
func (j *Journal) commit(b *pebble.Batch, sync bool) error {
	if !sync || b.Empty() {
		return errorsFirst(b.Commit(pebble.NoSync), b.Close())
	}
	if err := j.db.ApplyNoSyncWait(b, pebble.Sync); err != nil {
		return j.fail(err)
	}
	if err := errorsFirst(b.SyncWait(), b.Close()); err != nil {
		return j.fail(err)
	}
	return nil
}

// Close drops what was not committed. Closing again does nothing.
func (b *Batch) Close() error {
	if b.b == nil {
		return nil
	}
	batch := b.b
	b.b = nil
	return batch.Close()
}

func errorsFirst(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

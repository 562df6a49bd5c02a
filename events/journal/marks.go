package journal

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"
)

// A Mark says that a stream has something to do; Value is its owner's.
type Mark struct {
	Stream string
	Value  []byte
}

// Marks yields every open mark, in order of streams, as it was at the call and
// is on disk. Breaking off is fine. Close waits for the loop to end.
func (j *Journal) Marks() iter.Seq2[Mark, error] {
	return func(yield func(Mark, error) bool) {
		// What the iterator sees was written before pos, so when pos is durable it is on disk.
		j.order.Lock()
		pos := j.pos
		it, err := j.scan([]byte{kindMark})
		j.order.Unlock()
		if err != nil {
			yield(Mark{}, err)
			return
		}
		defer it.close()
		if err := j.Wait(context.Background(), pos); err != nil {
			yield(Mark{}, err)
			return
		}
		for ok := it.First(); ok; ok = it.Next() {
			if !yield(Mark{Stream: string(it.Key()[1:]), Value: bytes.Clone(it.Value())}, nil) {
				return
			}
		}
		if err := it.Error(); err != nil {
			yield(Mark{}, fmt.Errorf("journal: reading the marks: %w", err))
		}
	}
}

// Mark gives a stream's open mark; nil when there is none. Its caller is the one that
// writes it, and has no append under way.
func (j *Journal) Mark(stream string) ([]byte, error) {
	if !j.gate.enter() {
		return nil, ErrClosed
	}
	defer j.gate.leave()
	value, err := get(j.db, plainKey(kindMark, stream))
	if err != nil {
		return nil, fmt.Errorf("journal: reading the mark of %s: %w", stream, err)
	}
	return value, nil
}

// A Stream is a log that exists.
type Stream struct {
	ID string
	// Head is the durable next index.
	Head uint64
}

// Streams yields the id and durable head of every log whose id has the prefix, in
// order. Close waits for the loop to end.
func (j *Journal) Streams(prefix string) iter.Seq2[Stream, error] {
	return func(yield func(Stream, error) bool) {
		it, err := j.scan(plainKey(kindHead, prefix))
		if err != nil {
			yield(Stream{}, err)
			return
		}
		defer it.close()
		for ok := it.First(); ok; ok = it.Next() {
			s := Stream{ID: string(it.Key()[1:])}
			if len(it.Value()) == 8 {
				s.Head = binary.BigEndian.Uint64(it.Value())
			}
			if s.Head = j.durableHead(s); s.Head > 0 && !yield(s, nil) {
				return
			}
		}
		if err := it.Error(); err != nil {
			yield(Stream{}, fmt.Errorf("journal: listing the logs: %w", err))
		}
	}
}

// durableHead takes from a head that was read from the store what is not on disk:
// where nothing is in memory now, nothing was in flight when it was read.
func (j *Journal) durableHead(stored Stream) uint64 {
	j.mu.Lock()
	inMemory := j.streams[stored.ID] != nil
	j.mu.Unlock()
	if !inMemory {
		return stored.Head
	}
	head, err := j.Head(stored.ID)
	if err != nil {
		return stored.Head
	}
	return head
}

// A scan is an iterator over all keys with a prefix, inside the gate.
type scan struct {
	*pebble.Iterator
	gate *gate
}

func (j *Journal) scan(prefix []byte) (*scan, error) {
	if !j.gate.enter() {
		return nil, ErrClosed
	}
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		j.gate.leave()
		return nil, fmt.Errorf("journal: scanning: %w", err)
	}
	return &scan{Iterator: it, gate: &j.gate}, nil
}

func (s *scan) close() {
	_ = s.Iterator.Close() // its error was seen by Error
	s.gate.leave()
}

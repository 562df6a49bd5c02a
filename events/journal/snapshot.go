package journal

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Snapshot gives the newest snapshot of a log: a fold up to, not including,
// index, which is never past the head. The slice is the caller's.
func (j *Journal) Snapshot(stream string) (index uint64, state []byte, ok bool, err error) {
	if !j.gate.enter() {
		return 0, nil, false, ErrClosed
	}
	defer j.gate.leave()
	v, err := get(j.db, plainKey(kindSnapshot, stream))
	if err != nil {
		return 0, nil, false, corrupt(stream, 0, err)
	}
	if len(v) < 8 {
		return 0, nil, false, nil
	}
	return binary.BigEndian.Uint64(v), v[8:], true, nil
}

// PutSnapshot replaces the log's snapshot. It is written without a sync of its
// own: after a crash an older one, or none, may be there, but never one of
// events that are not. An index past the durable head is refused.
func (j *Journal) PutSnapshot(stream string, index uint64, state []byte) error {
	head, err := j.Head(stream)
	if err != nil {
		return err
	}
	if index > head {
		return fmt.Errorf("journal: a snapshot of %s up to %d, but its head is %d", stream, index, head)
	}
	v := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(state)), index)
	return j.write(func() error {
		return j.db.Set(plainKey(kindSnapshot, stream), append(v, state...), pebble.NoSync)
	})
}

// write runs a write of the store outside of the appends.
func (j *Journal) write(do func() error) (err error) {
	if !j.gate.enter() {
		return ErrClosed
	}
	defer j.gate.leave()
	if err := j.Err(); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = j.wedge(r)
		}
	}()
	return do()
}

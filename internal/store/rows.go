package store

import (
	"encoding/binary"
	"errors"
	"time"
)

// Layout 1 of a space:
//
//	p <key>                 a pair: 1, version (varint), deadline (varint, ms, 0: none), value
//	d <deadline, ms, 8 bytes big-endian> <key>   one for each pair that expires
//	v                       versions below this number (8 bytes big-endian) are taken
//
// The first byte of a pair is the layout's number, so that a later one can be told.
const layout = 1

var errRecord = errors.New("the record is damaged or of a newer build")

// A record is a pair's row without its key.
type record struct {
	version int64
	expires time.Time // zero: never
	value   []byte
}

func (r *record) expired(now time.Time) bool {
	return !r.expires.IsZero() && !now.Before(r.expires)
}

func (r *record) encode() []byte {
	b := make([]byte, 0, 1+2*binary.MaxVarintLen64+len(r.value))
	b = append(b, layout)
	b = binary.AppendUvarint(b, uint64(r.version))
	b = binary.AppendUvarint(b, millis(r.expires))
	return append(b, r.value...)
}

// decodeRecord shares b with the record's value.
func decodeRecord(b []byte) (record, error) {
	if len(b) == 0 || b[0] != layout {
		return record{}, errRecord
	}
	version, n := binary.Uvarint(b[1:])
	if n <= 0 {
		return record{}, errRecord
	}
	b = b[1+n:]
	ms, n := binary.Uvarint(b)
	if n <= 0 {
		return record{}, errRecord
	}
	r := record{version: int64(version), value: b[n:]}
	if ms > 0 {
		r.expires = time.UnixMilli(int64(ms))
	}
	return r, nil
}

// millis rounds up, so that nothing expires early; 0 means never.
func millis(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.Add(time.Millisecond - time.Nanosecond).UnixMilli())
}

func pairKey(key string) []byte { return append([]byte{'p'}, key...) }

func deadlineKey(at time.Time, key string) []byte {
	b := binary.BigEndian.AppendUint64([]byte{'d'}, millis(at))
	return append(b, key...)
}

// splitDeadline is the inverse of deadlineKey.
func splitDeadline(row []byte) (at time.Time, key string, ok bool) {
	if len(row) < 10 || row[0] != 'd' {
		return time.Time{}, "", false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(row[1:9]))), string(row[9:]), true
}

var versionsKey = []byte{'v'}

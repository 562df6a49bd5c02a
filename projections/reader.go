package projections

import (
	"iter"

	"github.com/gobdk/bdk/events/journal"
)

// Keys of a projection's space, layout 1: 'r' and a key hold a row; 'm' holds the
// mark: layout, version, position and skipped as varints. The mark is in the batch
// of the rows that led to it. Another layout is cleared and folded again.
const (
	spaceLayout = 1
	kindRow     = 'r'
)

var markKey = []byte{'m'}

// spaceName is the name of a projection's space in the journal's store.
func spaceName(projection string) string { return "view." + projection }

// A Reader reads the rows of one projection as they were last committed. It is
// safe for concurrent use.
type Reader struct {
	space *journal.Space
	err   error
}

// Reader reads a projection's rows. The layout of a built-in one's may change
// with its version. For a name that there is not every read is ErrUnknown.
func (v *Views) Reader(name string) *Reader {
	r, err := v.find(name)
	if err != nil {
		return &Reader{err: err}
	}
	return r.reader
}

// Get gives ok=false for an absent row. The slice is the caller's.
func (r *Reader) Get(key []byte) (value []byte, ok bool, err error) {
	if r.err != nil {
		return nil, false, r.err
	}
	return r.space.Get(rowKey(key))
}

// Scan yields the rows with keys in [from, to), in the order of keys or
// descending; to nil means the end. It sees the rows as they were when it began.
func (r *Reader) Scan(from, to []byte, descending bool) iter.Seq2[journal.KV, error] {
	return func(yield func(journal.KV, error) bool) {
		if r.err != nil {
			yield(journal.KV{}, r.err)
			return
		}
		end := []byte{kindRow + 1}
		if to != nil {
			end = rowKey(to)
		}
		for kv, err := range r.space.Scan(rowKey(from), end, descending) {
			if err == nil {
				kv.Key = kv.Key[1:]
			}
			if !yield(kv, err) {
				return
			}
		}
	}
}

func rowKey(key []byte) []byte {
	k := make([]byte, 1+len(key))
	k[0] = kindRow
	copy(k[1:], key)
	return k
}

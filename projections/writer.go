package projections

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/gobdk/bdk/events/journal"
)

// A Writer is what Apply reads and writes: the rows of one projection, what the
// range in hand wrote included. It is valid during Apply alone, on its goroutine.
type Writer struct {
	store    rowStore
	cache    *rowCache
	position uint64

	// rows are the bytes that the range wrote, hot the decoded rows that are
	// written once, at its end.
	rows map[string]change
	hot  map[string]hotRow
	undo []undo

	// fault is an error of the store: not the projection's doing, so the range is tried again.
	fault error
}

// A rowStore holds committed rows.
type rowStore interface {
	Get(key []byte) (value []byte, ok bool, err error)
	Scan(from, to []byte, descending bool) iter.Seq2[journal.KV, error]
}

type change struct {
	value   []byte
	deleted bool
}

// An undo gives back what a key had before the event in hand.
type undo struct {
	key string
	hot bool
	had bool
	old change
	row hotRow
}

func newWriter(store rowStore) *Writer {
	return &Writer{store: store, cache: newRowCache(), rows: map[string]change{}, hot: map[string]hotRow{}}
}

// Position is the place of the event in hand over all logs, dense from 0: it grows
// from event to event, and is the same when the log is folded again.
func (w *Writer) Position() uint64 { return w.position }

// Get gives ok=false for an absent row. The slice is the caller's.
func (w *Writer) Get(key []byte) (value []byte, ok bool, err error) {
	if c, ok := w.rows[string(key)]; ok {
		return bytes.Clone(c.value), !c.deleted, nil
	}
	value, ok, err = w.store.Get(key)
	if err != nil {
		w.fault = err
	}
	return value, ok, err
}

// Set writes a row. It keeps copies of key and value.
func (w *Writer) Set(key, value []byte) {
	w.change(string(key), change{value: append([]byte{}, value...)})
}

// Delete removes a row; an absent one is fine.
func (w *Writer) Delete(key []byte) { w.change(string(key), change{deleted: true}) }

func (w *Writer) change(key string, c change) {
	old, had := w.rows[key]
	w.undo = append(w.undo, undo{key: key, had: had, old: old})
	w.rows[key] = c
}

// Scan yields the rows with keys in [from, to), in the order of keys or
// descending; to nil means the end. It sees what was written before it began.
func (w *Writer) Scan(from, to []byte, descending bool) iter.Seq2[journal.KV, error] {
	return func(yield func(journal.KV, error) bool) {
		ours := w.written(from, to, descending)
		for kv, err := range w.store.Scan(from, to, descending) {
			if err != nil {
				w.fault = err
				yield(journal.KV{}, err)
				return
			}
			n, _ := slices.BinarySearchFunc(ours, kv.Key, func(o row, key []byte) int {
				return order(strings.Compare(o.key, string(key)), descending)
			})
			if !yieldRows(ours[:n], yield) {
				return
			}
			ours = ours[n:]
			if len(ours) > 0 && ours[0].key == string(kv.Key) {
				continue // ours is newer; it comes with the next run
			}
			if !yield(kv, nil) {
				return
			}
		}
		yieldRows(ours, yield)
	}
}

type row struct {
	key string
	change
}

// written gives this range's own changes in [from, to), in the order of a scan.
func (w *Writer) written(from, to []byte, descending bool) []row {
	var rows []row
	for key, c := range w.rows {
		if key >= string(from) && (to == nil || key < string(to)) {
			rows = append(rows, row{key, c})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return order(cmp.Compare(a.key, b.key), descending) })
	return rows
}

func order(c int, descending bool) int {
	if descending {
		return -c
	}
	return c
}

func yieldRows(rows []row, yield func(journal.KV, error) bool) bool {
	for _, r := range rows {
		if !r.deleted && !yield(journal.KV{Key: []byte(r.key), Value: bytes.Clone(r.value)}, nil) {
			return false
		}
	}
	return true
}

// begin starts an event; what was written before it stays.
func (w *Writer) begin(position uint64) {
	w.position = position
	w.undo = w.undo[:0]
}

// rollback drops what the event in hand wrote.
func (w *Writer) rollback() {
	for _, u := range slices.Backward(w.undo) {
		switch {
		case u.hot && u.had:
			w.hot[u.key] = u.row
		case u.hot:
			delete(w.hot, u.key)
		case u.had:
			w.rows[u.key] = u.old
		default:
			delete(w.rows, u.key)
		}
	}
	w.undo = w.undo[:0]
}

// reset drops the whole range.
func (w *Writer) reset() {
	clear(w.rows)
	clear(w.hot)
	w.undo = w.undo[:0]
	w.fault = nil
}

package projections

// A hotRow is a decoded row of a built-in projection. While a range is folded
// it is kept as it is, so that a session with eight events in the range is encoded
// once. A row that was put is never changed again, but replaced by a copy: what an
// event did can then be dropped without touching what came before it.
type hotRow interface {
	// flush writes the row's bytes at the end of the range.
	flush(w *Writer, key string) error
}

// load finds a row of this range, of the cache, or in the store through read.
// An absent row is nil. Nobody may change the row that it gives.
func load[T any, P interface {
	*T
	hotRow
}](w *Writer, key string, read func(w *Writer, key string) (P, error)) (P, error) {
	row, ok := w.hot[key]
	if !ok {
		row, ok = w.cache.get(key)
	}
	if ok {
		p, _ := row.(P)
		return p, nil
	}
	return read(w, key)
}

// put keeps a row until the end of the range; nil says that the row is absent.
func (w *Writer) put(key string, r hotRow) {
	old, had := w.hot[key]
	w.undo = append(w.undo, undo{key: key, hot: true, had: had, row: old})
	w.hot[key] = r
}

// flush turns the hot rows into bytes.
func (w *Writer) flush() error {
	for key, r := range w.hot {
		if r == nil {
			continue
		}
		if err := r.flush(w, key); err != nil {
			return err
		}
	}
	return nil
}

// committed moves the hot rows into the cache and begins a new range.
func (w *Writer) committed() {
	for key, r := range w.hot {
		w.cache.put(key, r)
	}
	w.reset()
}

// cacheRows is how many rows a generation of the cache holds.
const cacheRows = 1024

// A rowCache keeps committed rows decoded, absent ones as nil. It has two
// generations: when the young one is full it becomes the old one, so the last
// cacheRows rows that were written are always there.
type rowCache struct {
	young, old map[string]hotRow
}

func newRowCache() *rowCache { return &rowCache{young: map[string]hotRow{}} }

func (c *rowCache) get(key string) (hotRow, bool) {
	if r, ok := c.young[key]; ok {
		return r, true
	}
	r, ok := c.old[key]
	return r, ok
}

func (c *rowCache) put(key string, r hotRow) {
	if len(c.young) >= cacheRows {
		c.old, c.young = c.young, make(map[string]hotRow, cacheRows)
	}
	c.young[key] = r
}

func (c *rowCache) clear() { c.young, c.old = map[string]hotRow{}, nil }

package script

import (
	"io"
	"sync"
)

// handles are the open streams and processes of one VM. Safe for concurrent use.
type handles struct {
	mu   sync.Mutex
	seq  int
	open map[int]io.Closer
}

func newHandles() *handles { return &handles{open: map[int]io.Closer{}} }

// add keeps c under a number that JavaScript may hold.
func (h *handles) add(c io.Closer) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	h.open[h.seq] = c
	return h.seq
}

// get gives what is open under the number, nil for none.
func (h *handles) get(id int) io.Closer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open[id]
}

// forget drops what has ended by itself.
func (h *handles) forget(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, id)
}

// close ends one; an unknown number is fine.
func (h *handles) close(id int) {
	h.mu.Lock()
	c := h.open[id]
	delete(h.open, id)
	h.mu.Unlock()
	if c != nil {
		c.Close()
	}
}

// expired stands in the place of what was open for too long.
type expired struct{}

// Close does nothing: it has ended.
func (expired) Close() error { return nil }

// expire ends one whose time is over, and leaves word of it.
func (h *handles) expire(id int) {
	h.mu.Lock()
	c, ok := h.open[id]
	if ok {
		h.open[id] = expired{}
	}
	h.mu.Unlock()
	if ok {
		c.Close()
	}
}

// closeAll ends what is still open.
func (h *handles) closeAll() {
	h.mu.Lock()
	open := h.open
	h.open = map[int]io.Closer{}
	h.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
}

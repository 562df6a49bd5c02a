package journal

import (
	"sort"
	"sync"

	"github.com/gobdk/bdk/events"
)

const (
	ringAppends = 1024    // recent appends that Range serves from memory
	ringBytes   = 4 << 20 // and the size of their lines
)

// A ring is the recent appends of all streams, as they were given: whoever keeps
// up reads them without decoding.
type ring struct {
	mu    sync.Mutex
	items [ringAppends]recent
	first int // where the oldest is
	n     int
	bytes int
}

type recent struct {
	at     uint64 // the position of its first event
	stream string
	events []events.Event
	lines  []Line
	size   int
}

func (r *ring) item(i int) *recent { return &r.items[(r.first+i)%ringAppends] }

// add puts an append at the end and forgets the oldest; the newest stays whatever its size.
func (r *ring) add(p *pending) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n > 0 && (r.n == ringAppends || r.bytes+len(p.text) > ringBytes) {
		old := r.item(0)
		r.bytes -= old.size
		*old = recent{}
		r.first = (r.first + 1) % ringAppends
		r.n--
	}
	*r.item(r.n) = recent{
		at: p.end - uint64(len(p.events)), stream: p.stream.id,
		events: p.events, lines: p.lines, size: len(p.text),
	}
	r.n++
	r.bytes += len(p.text)
}

// each visits the events of the positions [from, to), which are durable, or none
// and says false where it has not got them all. Visit runs under the ring's lock.
func (r *ring) each(from, to uint64, visit func(a *recent, i int)) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == 0 || from < r.item(0).at {
		return false
	}
	k := sort.Search(r.n, func(i int) bool { return r.item(i).at > from }) - 1
	for ; k < r.n && from < to; k++ {
		a := r.item(k)
		for i := int(from - a.at); i < len(a.events) && from < to; i++ {
			visit(a, i)
			from++
		}
	}
	return from == to
}

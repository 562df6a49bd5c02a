package journal

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	tailLines = 64        // lines of a held stream that stay in memory
	tailBytes = 256 << 10 // and their size, but for the last append's
)

// A Line is one recorded event: its NDJSON line without the newline.
type Line struct {
	Data []byte
	// Last says that the append which wrote it ends here.
	Last bool
}

// A stream is the end of one log in memory. It exists while somebody holds or
// follows it, or an append of it is in flight; so where there is none, what the
// store says about the log is on disk.
type stream struct {
	id   string
	refs int // guarded by Journal.mu

	load sync.Once
	err  error // set by load

	next uint64 // the next index to be written; guarded by Journal.order after load

	mu      sync.Mutex
	durable uint64        // indexes below are on disk
	keepers int           // holders and followers: as long as there are some, tail is kept
	tail    []run         // the last durable lines, without a gap up to durable
	lines   int           // in tail
	bytes   int           // of them
	wake    chan struct{} // closed by the next publish; nil when nobody waits
}

// acquire gives the loaded stream with one reference more.
func (j *Journal) acquire(id string) (*stream, error) { return j.acquireBy(id, j.loadStream) }

func (j *Journal) acquireBy(id string, load func(*stream) error) (*stream, error) {
	j.mu.Lock()
	s := j.streams[id]
	if s == nil {
		if err := checkID(id); err != nil {
			j.mu.Unlock()
			return nil, err
		}
		s = &stream{id: id}
		j.streams[id] = s
	}
	s.refs++
	j.mu.Unlock()
	s.load.Do(func() { s.err = load(s) })
	if s.err != nil {
		j.drop(s)
		return nil, s.err
	}
	return s, nil
}

// drop gives one reference back.
func (j *Journal) drop(s *stream) {
	j.mu.Lock()
	j.dropLocked(s)
	j.mu.Unlock()
}

func (j *Journal) dropLocked(s *stream) {
	if s.refs--; s.refs == 0 {
		delete(j.streams, s.id)
	}
}

// loadStream reads the head. Nothing of the stream is in flight.
func (j *Journal) loadStream(s *stream) error {
	if !j.gate.enter() {
		return ErrClosed
	}
	defer j.gate.leave()
	v, err := get(j.db, plainKey(kindHead, s.id))
	if err != nil {
		return corrupt(s.id, 0, err)
	}
	if v == nil {
		return nil
	}
	if len(v) != 8 {
		return &CorruptError{Stream: s.id, Err: fmt.Errorf("its head has %d bytes", len(v))}
	}
	s.next = binary.BigEndian.Uint64(v)
	s.mu.Lock()
	s.durable = s.next
	s.mu.Unlock()
	return nil
}

func checkID(id string) error {
	if id == "" || strings.IndexByte(id, 0) >= 0 || !utf8.ValidString(id) {
		return fmt.Errorf("journal: %q is no stream id: it must be UTF-8, not empty, without NUL", id)
	}
	return nil
}

// Hold keeps the end of a log in memory until Release; it gives the durable next
// index. Holds are counted.
func (j *Journal) Hold(stream string) (next uint64, err error) {
	s, err := j.acquire(stream)
	if err != nil {
		return 0, err
	}
	return s.keep(), nil
}

// HoldNew is Hold for a log that cannot exist yet, because its id was just made of
// random bits: the store is not asked.
func (j *Journal) HoldNew(stream string) (next uint64, err error) {
	s, err := j.acquireBy(stream, isNew)
	if err != nil {
		return 0, err
	}
	return s.keep(), nil
}

func isNew(*stream) error { return nil }

// Release ends one Hold.
func (j *Journal) Release(stream string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s := j.streams[stream]; s != nil && s.unkeep() {
		j.dropLocked(s)
	}
}

// Head is the durable next index; 0 for a log that does not exist.
func (j *Journal) Head(stream string) (uint64, error) {
	s, err := j.acquire(stream)
	if err != nil {
		return 0, err
	}
	defer j.drop(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.durable, nil
}

// keep counts one more holder or follower and gives the durable next index.
func (s *stream) keep() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepers++
	return s.durable
}

// unkeep counts one less; false when there was none.
func (s *stream) unkeep() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keepers == 0 {
		return false
	}
	if s.keepers--; s.keepers == 0 {
		s.tail, s.lines, s.bytes = nil, 0, 0
	}
	return true
}

// publish shows the lines [durable, next) to readers. The syncer alone calls it.
func (s *stream) publish(lines []Line, next uint64) (wake chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keepers > 0 {
		s.rememberLocked(run{first: s.durable, lines: lines})
	}
	s.durable = next
	wake, s.wake = s.wake, nil
	return wake
}

// rememberLocked puts a run at the end of tail and forgets the oldest: the last
// run stays whatever its size.
func (s *stream) rememberLocked(r run) {
	s.tail = append(s.tail, r)
	s.lines += len(r.lines)
	s.bytes += r.size()
	old := 0
	for ; old < len(s.tail)-1 && (s.lines > tailLines || s.bytes > tailBytes); old++ {
		s.lines -= len(s.tail[old].lines)
		s.bytes -= s.tail[old].size()
	}
	if old > 0 {
		n := copy(s.tail, s.tail[old:])
		clear(s.tail[n:])
		s.tail = s.tail[:n]
	}
}

// recentLocked gives the lines [from, to) from memory, all of them or none. They are shared.
func (s *stream) recentLocked(from, to uint64) []Line {
	if len(s.tail) == 0 || from < s.tail[0].first || to > s.durable || from >= to {
		return nil
	}
	i := len(s.tail) - 1
	for s.tail[i].first > from {
		i--
	}
	r := s.tail[i]
	if from, n := from-r.first, to-r.first; n <= uint64(len(r.lines)) {
		return r.lines[from:n:n]
	}
	out := append(make([]Line, 0, to-from), r.lines[from-r.first:]...)
	for i++; uint64(len(out)) < to-from; i++ {
		lines := s.tail[i].lines
		out = append(out, lines[:min(uint64(len(lines)), to-from-uint64(len(out)))]...)
	}
	return out
}

// A run is the lines of one append. They never change.
type run struct {
	first uint64
	lines []Line
}

func (r *run) size() (n int) {
	for i := range r.lines {
		n += len(r.lines[i].Data)
	}
	return n
}

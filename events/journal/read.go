package journal

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"
)

const (
	readLines = 256       // lines that a follower or a range reads at once
	readBytes = 256 << 10 // and about how many bytes

	runLines = 64       // lines under one key
	runBytes = 64 << 10 // and about how many bytes

	noLimit = -1 // on bytes
)

// Read gives the durable lines [from, to), fewer where the log ends. The slices are
// the caller's. It reads all of them, whatever their size: see ReadSome.
func (j *Journal) Read(stream string, from, to uint64) ([]Line, error) {
	return j.read(stream, from, to, noLimit)
}

// ReadSome is Read for lines that may be long: it gives the first of them, at least
// one and no more than about 256 KiB.
func (j *Journal) ReadSome(stream string, from, to uint64) ([]Line, error) {
	return j.read(stream, from, to, readBytes)
}

func (j *Journal) read(stream string, from, to uint64, limit int) ([]Line, error) {
	s, err := j.acquire(stream)
	if err != nil {
		return nil, err
	}
	defer j.drop(s)
	s.mu.Lock()
	to = min(to, s.durable)
	lines := s.recentLocked(from, to)
	s.mu.Unlock()
	if from >= to {
		return nil, nil
	}
	if lines != nil {
		return cloneLines(within(lines, limit)), nil
	}
	return j.readStored(stream, from, to, limit)
}

// readStored reads durable lines from the store; with a limit on bytes it may
// give fewer, but one at least.
func (j *Journal) readStored(stream string, from, to uint64, limit int) ([]Line, error) {
	if !j.gate.enter() {
		return nil, ErrClosed
	}
	defer j.gate.leave()
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: eventKey(stream, 0), UpperBound: eventKey(stream, to)})
	if err != nil {
		return nil, corrupt(stream, from, err)
	}
	lines, err := collect(it, eventKey(stream, from+1), from, to, limit)
	if e := it.Close(); e != nil {
		err = e
	}
	if err != nil {
		return nil, corrupt(stream, from+uint64(len(lines)), err)
	}
	return lines, nil
}

// collect copies the lines [from, to) out of an iterator over a stream; behind is
// the key after the one that from may have.
func collect(it *pebble.Iterator, behind []byte, from, to uint64, limit int) ([]Line, error) {
	lines := make([]Line, 0, min(to-from, readLines))
	var a arena
	total := 0
	for ok := it.SeekLT(behind); ok && from < to; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err != nil {
			return lines, err
		}
		r := storedRun{next: indexOf(it.Key()), rest: a.copy(v)}
		if r.next > from {
			break
		}
		for from < to && r.more() {
			at, l := r.line()
			if len(l.Data) == 0 {
				return lines, errGap
			}
			if at < from {
				continue
			}
			if total += len(l.Data); limit >= 0 && total > limit && len(lines) > 0 {
				return lines, nil
			}
			lines = append(lines, l)
			from++
		}
	}
	if err := it.Error(); err != nil {
		return lines, err
	}
	if from < to {
		return lines, errGap
	}
	return lines, nil
}

// A storedRun takes the value of an event's key apart.
type storedRun struct {
	next uint64 // the index of the next line
	rest []byte
}

func (r *storedRun) more() bool { return len(r.rest) > 0 }

// line gives the next line, a part of the value, and its index.
func (r *storedRun) line() (index uint64, l Line) {
	n := bytes.IndexByte(r.rest, '\n')
	if n < 0 {
		l.Data, r.rest = r.rest, nil
	} else {
		l.Data, r.rest = r.rest[:n:n], r.rest[n+1:]
		l.Last = len(r.rest) == 0
	}
	r.next++
	return r.next - 1, l
}

// within gives the first lines that a limit on bytes leaves, one at least.
func within(lines []Line, limit int) []Line {
	total := 0
	for i := range lines {
		if total += len(lines[i].Data); limit >= 0 && total > limit && i > 0 {
			return lines[:i]
		}
	}
	return lines
}

func cloneLines(lines []Line) []Line {
	var a arena
	out := make([]Line, len(lines))
	for i, l := range lines {
		out[i] = Line{Data: a.copy(l.Data), Last: l.Last}
	}
	return out
}

// An arena copies many small slices with few allocations.
type arena struct{ free []byte }

func (a *arena) copy(b []byte) []byte {
	if cap(a.free)-len(a.free) < len(b) {
		a.free = make([]byte, 0, max(len(b), 8<<10))
	}
	n := len(a.free)
	a.free = append(a.free, b...)
	return a.free[n:len(a.free):len(a.free)]
}

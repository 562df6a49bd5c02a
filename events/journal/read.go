package journal

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

const (
	runLines = 256       // lines that a follower or a range reads at once
	runBytes = 256 << 10 // and about how many bytes

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
	return j.read(stream, from, to, runBytes)
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
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: eventKey(stream, from), UpperBound: eventKey(stream, to)})
	if err != nil {
		return nil, corrupt(stream, from, err)
	}
	lines, err := collect(it, from, to, limit)
	if e := it.Close(); e != nil {
		err = e
	}
	if err != nil {
		return nil, corrupt(stream, from+uint64(len(lines)), err)
	}
	return lines, nil
}

// collect copies the lines [from, to) out of an iterator over them.
func collect(it *pebble.Iterator, from, to uint64, limit int) ([]Line, error) {
	lines := make([]Line, 0, min(to-from, runLines))
	var a arena
	total := 0
	for ok := it.First(); ok; ok = it.Next() {
		if indexOf(it.Key()) != from+uint64(len(lines)) {
			break
		}
		v, err := it.ValueAndErr()
		if err != nil {
			return lines, err
		}
		if total += len(v); limit >= 0 && total > limit && len(lines) > 0 {
			return lines, nil
		}
		l, err := parseLine(v)
		if err != nil {
			return lines, err
		}
		l.Data = a.copy(l.Data)
		lines = append(lines, l)
	}
	if err := it.Error(); err != nil {
		return lines, err
	}
	if from+uint64(len(lines)) != to {
		return lines, errGap
	}
	return lines, nil
}

// parseLine takes a stored value apart; Data is part of it.
func parseLine(v []byte) (Line, error) {
	n := len(v)
	if n > 0 && v[n-1] == '\n' {
		return Line{Data: v[: n-1 : n-1], Last: true}, nil
	}
	if n == 0 {
		return Line{}, fmt.Errorf("%w: an event is empty", errGap)
	}
	return Line{Data: v[:n:n]}, nil
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

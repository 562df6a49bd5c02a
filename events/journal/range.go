package journal

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gobdk/bdk/events"
)

// Range gives up to max durable events of all logs from a position on, in order,
// and the position after them. Recent ones come from memory: the very values
// that were appended. Others are decoded.
//
// An event that cannot be read is a *CorruptError, given alone: what came before
// it was given by the call before. Next is then the position after it, for a
// caller that goes on without it; where next is from, it cannot be told how far
// the damage goes.
func (j *Journal) Range(from uint64, max int) (evs []*events.Event, next uint64, err error) {
	to := j.durable.Load()
	if from >= to || max <= 0 {
		return nil, from, nil
	}
	to = min(to, from+uint64(max))
	evs = make([]*events.Event, 0, to-from)
	if j.ring.each(from, to, func(a *recent, i int) { evs = append(evs, &a.events[i]) }) {
		return evs, to, nil
	}
	err = j.eachStored(from, to, func(at place, line []byte) error {
		e, err := decode(at, line)
		if err == nil {
			evs = append(evs, e)
		}
		return err
	})
	if len(evs) > 0 {
		return evs, from + uint64(len(evs)), nil
	}
	if c, ok := errors.AsType[*CorruptError](err); ok && c.Stream != "" {
		return nil, from + 1, err
	}
	return nil, from, err
}

// decode reads one stored line, which must be the event of its place.
func decode(at place, line []byte) (*events.Event, error) {
	e, err := events.Decode(line)
	if err != nil {
		return nil, at.corrupt(err)
	}
	if e.Index != at.index || e.SessionID != at.stream {
		return nil, at.corrupt(fmt.Errorf("the line says %s, event %d", e.SessionID, e.Index))
	}
	return e, nil
}

// A place is where an event stands.
type place struct {
	position uint64
	stream   string
	index    uint64
}

func (p place) corrupt(err error) error {
	return &CorruptError{Stream: p.stream, Index: p.index, Position: p.position, Err: err}
}

// wrap says where an error of the store happened.
func (p place) wrap(err error) error {
	if pebble.IsCorruptionError(err) || errors.Is(err, errGap) {
		return p.corrupt(err)
	}
	return fmt.Errorf("journal: reading position %d: %w", p.position, err)
}

// eachStored visits the lines of the positions [from, to), which are durable.
// The line is the callee's only during the call.
func (j *Journal) eachStored(from, to uint64, visit func(at place, line []byte) error) error {
	if !j.gate.enter() {
		return ErrClosed
	}
	defer j.gate.leave()
	at := place{position: from}
	records, err := j.db.NewIter(&pebble.IterOptions{LowerBound: []byte{kindPosition}, UpperBound: positionKey(to)})
	if err != nil {
		return at.wrap(err)
	}
	defer records.Close()
	lines, err := j.db.NewIter(&pebble.IterOptions{LowerBound: []byte{kindEvent}, UpperBound: []byte{kindEvent + 1}})
	if err != nil {
		return at.wrap(err)
	}
	defer lines.Close()
	for ok := records.SeekLT(positionKey(from + 1)); from < to; ok = records.Next() {
		r, err := recordHolding(records, ok, from)
		if err != nil {
			return place{position: from}.wrap(err)
		}
		if from, err = eachOf(lines, r, from, to, visit); err != nil {
			return err
		}
	}
	return nil
}

// recordHolding is the record under the iterator, which must hold a position.
func recordHolding(it *pebble.Iterator, ok bool, at uint64) (appendRecord, error) {
	if !ok {
		return appendRecord{}, errorsFirst(it.Error(), errGap)
	}
	r, err := recordAt(it)
	if err == nil && (at < r.pos || at >= r.pos+r.count) {
		err = errGap
	}
	return r, err
}

func recordAt(it *pebble.Iterator) (appendRecord, error) {
	v, err := it.ValueAndErr()
	if err != nil {
		return appendRecord{}, err
	}
	return parseRecord(it.Key(), v)
}

// eachOf visits what one append wrote, from a position on, and gives the position after it.
func eachOf(it *pebble.Iterator, r appendRecord, from, to uint64, visit func(place, []byte) error) (uint64, error) {
	at := place{position: from, stream: r.stream, index: r.first + from - r.pos}
	to = min(to, r.pos+r.count)
	prefix := eventKey(r.stream, 0)
	prefix = prefix[:len(prefix)-8]
	for ok := it.SeekLT(eventKey(r.stream, at.index+1)); at.position < to; ok = it.Next() {
		if !ok || len(it.Key()) != len(prefix)+8 || !bytes.HasPrefix(it.Key(), prefix) {
			return at.position, at.wrap(errorsFirst(it.Error(), errGap))
		}
		v, err := it.ValueAndErr()
		if err != nil {
			return at.position, at.wrap(err)
		}
		if err := eachIn(storedRun{next: indexOf(it.Key()), rest: v}, &at, to, visit); err != nil {
			return at.position, err
		}
	}
	return at.position, nil
}

// eachIn visits the lines of one key, and moves at over them.
func eachIn(r storedRun, at *place, to uint64, visit func(place, []byte) error) error {
	before := at.position
	for at.position < to && r.more() {
		index, l := r.line()
		if index != at.index {
			continue
		}
		if err := visit(*at, l.Data); err != nil {
			return err
		}
		at.position++
		at.index++
	}
	if at.position == before {
		return at.wrap(errGap)
	}
	return nil
}

package journal

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// An Append is written all or nothing.
type Append struct {
	// Stream is the log's id: UTF-8, not empty, without NUL.
	Stream string
	// Expect is the index that the first event takes; ErrMoved otherwise.
	Expect uint64
	// Events in order; their Index, SessionID and At (UTC, whole milliseconds) are
	// set by the journal, in place. The journal keeps them: they are immutable
	// from now on. None is allowed: then Mark and Claims are written alone.
	Events []events.Event
	Mark   MarkOp
	// Claims are taken, Frees given up, in the append's own batch. A key that is in
	// both changes its holder, whoever had it.
	Claims []Claim
	Frees  []string
	// Now is what Claims' Until is compared with.
	Now time.Time
}

// A MarkOp changes the stream's open mark in the append's own batch. Zero keeps it as it is.
type MarkOp struct {
	Set   bool
	Clear bool
	Value []byte
}

// An Appended says where an append went. Next is the index after it, Position the
// position after it over all logs.
type Appended struct {
	Next     uint64
	Position uint64
}

// A pending append is on its way to the disk.
type pending struct {
	batch  *pebble.Batch // nil for a refusal that waits for what it rests on
	stream *stream
	lines  []Line
	events []events.Event
	text   []byte // the lines, each with its line feed
	next   uint64
	end    uint64 // the position after it
	claims []*flight
	err    error // of a refusal
	done   func(Appended, error)
}

// Append returns when the append is on disk. When ctx ends first it returns its
// error, and the append may still be written.
func (j *Journal) Append(ctx context.Context, a Append) (Appended, error) {
	type result struct {
		at  Appended
		err error
	}
	c := make(chan result, 1)
	j.AppendAsync(a, func(at Appended, err error) { c <- result{at, err} })
	select {
	case r := <-c:
		return r.at, r.err
	case <-ctx.Done():
		return Appended{}, ctx.Err()
	}
}

// AppendAsync calls done exactly once, when the append is on disk or failed. Calls
// come in the order of positions, on the journal's goroutine (on the caller's when
// nothing was enqueued): done must not block.
func (j *Journal) AppendAsync(a Append, done func(Appended, error)) {
	p := &pending{events: a.Events, done: done}
	if err := p.encode(&a); err != nil {
		done(Appended{}, err)
		return
	}
	if err := j.place(p, &a); err != nil {
		p.discard()
		done(Appended{}, err)
	}
}

var scratch = sync.Pool{New: func() any { return new([]byte) }}

// encode gives the events their place and makes their lines: one array for all.
func (p *pending) encode(a *Append) error {
	buf := scratch.Get().(*[]byte)
	defer scratch.Put(buf)
	b := (*buf)[:0]
	p.lines = make([]Line, len(a.Events))
	// b may move while it grows, so at first the lines know but their length.
	for i := range a.Events {
		e := &a.Events[i]
		e.Index, e.SessionID = a.Expect+uint64(i), a.Stream
		e.At = e.At.UTC().Truncate(time.Millisecond)
		from := len(b)
		var err error
		if b, err = events.AppendLine(b, e); err != nil {
			return fmt.Errorf("journal: %s: %w", a.Stream, err)
		}
		p.lines[i].Data = b[from:]
		b = append(b, '\n')
	}
	if *buf = b; cap(b) > 1<<20 {
		*buf = nil
	}
	p.text = append(make([]byte, 0, len(b)), b...)
	rest := p.text
	for i := range p.lines {
		n := len(p.lines[i].Data)
		p.lines[i] = Line{Data: rest[:n:n], Last: i == len(p.lines)-1}
		rest = rest[n+1:]
	}
	p.next = a.Expect + uint64(len(a.Events))
	return nil
}

// place gives the append its position and hands it to the store; its turn in the
// queue is the order of positions.
func (j *Journal) place(p *pending, a *Append) (err error) {
	position, err := p.fill(j.db, a)
	if err != nil {
		return err
	}
	if p.stream, err = j.acquire(a.Stream); err != nil {
		return err
	}
	if j.stall.on.Load() { // who has order may wait for long
		j.drop(p.stream)
		return ErrFull
	}
	j.order.Lock()
	defer j.order.Unlock()
	if err := j.admit(p, a); err != nil {
		j.drop(p.stream)
		return err
	}
	if p.err == nil {
		p.end = j.pos + uint64(len(p.events))
		if position != nil {
			binary.BigEndian.PutUint64(position, j.pos)
		}
		failpoint.Hit("append.before")
		if err := j.apply(p); err != nil {
			p.batch = nil // the store may hold it still, and the stream stays: see strand
			return err
		}
		j.pos, p.stream.next = p.end, p.next
	}
	j.mu.Lock()
	j.queue = append(j.queue, p)
	j.ready.Signal()
	j.mu.Unlock()
	return nil
}

// admit says whether the append may be written now. A taken claim whose holder
// is not yet on disk becomes a refusal in the queue.
func (j *Journal) admit(p *pending, a *Append) error {
	if j.closing {
		return ErrClosed
	}
	if err := j.Err(); err != nil {
		return err
	}
	if p.stream.next != a.Expect {
		return &MovedError{Stream: a.Stream, Expected: a.Expect, Next: p.stream.next}
	}
	if len(a.Claims)+len(a.Frees) == 0 {
		return nil
	}
	return j.admitClaims(p, a)
}

// apply hands the batch to the store, which writes it in the order of calls.
// Pebble panics where its log has failed before.
func (j *Journal) apply(p *pending) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = j.wedge(r)
		}
	}()
	j.flyClaims(p)
	if err := j.db.ApplyNoSyncWait(p.batch, pebble.Sync); err != nil {
		return j.fail(err)
	}
	return nil
}

// fill writes the batch, all but the position, whose place it gives.
func (p *pending) fill(db *pebble.DB, a *Append) (position []byte, err error) {
	n := len(a.Events)
	p.batch = db.NewBatchWithSize(256 + len(p.text) + 4*len(a.Stream))
	if err := p.fillLines(a); err != nil {
		return nil, err
	}
	if err := p.fillMark(a); err != nil {
		return nil, err
	}
	if err := p.fillClaims(a); err != nil || n == 0 {
		return nil, err
	}
	head := p.batch.SetDeferred(1+len(a.Stream), 8)
	head.Key[0] = kindHead
	copy(head.Key[1:], a.Stream)
	binary.BigEndian.PutUint64(head.Value, p.next)
	if err := head.Finish(); err != nil {
		return nil, err
	}
	at := p.batch.SetDeferred(positionKeyLen, 12+len(a.Stream))
	at.Key[0] = kindPosition
	binary.BigEndian.PutUint64(at.Value, a.Expect)
	binary.BigEndian.PutUint32(at.Value[8:], uint32(n))
	copy(at.Value[12:], a.Stream)
	return at.Key[1:], at.Finish()
}

// fillLines writes the events, several to a key: a key costs the store as much as
// a short line does.
func (p *pending) fillLines(a *Append) error {
	text := p.text
	for from := 0; from < len(p.lines); {
		n, size := 0, 0
		for ; from+n < len(p.lines) && n < runLines; n++ {
			next := size + len(p.lines[from+n].Data) + 1
			if n > 0 && next > runBytes {
				break
			}
			size = next
		}
		value := text[:size-1] // the line feed of the append's last line stays
		if from+n == len(p.lines) {
			value = text[:size]
		}
		op := p.batch.SetDeferred(eventKeyLen(a.Stream), len(value))
		putEventKey(op.Key, a.Stream, a.Expect+uint64(from))
		copy(op.Value, value)
		if err := op.Finish(); err != nil {
			return err
		}
		from, text = from+n, text[size:]
	}
	return nil
}

func (p *pending) fillMark(a *Append) error {
	switch {
	case a.Mark.Clear:
		return p.batch.Delete(plainKey(kindMark, a.Stream), nil)
	case a.Mark.Set:
		return p.batch.Set(plainKey(kindMark, a.Stream), a.Mark.Value, nil)
	}
	return nil
}

// discard gives back what a refused append holds.
func (p *pending) discard() {
	if p.batch != nil {
		_ = p.batch.Close()
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

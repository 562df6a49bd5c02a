package transport

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events/journal"
)

// flushSize is how many bytes gather before they are written.
const flushSize = 32 << 10

// keptSize is how large a buffer may have become that is used again.
const keptSize = 1 << 20

// buffers are reused between streams.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// stream replays a session's events from an index and follows them.
func (c *call) stream() error {
	w, err := c.newWindow()
	if err != nil {
		return err
	}
	sl, err := c.h.streams.take(c.r.Context(), c.principal)
	if err != nil {
		return err
	}
	defer sl.release()
	return c.pour(sl.ctx, c.session.ID, w)
}

// A stream pours a window of a session's log into one reply.
type stream struct {
	c  *call
	id string
	window
	rest rest
	// folds says that rest is kept: the window ends by it.
	folds bool
	// next is the index of the next line of the log, sent how many went out.
	next uint64
	sent uint64
	buf  []byte
}

// pour writes a window as the reply. It returns when the window ends, the client
// is gone, or ctx ends, each time at a line's end.
func (c *call) pour(ctx context.Context, id string, w window) error {
	s := &stream{c: c, id: id, window: w}
	ready, err := s.prepare()
	if err != nil {
		return err
	}
	if c.r.Method == http.MethodHead || s.over() {
		c.streamHead(w.sse)
		return nil
	}
	pooled := buffers.Get().(*[]byte)
	s.buf = (*pooled)[:0]
	defer func() {
		if cap(s.buf) <= keptSize {
			*pooled = s.buf[:0]
			buffers.Put(pooled)
		}
	}()
	if !ready {
		s.flush()
	}
	err = s.run(ctx)
	if err == nil && !c.sent { // ended before its first line
		c.streamHead(w.sse)
	}
	return err
}

// run follows the log until the window ends. A quiet event stream gets a sign of life.
func (s *stream) run(ctx context.Context) error {
	for {
		done, err := s.follow(ctx)
		if done || err != nil || ctx.Err() != nil {
			return err
		}
		s.buf = append(s.buf, ": still here\n\n"...)
		if !s.flush() {
			return nil
		}
	}
}

// prepare finds where to read from, and what must be known of the lines before
// it. It says whether a line is there at once.
func (s *stream) prepare() (ready bool, err error) {
	j := s.c.h.journal
	s.next = s.first
	s.folds = s.untilRest || !s.open && s.c.isTask()
	if s.first == 0 || s.open {
		return true, nil
	}
	head, err := j.Head(s.id)
	if err != nil {
		return false, err
	}
	// From past the head it reads from the head, and sends nothing until first:
	// the session may come to its end on the way.
	s.next = min(s.first, head)
	switch {
	case s.untilRest:
		s.rest, err = restBefore(j, s.id, s.next)
	case s.folds:
		s.rest.ended, err = endedBefore(j, s.id, s.next)
	}
	if s.next == head && s.rest.ended {
		s.to = head
	}
	return s.next < head, err
}

// over says whether nothing is left to send.
func (s *stream) over() bool { return s.next >= s.to || s.sent >= s.limit }

// follow reads on until the window ends, and says whether it did. On an event
// stream it comes back after a while, so that a sign of life can be sent. An
// error after the head of the reply cuts the connection: a stream that failed
// must not look as if it had ended.
func (s *stream) follow(ctx context.Context) (done bool, err error) {
	if s.sse {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.c.h.heartbeat)
		defer cancel()
	}
	for lines, err := range s.c.h.journal.Follow(ctx, s.id, s.next) {
		if ctx.Err() != nil {
			return false, nil
		}
		if err != nil {
			return true, fmt.Errorf("following %s at %d: %w", s.id, s.next, err)
		}
		if s.take(lines) { // the end of the reply flushes it
			s.drain()
			return true, nil
		}
		if !s.flush() {
			return true, nil
		}
	}
	return ctx.Err() == nil, nil
}

// take sends lines, and says whether the window ends with them.
func (s *stream) take(lines []journal.Line) (done bool) {
	for _, l := range lines {
		if s.next >= s.first {
			s.line(l.Data)
			s.sent++
		}
		s.next++
		if s.folds {
			s.rest.apply(l.Data)
		}
		if s.over() || s.folds && l.Last && s.rested() {
			return true
		}
	}
	return false
}

// rested says whether the append that has just ended ends the window.
func (s *stream) rested() bool {
	return s.rest.ended || s.untilRest && s.next > s.first && s.rest.reached()
}

// line gathers one event.
func (s *stream) line(data []byte) {
	if s.sse {
		s.buf = append(s.buf, "id: "...)
		s.buf = strconv.AppendUint(s.buf, s.next, 10)
		s.buf = append(s.buf, "\ndata: "...)
		s.buf = append(s.buf, data...)
		s.buf = append(s.buf, '\n', '\n')
	} else {
		s.buf = append(s.buf, data...)
		s.buf = append(s.buf, '\n')
	}
	if len(s.buf) >= flushSize {
		s.drain()
	}
}

// drain writes what was gathered. A client that is gone shows at the next flush.
func (s *stream) drain() {
	if !s.c.sent {
		s.c.streamHead(s.sse)
	}
	if len(s.buf) > 0 {
		s.c.extend()
		_, _ = s.c.w.Write(s.buf)
		s.buf = s.buf[:0]
	}
}

// flush puts everything on the wire, and says whether the client still reads.
func (s *stream) flush() bool {
	s.drain()
	return http.NewResponseController(s.c.w).Flush() == nil
}

var (
	ndjsonType      = []string{ndjson}
	eventStreamType = []string{eventStream}
	unbuffered      = []string{"no"}
)

// streamHead writes the head of a stream, which no proxy should hold back.
func (c *call) streamHead(sse bool) {
	c.w.Header()["X-Accel-Buffering"] = unbuffered
	if sse {
		c.head(http.StatusOK, eventStreamType)
		return
	}
	c.head(http.StatusOK, ndjsonType)
}

// streamAccepted answers a message with the stream of its turn.
func (c *call) streamAccepted(sl *slot, a actors.Accepted, token, stream string) error {
	h := c.w.Header()
	h.Set("bdk-session-id", a.SessionID)
	h.Set("bdk-continuation-token", token)
	return c.pour(sl.ctx, a.SessionID, c.sentWindow(a.Index, stream))
}

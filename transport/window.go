package transport

import (
	"math"

	"github.com/gobdk/bdk/events"
)

// A window is the part of a log that a reader asked for.
type window struct {
	// first is the index of the first line that is sent.
	first uint64
	// to is where it ends at the latest: no line from there on is sent.
	to uint64
	// limit is how many lines are sent at most.
	limit uint64
	// untilRest ends it with the first append that leaves the session at rest.
	untilRest bool
	// open says that the line at first has just opened a turn, so that nothing
	// before it needs to be known.
	open bool
	// sse sends server-sent events instead of NDJSON.
	sse bool
}

// forever is an index that no log reaches.
const forever = math.MaxUint64

// newWindow reads what a stream request asks for.
func (c *call) newWindow() (window, error) {
	w := window{to: forever, limit: forever}
	w.sse = streamType(c.r.Header["Accept"]) == eventStream
	if err := c.readStart(&w); err != nil {
		return w, err
	}
	q := c.query()
	if q.oneOf("follow", "true", "false") == "false" {
		head, err := c.h.journal.Head(c.session.ID)
		if err != nil {
			return w, err
		}
		w.to = head
	}
	if limit, ok := q.text("limit"); ok {
		if w.limit, ok = plainInteger(limit); !ok || w.limit == 0 {
			q.note("limit", "must be a plain positive integer")
		}
	}
	w.untilRest = q.oneOf("until", "idle") != ""
	return w, q.err()
}

// readStart reads startIndex, or Last-Event-ID, which wins on an event stream.
func (c *call) readStart(w *window) error {
	if ids := c.r.Header["Last-Event-Id"]; w.sse && len(ids) > 0 {
		last, ok := plainInteger(ids[0])
		if !ok || len(ids) > 1 {
			return refuse("invalid_start_index", "Last-Event-ID must be the index of an event")
		}
		w.first = last + 1
		return nil
	}
	values := c.params["startIndex"]
	if len(values) == 0 {
		return nil
	}
	first, ok := plainInteger(values[0])
	if !ok || len(values) > 1 {
		return refuse("invalid_start_index", "startIndex must be one plain non-negative integer")
	}
	w.first = first
	return nil
}

// sent is the window of the turn that a message has just opened.
func (c *call) sentWindow(index uint64, stream string) window {
	return window{first: index, to: forever, limit: forever, untilRest: true, open: true, sse: stream == eventStream}
}

// isTask says whether the session ends by itself.
func (c *call) isTask() bool { return c.session.Mode == events.ModeTask }

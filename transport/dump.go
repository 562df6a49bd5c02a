package transport

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gobdk/bdk/events/journal"
)

// events gives what is in the session's log now: NDJSON, or one JSON object.
func (c *call) events() error {
	q := c.query()
	format := q.oneOf("format", "json", "ndjson")
	if err := q.err(); err != nil {
		return err
	}
	head, err := c.h.journal.Head(c.session.ID)
	if err != nil {
		return err
	}
	d := &dump{c: c, head: head, contentType: ndjsonType, between: "\n", closes: "\n"}
	if format == "json" {
		id, err := json.Marshal(c.session.ID)
		if err != nil {
			return fmt.Errorf("encoding an id: %w", err)
		}
		d.contentType, d.opens, d.between, d.closes = jsonType, `{"sessionId":`+string(id)+`,"events":[`, ",", "]"+c.playgroundField()+"}\n"
	}
	return d.write()
}

// A dump writes the lines below head with something around and between them.
type dump struct {
	c                      *call
	head, next             uint64
	contentType            []string
	opens, between, closes string
	buf                    []byte
}

// write sends the dump. The first lines are read before the status, so that a log
// that cannot be read is an error; one that breaks later cuts the connection.
func (d *dump) write() error {
	for lines, err := range d.c.h.journal.Follow(d.c.r.Context(), d.c.session.ID, 0) {
		if err != nil {
			return fmt.Errorf("reading %s at %d: %w", d.c.session.ID, d.next, err)
		}
		d.gather(lines)
		if !d.c.sent {
			d.c.head(http.StatusOK, d.contentType)
		}
		d.c.extend()
		if _, err := d.c.w.Write(d.buf); err != nil || d.next >= d.head {
			break // all is sent, or the client is gone
		}
		d.buf = d.buf[:0]
	}
	return nil
}

// gather takes the lines below head.
func (d *dump) gather(lines []journal.Line) {
	for _, l := range lines[:min(uint64(len(lines)), d.head-d.next)] {
		if d.next == 0 {
			d.buf = append(d.buf, d.opens...)
		} else {
			d.buf = append(d.buf, d.between...)
		}
		d.buf = append(d.buf, l.Data...)
		d.next++
	}
	if d.next >= d.head {
		d.buf = append(d.buf, d.closes...)
	}
}

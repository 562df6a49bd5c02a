package transport

import (
	"net/http"
	"time"
)

// Logs are the recent lines of the server's log. They are read from any goroutine.
type Logs interface {
	// After gives the lines numbered above n, oldest first, and the number to ask after next.
	After(n uint64) (lines []LogLine, next uint64)
}

// A LogLine is one line of the server's log.
type LogLine struct {
	// N numbers the lines from 1.
	N       uint64         `json:"n"`
	At      time.Time      `json:"at"`
	Level   string         `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}

type logsReply struct {
	OK    bool     `json:"ok"`
	Lines []LogRow `json:"lines"`
	Next  uint64   `json:"next"`
}

// logs gives the recent log lines after a number.
func (c *call) logs() error {
	q := c.query()
	after := q.number("after", 0)
	if err := q.err(); err != nil {
		return err
	}
	reply := logsReply{OK: true, Lines: []LogRow{}, Next: after}
	if c.h.o.Logs != nil {
		lines, next := c.h.o.Logs.After(after)
		for i := range lines {
			reply.Lines = append(reply.Lines, NewLogRow(&lines[i]))
		}
		reply.Next = next
	}
	return c.reply(http.StatusOK, reply)
}

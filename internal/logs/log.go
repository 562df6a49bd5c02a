// Package logs is where a process's log lines go: redacted, escaped, written as
// JSON or readable text, and the newest of them kept for GET /v1/logs.
package logs

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/internal/redact"
)

// Capacity is how many lines a Log keeps.
const Capacity = 2000

// Formats of a Log.
const (
	FormatJSON    = "json"
	FormatConsole = "console"
)

// Options of a Log. The zero value writes nowhere and keeps lines of level debug and above.
type Options struct {
	// Out gets the lines; nil: they are only kept.
	Out io.Writer
	// Format is FormatJSON or FormatConsole. Defaults to FormatJSON.
	Format string
	// Color paints the level in FormatConsole.
	Color bool
	// Level is the lowest level that is written and kept.
	Level zerolog.Level
	// Redactor takes secrets out; nil: by key names and shapes alone.
	Redactor *redact.Redactor
	// Now defaults to time.Now.
	Now func() time.Time
}

// A Line is one log line as it may be shown to anybody who may read the log.
type Line struct {
	// N counts from 1 and never repeats within a process.
	N       uint64         `json:"n"`
	At      time.Time      `json:"at"`
	Level   string         `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}

// A Log takes zerolog's output. It is safe for concurrent use.
type Log struct {
	o Options

	mu    sync.Mutex // guards what follows, and the order of writes
	ring  [Capacity]Line
	count uint64 // lines ever kept: the newest has this number
}

// New gives a log; nil means the defaults.
func New(o *Options) *Log {
	l := &Log{}
	if o != nil {
		l.o = *o
	}
	if l.o.Out == nil {
		l.o.Out = io.Discard
	}
	if l.o.Redactor == nil {
		l.o.Redactor = redact.New()
	}
	if l.o.Now == nil {
		l.o.Now = time.Now
	}
	return l
}

// Logger gives a logger whose lines come here.
func (l *Log) Logger() zerolog.Logger { return zerolog.New(l).Level(l.o.Level) }

// Redactor is what takes secrets out of the lines; more can be added to it at any time.
func (l *Log) Redactor() *redact.Redactor { return l.o.Redactor }

// Write takes one line of zerolog's JSON. It never fails: a log that cannot be
// written must not stop what it tells about.
func (l *Log) Write(p []byte) (int, error) {
	line := l.parse(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	line.N = l.count + 1
	l.ring[l.count%Capacity] = line
	l.count++
	_, _ = l.o.Out.Write(l.format(line))
	return len(p), nil
}

// parse reads, redacts and caps a line. What is not a JSON object becomes its message.
func (l *Log) parse(p []byte) Line {
	fields := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(p))
	dec.UseNumber()
	line := Line{At: l.o.Now().UTC().Truncate(time.Millisecond), Fields: fields}
	if err := dec.Decode(&fields); err != nil {
		line.Message = capText(l.o.Redactor.Text(string(bytes.TrimSpace(p))))
		return line
	}
	line.Level = take(fields, zerolog.LevelFieldName)
	line.Message = capText(l.o.Redactor.Text(take(fields, zerolog.MessageFieldName)))
	delete(fields, zerolog.TimestampFieldName)
	for k, v := range fields {
		fields[k] = capField(l.o.Redactor.Value(k, v))
	}
	line.Fields = fields
	return line
}

// take removes a text field and gives it.
func take(fields map[string]any, name string) string {
	s, _ := fields[name].(string)
	delete(fields, name)
	return s
}

func (l *Log) format(line Line) []byte {
	if l.o.Format == FormatConsole {
		return AppendReadable(nil, line, l.o.Color)
	}
	return appendJSON(nil, line)
}

// After gives the kept lines numbered above n, oldest first, and the number to ask after next.
func (l *Log) After(n uint64) (lines []Line, next uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n > l.count {
		n = 0 // the number is of a process before this one
	}
	first := n
	if l.count > Capacity && first < l.count-Capacity {
		first = l.count - Capacity
	}
	lines = make([]Line, 0, l.count-first)
	for i := first; i < l.count; i++ {
		lines = append(lines, l.ring[i%Capacity])
	}
	return lines, l.count
}

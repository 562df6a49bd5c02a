package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// maxText is how much of a message, or of a result, a line holds.
const maxText = 16 << 10

// A Line is one line of the journal.
type Line struct {
	// At is when the turn ended, in UTC to the millisecond.
	At        string `json:"at"`
	SessionID string `json:"sessionId"`
	ChannelID string `json:"channelId"`
	// Owner tells owners apart; with Options.PerPrincipal alone.
	Owner string `json:"owner,omitempty"`
	// Status is "completed", "failed" or "cancelled".
	Status string `json:"status"`
	Title  string `json:"title,omitempty"`
	// UserMessage is what the turn was asked.
	UserMessage string `json:"userMessage"`
	// Result is that of the turn, or why it failed, as a JSON string.
	Result json.RawMessage `json:"result"`
	Usage  *events.Usage   `json:"usage,omitempty"`
}

// Values of Line.Status.
const (
	StatusCompleted = "completed"
	StatusFailed    = "failed"
	StatusCancelled = "cancelled"
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// line makes the line of a turn that has ended.
func (k *keeper) line(e *agent.HookEvent, c *agent.Call, question string) ([]byte, error) {
	l := Line{
		At: e.At.UTC().Format(timeLayout), SessionID: c.Session.ID, ChannelID: c.Session.ChannelID,
		Title: k.text(c.Session.Title), UserMessage: question,
	}
	if k.o.PerPrincipal {
		l.Owner = ownerOf(c.Session.Auth)
	}
	switch d := e.Data.(type) {
	case *events.TurnCompleted:
		l.Status, l.Usage, l.Result = StatusCompleted, d.Usage, k.json(d.Result)
	case *events.TurnFailed:
		l.Status, l.Usage, l.Result = StatusFailed, d.Usage, encode(k.text(d.Message))
		if d.Status == events.StatusCancelled {
			l.Status = StatusCancelled
		}
	default:
		return nil, fmt.Errorf("memory: %s ends no turn", e.Type)
	}
	return encode(l), nil
}

// text takes secrets out of a text, then cuts it.
func (k *keeper) text(s string) string {
	s = k.redactor.Text(s)
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d more bytes)", s[:end], len(s)-end)
}

// json takes secrets out of the texts of a value. One that is too long becomes the
// beginning of its JSON, as a text.
func (k *keeper) json(raw json.RawMessage) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // numbers keep their digits
	var v any
	if err := dec.Decode(&v); err != nil {
		return json.RawMessage("null")
	}
	before := encode(v)
	if clean := encode(k.redactor.Value("", v)); !bytes.Equal(before, clean) {
		raw = clean // else the value stays byte for byte
	}
	if len(raw) > maxText {
		if s, ok := v.(string); ok {
			return encode(k.text(s))
		}
		return encode(k.text(string(raw)))
	}
	return raw
}

// encode gives JSON on one line, with text as it is.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // what a decoder gave, and our own types, always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

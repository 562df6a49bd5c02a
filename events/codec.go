package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// encoders are reused: making one for each event costs as much as the encoding.
var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.buf)
	e.json.SetEscapeHTML(false)
	return e
}}

type encoder struct {
	buf  bytes.Buffer
	json *json.Encoder
}

// AppendLine appends the NDJSON line of e to dst, without its newline, in the
// key order of the envelope: type, index, sessionId, turnId, at, data. Text that
// is not valid UTF-8 is replaced; no text can end the line early. It fails when
// a raw JSON field of the payload is not JSON, and then returns dst unchanged.
func AppendLine(dst []byte, e *Event) ([]byte, error) {
	start := len(dst)
	dst = append(dst, `{"type":`...)
	dst = appendString(dst, e.Type)
	dst = append(dst, `,"index":`...)
	dst = strconv.AppendUint(dst, e.Index, 10)
	dst = append(dst, `,"sessionId":`...)
	dst = appendString(dst, e.SessionID)
	if e.TurnID != "" {
		dst = append(dst, `,"turnId":`...)
		dst = appendString(dst, e.TurnID)
	}
	dst = append(dst, `,"at":"`...)
	dst = e.At.UTC().AppendFormat(dst, timeLayout)
	dst = append(dst, `","data":`...)
	if e.raw != nil {
		return append(appendClean(dst, e.raw), '}'), nil
	}
	enc := encoders.Get().(*encoder)
	defer encoders.Put(enc)
	enc.buf.Reset()
	if err := enc.json.Encode(e.Data); err != nil {
		return dst[:start], fmt.Errorf("events: encoding %s: %w", e.Type, err)
	}
	dst = appendClean(dst, bytes.TrimSuffix(enc.buf.Bytes(), []byte("\n")))
	if enc.buf.Cap() > 1<<20 {
		enc.buf = bytes.Buffer{}
	}
	return append(dst, '}'), nil
}

// appendClean appends JSON whose raw parts nobody has looked into: bytes that are
// not UTF-8 are replaced, and U+2028 and U+2029, at which some readers of lines
// break, are escaped. Outside of strings JSON is ASCII, so both are inside of one.
func appendClean(dst, src []byte) []byte {
	if isClean(src) {
		return append(dst, src...)
	}
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, `\ufffd`...)
		case r == '\u2028':
			dst = append(dst, `\u2028`...)
		case r == '\u2029':
			dst = append(dst, `\u2029`...)
		default:
			dst = append(dst, src[:n]...)
		}
		src = src[n:]
	}
	return dst
}

// appendString writes a JSON string; names and ids are plain and take the short way.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			b, _ := json.Marshal(s)
			return append(dst, b...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// names holds the known wire names, each under itself.
var names = func() map[string]string {
	m := make(map[string]string, len(registry))
	for name := range registry {
		m[name] = name
	}
	return m
}()

const typePrefix = `{"type":"`

// TypeOf reads the type of a line without decoding it; empty when there is none.
func TypeOf(line []byte) string {
	if rest, ok := bytes.CutPrefix(line, []byte(typePrefix)); ok {
		if i := bytes.IndexAny(rest, `"\`); i >= 0 && rest[i] == '"' {
			if known, ok := names[string(rest[:i])]; ok { // without a copy
				return known
			}
			return string(rest[:i])
		}
	}
	var e struct{ Type string }
	if json.Unmarshal(line, &e) != nil {
		return ""
	}
	return e.Type
}

// Decode reads one line. A type that this build does not know becomes an
// Unknown, and fields that it does not know are skipped.
func Decode(line []byte) (*Event, error) {
	e, _, err := decode(line)
	return e, err
}

// DecodeExact is Decode for an event that is to be written again in another place:
// AppendLine writes its data byte for byte, with the fields that this build does not
// know. Nobody may change its Data.
func DecodeExact(line []byte) (*Event, error) {
	e, data, err := decode(line)
	if err != nil {
		return nil, err
	}
	e.raw = data
	return e, nil
}

// decode gives an event and the JSON of its data.
func decode(line []byte) (*Event, json.RawMessage, error) {
	var w struct {
		Type      string          `json:"type"`
		Index     *uint64         `json:"index"`
		SessionID string          `json:"sessionId"`
		TurnID    string          `json:"turnId"`
		At        time.Time       `json:"at"`
		Data      json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, nil, fmt.Errorf("events: decoding a line: %w", err)
	}
	if w.Type == "" || w.Index == nil {
		return nil, nil, fmt.Errorf("events: decoding a line: no type or no index")
	}
	e := &Event{Type: w.Type, Index: *w.Index, SessionID: w.SessionID, TurnID: w.TurnID, At: w.At}
	empty, ok := registry[w.Type]
	if !ok {
		e.Data = &Unknown{Name: w.Type, Raw: w.Data}
		return e, w.Data, nil
	}
	e.Data = empty()
	if len(w.Data) == 0 {
		return e, w.Data, nil
	}
	if err := json.Unmarshal(w.Data, e.Data); err != nil {
		return nil, nil, fmt.Errorf("events: decoding %s: %w", w.Type, err)
	}
	return e, w.Data, nil
}

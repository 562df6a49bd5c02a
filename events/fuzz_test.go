package events

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// Whatever an event carries, its line is one line, and what can be decoded of it is stable.
func FuzzAppendLine(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, []byte(s), s)
		f.Add(s, []byte(`{"a":"`+s+`"}`), "ses_1")
	}
	f.Fuzz(func(t *testing.T, text string, raw []byte, id string) {
		e := New(id, goldenAt, &ActionResult{CallID: text, ToolName: id, Output: raw})
		e.SessionID = text
		line, err := AppendLine(nil, &e)
		if err != nil {
			if len(raw) == 0 || json.Valid(raw) {
				t.Fatalf("%q was refused: %v", raw, err)
			}
			return
		}
		checkLine(t, line)
		once, err := Decode(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := AppendLine(nil, once)
		if err != nil {
			t.Fatalf("%s cannot be written again: %v", line, err)
		}
		if twice, err := Decode(again); err != nil || !reflect.DeepEqual(once, twice) {
			t.Fatalf("%s\nbecame\n%s, %v", line, again, err)
		}
	})
}

// Nothing in a log makes the decoder panic, and what it accepts can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, name := range Types() {
		for _, e := range samples(name) {
			line, err := AppendLine(nil, &e)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(line)
		}
	}
	f.Add([]byte(`{"type":"x","index":0,"sessionId":"s","at":"2026-07-01T12:00:00Z","data":{"b":1.50}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := Decode(line)
		if err != nil {
			return
		}
		again, err := AppendLine(nil, e)
		if err != nil {
			return // a time in the payload whose year in UTC has not four digits
		}
		checkLine(t, again)
		once, err := Decode(again)
		if err != nil {
			if y := e.At.UTC().Year(); 0 <= y && y <= 9999 {
				t.Fatalf("%s cannot be read: %v", again, err)
			}
			return
		}
		twice, err := AppendLine(nil, once)
		if err != nil || !bytes.Equal(twice, again) {
			t.Fatalf("%s\nbecame\n%s, %v", again, twice, err)
		}
		if once.Type != e.Type || once.Index != e.Index || reflect.TypeOf(once.Data) != reflect.TypeOf(e.Data) {
			t.Fatalf("%+v became %+v", e, once)
		}
	})
}

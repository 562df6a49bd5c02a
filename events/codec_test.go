package events

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// nasty is text that broke lines elsewhere.
var nasty = []string{
	"", "\n", "a\r\nb", "\x00", "\u2028", "\u2029", "\u0085", "\ufeff", "\xff", "a\xc3", "\xed\xa0\xbd", "\xf0\x9f\x98",
	"😀", "\"}\n{\"type\":\"x\"", "</script>&", "\\", "\\u2028", "\\", "\U0010ffff", "\x7f", "\x1b[0m",
}

// checkLine says whether a line is one JSON object in valid UTF-8 that no reader of lines breaks.
func checkLine(t *testing.T, line []byte) {
	t.Helper()
	if !json.Valid(line) || !utf8.Valid(line) || line[0] != '{' {
		t.Errorf("no JSON object in UTF-8: %q", line)
	}
	for _, c := range []string{"\n", "\r", "\u2028", "\u2029"} {
		if bytes.Contains(line, []byte(c)) {
			t.Errorf("the line holds %q: %q", c, line)
		}
	}
}

// "Envelope, in this key order: {"type","index","sessionId","turnId"?,"at","data"}"
func TestAppendLine_KeyOrder(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("", 2*60*60)
	e := New("turn_1", time.Date(2026, 7, 1, 14, 0, 0, 999_999_999, berlin), &TurnStarted{Model: "m"})
	e.Index, e.SessionID = 3, "ses_1"
	for _, c := range []struct{ turn, want string }{
		{"turn_1", `{"type":"turn.started","index":3,"sessionId":"ses_1","turnId":"turn_1","at":"2026-07-01T12:00:00.999Z","data":{"model":"m"}}`},
		{"", `{"type":"turn.started","index":3,"sessionId":"ses_1","at":"2026-07-01T12:00:00.999Z","data":{"model":"m"}}`},
	} {
		e.TurnID = c.turn
		if got, err := AppendLine([]byte("before "), &e); err != nil || string(got) != "before "+c.want {
			t.Errorf("got %s, %v\nwant %s", got, err, c.want)
		}
	}
}

// "One NDJSON line = one complete JSON object …, whatever text it carries"
func TestAppendLine_NastyText(t *testing.T) {
	t.Parallel()
	for _, s := range nasty {
		e := New(s, goldenAt, &MessageReceived{Text: s, From: s})
		e.SessionID = s
		line, err := AppendLine(nil, &e)
		if err != nil {
			t.Fatal(err)
		}
		checkLine(t, line)
		got, err := Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Data.(*MessageReceived)
		if utf8.ValidString(s) && (d.Text != s || got.TurnID != s || got.SessionID != s) {
			t.Errorf("%q came back as %q in %+v", s, d.Text, got)
		}
		if !utf8.ValidString(s) && !strings.Contains(d.Text, "\ufffd") {
			t.Errorf("%q came back as %q", s, d.Text)
		}
	}
}

// Raw JSON of tools and models is as nasty as text, and keeps its digits and key order.
func TestAppendLine_RawJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, want string }{
		{"{ \"b\": 1.500,\n\t\"a\": 12345678901234567890 }", `{"b":1.500,"a":12345678901234567890}`},
		{"\"a\u2028b\u2029c\"", `"a\u2028b\u2029c"`},
		{"\"a\xffb\"", `"a\ufffdb"`},
		{"\"\xed\xa0\xbd\"", `"\ufffd\ufffd\ufffd"`},
		{`"\ud83d"`, `"\ud83d"`},
		{`"<b>&"`, `"<b>&"`},
		{"null", "null"},
		{"-0", "-0"},
		{"1e400", "1e400"},
	} {
		line, err := AppendLine(nil, &Event{Type: "tool.result", At: goldenAt, Data: &ToolResult{Output: RawJSON(c.raw)}})
		if err != nil {
			t.Errorf("%q: %v", c.raw, err)
			continue
		}
		checkLine(t, line)
		if !bytes.Contains(line, []byte(`"output":`+c.want+`,`)) {
			t.Errorf("%q became %s, want %s", c.raw, line, c.want)
		}
		if got := AsLogged(RawJSON(c.raw)); string(got) != c.want {
			t.Errorf("%q as it is logged is %s, want %s", c.raw, got, c.want)
		}
	}
}

// "It fails when a raw JSON field of the payload is not JSON, and then returns dst unchanged."
func TestAppendLine_NoJSON(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"{", "{}{}", "nul", "NaN", "{\"a\":}", "\"\n\"", " "} {
		dst, err := AppendLine([]byte("kept"), &Event{Type: "tool.result", Data: &ToolResult{Output: RawJSON(raw)}})
		if err == nil || string(dst) != "kept" {
			t.Errorf("%q gave %q, %v", raw, dst, err)
		}
		if got := AsLogged(RawJSON(raw)); string(got) != raw {
			t.Errorf("%q became %q", raw, got)
		}
	}
}

// "Unknown event types or fields in a log do not stop loading"
func TestDecode_Unknown(t *testing.T) {
	t.Parallel()
	line := `{"type":"dream.dreamt","index":4,"sessionId":"ses_1","at":"2026-07-01T12:00:00.123Z","data":{"b":1.50,"a":[ ]},"mood":"odd"}`
	e, err := Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	want := Event{Type: "dream.dreamt", Index: 4, SessionID: "ses_1", At: goldenAt, Data: &Unknown{Name: "dream.dreamt", Raw: []byte(`{"b":1.50,"a":[ ]}`)}}
	if !reflect.DeepEqual(*e, want) || e.Data.EventType() != "dream.dreamt" {
		t.Errorf("got %+v, %+v", e, e.Data)
	}
	again, err := AppendLine(nil, e)
	if err != nil || !bytes.Contains(again, []byte(`"data":{"b":1.50,"a":[]}}`)) {
		t.Errorf("encoded again: %s, %v", again, err)
	}
	e, err = Decode([]byte(`{"type":"turn.started","index":0,"sessionId":"s","at":"2026-07-01T12:00:00.123Z","data":{"model":"m","effort":{"high":true}}}`))
	if err != nil || !reflect.DeepEqual(e.Data, &TurnStarted{Model: "m"}) {
		t.Errorf("an unknown field gave %+v, %v", e, err)
	}
	if line, err := AppendLine(nil, &Event{Type: "x", At: goldenAt, Data: &Unknown{Name: "x"}}); err != nil || !bytes.HasSuffix(line, []byte(`"data":{}}`)) {
		t.Errorf("an unknown payload of nothing gave %s, %v", line, err)
	}
}

func TestDecode_Broken(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "{", "null", "[]", "7", `{"index":0,"data":{}}`, `{"type":"turn.started","data":{}}`,
		`{"type":"turn.started","index":-1}`, `{"type":"turn.started","index":1.5}`, `{"type":7,"index":0}`,
		`{"type":"turn.started","index":0,"at":"yesterday"}`, `{"type":"turn.started","index":0,"data":{"model":7}}`,
		`{"type":"turn.started","index":0,"data":[]}`, `{"type":"turn.started","index":0}{}`,
	} {
		if e, err := Decode([]byte(line)); err == nil {
			t.Errorf("%s gave %+v", line, e)
		}
	}
}

func TestTypeOf(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"type":"turn.started","index":0}`:   "turn.started",
		`{ "index":0, "type":"turn.started"}`: "turn.started",
		`{"type":"turn\u002estarted"}`:        "turn.started",
		`{"type":""}`:                         "",
		`{"type":"`:                           "",
		"":                                    "",
		"null":                                "",
	} {
		if got := TypeOf([]byte(line)); got != want {
			t.Errorf("%s has the type %q, want %q", line, got, want)
		}
	}
}

// "a log that holds unknown types or fields streams them unchanged", also where it is
// copied to another place.
func TestDecodeExact(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{"text":"a","from":"user","later":{"z":1.50,"a":[1e3]}}`, `{ "from" : "user" }`, `{"text":"\u0041<&>","from":"\ud83d\ude00"}`,
	} {
		for _, typ := range []string{"message.received", "later.kind"} {
			line := func(index, id string) string {
				return `{"type":"` + typ + `","index":` + index + `,"sessionId":"` + id + `","turnId":"turn_1","at":"2026-07-01T12:00:00.999Z","data":` + data + `}`
			}
			e, err := DecodeExact([]byte(line("3", "ses_1")))
			if err != nil {
				t.Fatal(err)
			}
			e.Index, e.SessionID = 4, "ses_2"
			got, err := AppendLine(nil, e)
			if want := line("4", "ses_2"); err != nil || string(got) != want {
				t.Errorf("%s, %v\nwant %s", got, err, want)
			}
		}
	}
	if _, err := DecodeExact([]byte("{")); err == nil {
		t.Error("half a line was read")
	}
}

package journaltest

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// nasty is text that broke lines elsewhere.
var nasty = []string{
	"", "\n", "a\nb", "a\r\nb", "\x00", "a\x00b", "\u2028", "\u2029", "\u0085", "\ufeff", "\x1b]0;x\x07",
	"\xff", "a\xc3", "\xed\xa0\xbd", "\xf0\x9f", "😀", "👩‍👩‍👧‍👦", "e\u0301", "\"}\n{\"type\":\"x\"", "</script>", "\\", "\\n", "\\u2028", "\U0010ffff",
}

// "One NDJSON line = one complete JSON object ending in \n, whatever text it
// carries (newline, U+2028, NUL, 5 MB, invalid UTF-8)."
func testLines(t *testing.T, b *bench) {
	all := append(nasty[:len(nasty):len(nasty)], strings.Repeat("x", 5<<20)+"\n\u2028\xff")
	for i, s := range all {
		raw, err := json.Marshal(s)
		b.ok(err)
		if s != "\\u2028" {
			raw = bytes.ReplaceAll(raw, []byte(`\u2028`), []byte("\u2028")) // as a tool may write it
		}
		b.put("ses_a", uint64(2*i), events.New("", at, &events.MessageReceived{Text: s, From: events.FromUser}),
			events.New("", at, &events.ActionResult{CallID: "c", ToolName: "t", Output: raw}))
	}
	for range 2 {
		lines := b.dump("ses_a")
		for i, l := range lines {
			CheckLine(t, l.Data)
			e, err := events.Decode(l.Data)
			b.ok(err)
			text := textOf(t, e)
			if want := strings.ToValidUTF8(all[i/2], "\ufffd"); utf8.ValidString(all[i/2]) && text != want {
				t.Errorf("line %d says %.100q, want %.100q", i, text, want)
			}
		}
		checkStream(t, b, lines)
		b.reopen()
	}
}

func textOf(t *testing.T, e *events.Event) (s string) {
	t.Helper()
	switch d := e.Data.(type) {
	case *events.MessageReceived:
		return d.Text
	case *events.ActionResult:
		if err := json.Unmarshal(d.Output, &s); err != nil {
			t.Error(err)
		}
	}
	return s
}

// checkStream reads the log as a client does: as lines of a body.
func checkStream(t *testing.T, b *bench, lines []journal.Line) {
	t.Helper()
	followed, err := b.follow(context.Background(), "ses_a", 0, len(lines))
	b.ok(err)
	var body bytes.Buffer
	for _, l := range followed {
		body.Write(l.Data)
		body.WriteByte('\n')
	}
	got := bytes.Split(bytes.TrimSuffix(body.Bytes(), []byte("\n")), []byte("\n"))
	if len(got) != len(lines) {
		t.Fatalf("%d events became %d lines", len(lines), len(got))
	}
}

// CheckLine says whether a line is one whole JSON object in valid UTF-8, which no
// reader of lines can take for two.
func CheckLine(t testing.TB, line []byte) {
	t.Helper()
	if !json.Valid(line) || line[0] != '{' {
		t.Errorf("no JSON object: %.200q", line)
	}
	if !utf8.Valid(line) {
		t.Errorf("not UTF-8: %.200q", line)
	}
	for _, c := range []string{"\n", "\r", "\u2028", "\u2029"} {
		if bytes.Contains(line, []byte(c)) {
			t.Errorf("the line holds %q: %.200q", c, line)
		}
	}
}

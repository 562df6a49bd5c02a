package actors

import (
	"encoding/json"
	"testing"
)

// A line with half a character is refused by many readers; a whole one, and text that
// only looks like an escape, stay as they are (C46).
func TestWellFormed(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":1}`:                   `{"a":1}`,
		`"\ud83d"`:                  `"\ufffd"`,
		`"\uDE00 and \ud83d\ud83d"`: `"\ufffd and \ufffd\ufffd"`,
		`"\ud83d\ude00"`:            `"\ud83d\ude00"`,
		`"\ud83d\u0041"`:            `"\ufffd\u0041"`,
		`"\\ud83d"`:                 `"\\ud83d"`,
		`"\\\ud83d"`:                `"\\\ufffd"`,
		`"\u00e9\ud83d` + "\\\"\"":  `"\u00e9\ufffd\""`,
		`"🙂\ud83d"`:                 `"🙂\ufffd"`,
	} {
		if got := wellFormed(json.RawMessage(in)); string(got) != want || !json.Valid(got) {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

package harness

import (
	"strconv"
	"strings"
	"testing"
)

// An edit is what package strings makes of it, and its answer names the line.
func FuzzEdit(f *testing.F) {
	f.Add("one\ntwo\ntwo\n", "two", "2", true)
	f.Add("a\r\nb", "a\nb", "c", false)
	f.Add("aaa", "aa", "a", false)
	f.Add("\xff\n\xfe", "\xfe", "", false)
	f.Fuzz(func(t *testing.T, text, old, new string, all bool) {
		if old == "" || old == new {
			return
		}
		n := strings.Count(text, old)
		got, answer, err := replace("f", []byte(text), &editInput{Old: old, New: new, ReplaceAll: all})
		if ok := n == 1 || n > 1 && all; ok != (err == nil) {
			t.Fatalf("%q is there %d times: %v", old, n, err)
		}
		if err != nil {
			return
		}
		if want := strings.ReplaceAll(text, old, new); string(got) != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		line := 1 + strings.Count(text[:strings.Index(text, old)], "\n")
		if !strings.Contains(answer, "at line "+strconv.Itoa(line)) {
			t.Fatalf("%q does not name line %d", answer, line)
		}
	})
}

package projections

import (
	"strings"
	"time"
	"unicode/utf8"
)

// valid gives s as the log holds it. An event that comes from memory still has the
// bytes that its recorder gave; the log's encoder replaces each invalid one by
// U+FFFD, and a row must not tell from where its event came.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// cut gives at most n characters of s, as a string of its own, so that a row in
// memory does not keep a long text alive.
func cut(s string, n int) string {
	s = valid(s)
	for i := range s {
		if n == 0 {
			return strings.Clone(s[:i])
		}
		n--
	}
	return s
}

// instant gives t as the log holds it: UTC, to the millisecond.
func instant(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

package harness

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// cutEnd gives up to n bytes of the beginning, cutStart of the end: never half a character.
func cutEnd(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func cutStart(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := len(s) - n
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}

// valid makes bytes of a file text.
func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// sniffed is how much of a file is looked at to tell text from other contents.
const sniffed = 8 << 10

// binary says whether contents that begin like this are no text.
func binary(begin []byte) bool { return bytes.IndexByte(begin[:min(len(begin), sniffed)], 0) >= 0 }

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}

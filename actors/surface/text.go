package surface

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Cut gives at most n bytes of a text, without half of a character.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// OneLine makes a line of a text that somebody else wrote, of at most n bytes.
func OneLine(s string, n int) string {
	const more = "…"
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return Cut(s, n-len(more)) + more
}

// Fenced puts a text that somebody else wrote between fences that it cannot close.
func Fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(s, "\r\n") + "\n" + fence
}

// Digest is a short name for a long one. Nobody can guess it who does not know that.
func Digest(key string) string {
	h := sha256.Sum256([]byte(key))
	return hex.EncodeToString(h[:8])
}

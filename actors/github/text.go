package github

import (
	"strings"
	"unicode/utf8"
)

// cutText gives at most n bytes of a text, without half of a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// oneLine makes a line of a text that somebody else wrote, of at most n bytes.
func oneLine(s string, n int) string {
	const more = "…"
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return cutText(s, n-len(more)) + more
}

// fenced puts a text that somebody else wrote between fences that it cannot close.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(s, "\r\n") + "\n" + fence
}

package projections

import "strings"

// name is what lists call a session: its title, or what was said last in it, without the
// marks of Markdown. It is empty where they show its id. The playground's label.ts does the
// same; its testdata/names.json holds both.
func name(title, lastMessage string) string {
	if t := oneLine(title); t != "" {
		return t
	}
	return oneLine(plain(lastMessage))
}

// oneLine is a text as a list shows it.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, white), " ") }

// plain is a text without what Markdown puts around its words.
func plain(s string) string {
	if !strings.ContainsAny(s, "#>-*+`") {
		return s
	}
	var b strings.Builder
	rest := []rune(s)
	for begins := true; len(rest) > 0; {
		n := 0
		if begins {
			n = mark(rest)
		}
		if n == 0 {
			n = 1
			b.WriteRune(rest[0])
		}
		begins = newLine(rest[n-1])
		rest = rest[n:]
	}
	return strings.ReplaceAll(strings.ReplaceAll(b.String(), "**", ""), "`", "")
}

// mark is how long the mark of a heading, a quotation or a list is at the beginning of a
// line, with the space around it; 0 where there is none.
func mark(line []rune) int {
	at := spaces(line)
	from := at
	for at < len(line) && at-from < 6 && line[at] == '#' {
		at++
	}
	if at == from && at < len(line) && strings.ContainsRune(">-*+", line[at]) {
		at++
	}
	after := spaces(line[at:])
	if at == from || after == 0 {
		return 0
	}
	return at + after
}

func spaces(s []rune) int {
	n := 0
	for n < len(s) && white(s[n]) {
		n++
	}
	return n
}

// white says what JavaScript takes for white space.
func white(r rune) bool {
	switch r {
	case '\t', '\v', '\f', ' ', 0xa0, 0x1680, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return newLine(r) || 0x2000 <= r && r <= 0x200a
}

// newLine says after what a line begins in JavaScript.
func newLine(r rune) bool { return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029 }

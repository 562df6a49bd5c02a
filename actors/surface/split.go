package surface

import "strings"

// cutNote ends a text that is longer than all its parts may be.
const cutNote = "\n\n(The reply is longer than this; the rest was left out.)"

// Split cuts a text into parts of at most size bytes, between paragraphs where it can
// and else between lines. A block of code that a cut goes through is closed and opened
// again. There are at most most parts.
func Split(text string, size, most int) []string {
	text = strings.TrimSpace(text)
	var parts []string
	fence := ""
	for text != "" {
		if len(parts) == most {
			parts[most-1] += cutNote
			break
		}
		open := fence
		room := size - len(open) - len("\n")
		if len(text) <= room {
			parts = append(parts, open+text)
			break
		}
		at := cutPlace(text, room-maxFence)
		part := open + strings.TrimRight(text[:at], "\n")
		fence = openFence(part)
		if fence != "" {
			part += "\n" + FenceMark(fence)
			fence += "\n"
		}
		parts, text = append(parts, part), strings.TrimLeft(text[at:], "\n")
	}
	return parts
}

// maxFence is room for closing a block of code.
const maxFence = 200

// cutPlace is where to cut a text that is longer than n bytes.
func cutPlace(text string, n int) int {
	head := Cut(text, n)
	for _, between := range []string{"\n\n", "\n", " "} {
		if i := strings.LastIndex(head, between); i > n/2 {
			return i + len(between)
		}
	}
	return len(head)
}

// openFence is the line that opened a block of code which a text leaves open; empty
// where there is none, and where it is too long to be one.
func openFence(text string) string {
	open := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		mark := FenceMark(bare)
		switch {
		case open == "" && mark != "" && len(bare) < maxFence/2:
			open = bare
		case open != "" && strings.HasPrefix(mark, FenceMark(open)) && strings.Trim(bare, mark[:1]) == "":
			open = ""
		}
	}
	return open
}

// FenceMark is the row of ``` or ~~~ that a line begins with.
func FenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

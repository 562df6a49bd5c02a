package agent

import (
	"slices"
	"strings"
)

// A block is what stands between two fences of a Markdown text.
type block struct {
	inside string
	// marked says that it is marked as JSON.
	marked bool
}

// fenced lists the blocks that may hold a result, the last first: those marked as
// JSON, and those without a mark. An open one ends with the text.
func fenced(text string) (blocks []block) {
	var b block
	open, wanted := "", false
	for line := range strings.Lines(text) {
		mark, info := fenceOf(line)
		switch {
		case open == "" && mark != "":
			b = block{marked: strings.HasPrefix(strings.ToLower(info), "json")}
			open, wanted = mark, b.marked || info == ""
		case open != "" && info == "" && strings.HasPrefix(mark, open):
			if open = ""; wanted {
				blocks = append(blocks, b)
			}
		case open != "":
			b.inside += line
		}
	}
	if open != "" && wanted {
		blocks = append(blocks, b)
	}
	slices.Reverse(blocks)
	return blocks
}

// fenceOf gives the mark of a line that is a fence, ``` or ~~~ or longer, and what
// stands behind it.
func fenceOf(line string) (mark, info string) {
	line = strings.TrimSpace(line)
	for _, c := range []string{"`", "~"} {
		info := strings.TrimLeft(line, c)
		if n := len(line) - len(info); n >= 3 && (c == "~" || !strings.Contains(info, c)) {
			return line[:n], strings.TrimSpace(info)
		}
	}
	return "", ""
}

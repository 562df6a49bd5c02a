package markdown

import "strings"

// pieces cuts a long text at empty lines, outside of fenced code, into parts that can be
// read one by one. A short one stays whole, and so does what has no such line.
func pieces(source string) []string {
	if len(source) <= maxPiece {
		return []string{source}
	}
	var list []string
	start, cut, at := 0, 0, 0 // cut is the last place where the text may be cut
	fence := ""
	for line := range strings.Lines(source) {
		if at+len(line)-start > maxPiece && cut > start {
			list = append(list, source[start:cut])
			start = cut
		}
		at += len(line)
		fence = fenceAfter(fence, line)
		if fence == "" && strings.TrimSpace(line) == "" {
			cut = at
		}
	}
	return append(list, source[start:])
}

// fenceAfter gives what opened the fenced code that stands open after a line.
func fenceAfter(fence, line string) string {
	mark := strings.TrimSpace(line)
	if fence != "" {
		if strings.HasPrefix(mark, fence) && strings.Trim(mark, fence[:1]) == "" {
			return ""
		}
		return fence
	}
	for _, c := range []string{"`", "~"} {
		if rest := strings.TrimLeft(mark, c); len(mark)-len(rest) >= 3 {
			return mark[:len(mark)-len(rest)]
		}
	}
	return ""
}

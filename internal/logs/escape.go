package logs

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxField is the most bytes of one field that are kept.
const maxField = 2048

// hidden says whether a character would move a terminal's cursor, change what
// stands around it, or be there without being seen.
func hidden(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0x00ad:
		return true
	case r >= 0x200b && r <= 0x200f && r != 0x200d: // zero width, except the joiner of emoji
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069: // directions, invisible operators
		return true
	}
	return unicode.Is(unicode.Co, r) || r >= 0xe0000 && r <= 0xe007f // private use, tags
}

// Visible writes what cannot be seen in s as an escape, so that s can do nothing
// to a terminal but be read. The characters of keep stay, such as "\n\t".
func Visible(s, keep string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || hidden(r) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// capText cuts a text that is too long, on a character.
func capText(s string) string {
	if len(s) <= maxField {
		return s
	}
	end := maxField
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d more bytes)", s[:end], len(s)-end)
}

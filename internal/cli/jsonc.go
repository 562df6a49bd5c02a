package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A place is where a member of an object is in a text of JSON with comments, or
// where it would be put.
type place struct {
	found bool
	// at and end are those of the value.
	at, end int
	// open is behind the object's brace, empty says that nothing is in the object.
	open  int
	empty bool
	// indent stands before the members.
	indent string
}

// memberOf looks for a member of the object that begins at an offset; white space
// and comments may stand before it.
func memberOf(text string, from int, key string) (place, error) {
	s := &jsonc{text: text, i: from}
	s.space()
	if s.peek() != '{' {
		return place{}, s.fault("an object is expected here")
	}
	s.i++
	p := place{open: s.i, empty: true}
	for {
		p.indent = s.indentHere(p.indent)
		s.space()
		if s.peek() == '}' {
			return p, nil
		}
		name, err := s.name()
		if err != nil {
			return place{}, err
		}
		p.empty = false
		at := s.i
		if err := s.skip(); err != nil {
			return place{}, err
		}
		if name == key {
			p.found, p.at, p.end = true, at, s.i
			return p, nil
		}
		s.space()
		if s.peek() == ',' {
			s.i++
		}
	}
}

// insert puts a member first in the object.
func (p place) insert(text, member string) string {
	indent := p.indent
	if indent == "" {
		line := text[strings.LastIndex(text[:p.open], "\n")+1 : p.open]
		indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))] + "  "
	}
	after := ","
	if p.empty {
		after = "\n" + strings.TrimSuffix(indent, "  ")
		if rest := strings.TrimLeft(text[p.open:], " \t"); strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n") {
			after = ""
		}
	}
	return text[:p.open] + "\n" + indent + member + after + text[p.open:]
}

// jsonc walks over JSON with comments and trailing commas.
type jsonc struct {
	text string
	i    int
}

func (s *jsonc) fault(message string) error {
	line := strings.Count(s.text[:min(s.i, len(s.text))], "\n") + 1
	return fmt.Errorf("line %d: %s", line, message)
}

func (s *jsonc) peek() byte {
	if s.i < len(s.text) {
		return s.text[s.i]
	}
	return 0
}

// space goes over white space and comments.
func (s *jsonc) space() {
	for s.i < len(s.text) {
		rest := s.text[s.i:]
		switch {
		case strings.ContainsRune(" \t\r\n\uFEFF", rune(rest[0])):
			s.i++
		case strings.HasPrefix(rest, "\uFEFF"):
			s.i += len("\uFEFF")
		case strings.HasPrefix(rest, "//"):
			s.i += cutAt(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			s.i += cutAt(rest, "*/")
		default:
			return
		}
	}
}

// cutAt is how long a text is up to the end of what ends it.
func cutAt(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// indentHere is what stands before the next member, when that has a line of its own.
func (s *jsonc) indentHere(before string) string {
	rest := s.text[s.i:]
	trimmed := strings.TrimLeft(rest, " \t\r\n")
	white := rest[:len(rest)-len(trimmed)]
	if n := strings.LastIndex(white, "\n"); n >= 0 && trimmed != "" && trimmed[0] != '}' {
		return white[n+1:]
	}
	return before
}

// name reads a key and its colon.
func (s *jsonc) name() (string, error) {
	at := s.i
	if s.peek() != '"' {
		return "", s.fault("a name in quotes is expected here")
	}
	if err := s.skip(); err != nil {
		return "", err
	}
	var name string
	if err := json.Unmarshal([]byte(s.text[at:s.i]), &name); err != nil {
		return "", s.fault("the name cannot be read")
	}
	s.space()
	if s.peek() != ':' {
		return "", s.fault("a colon is expected here")
	}
	s.i++
	s.space()
	return name, nil
}

var errUnclosed = errors.New("it ends inside a value")

// skip goes over one value.
func (s *jsonc) skip() error {
	for depth := 0; s.i < len(s.text); {
		s.space()
		switch c := s.peek(); c {
		case 0:
			return errUnclosed
		case '{', '[':
			depth++
			s.i++
		case '}', ']':
			depth--
			s.i++
		case '"':
			if !s.quoted() {
				return errUnclosed
			}
		case ',', ':':
			s.i++
		default:
			s.i++
			for s.i < len(s.text) && !strings.ContainsRune(",:]}/ \t\r\n", rune(s.text[s.i])) {
				s.i++
			}
		}
		if depth <= 0 {
			return nil
		}
	}
	return errUnclosed
}

// quoted goes over a text; false when it does not end.
func (s *jsonc) quoted() bool {
	for s.i++; s.i < len(s.text); s.i++ {
		switch s.text[s.i] {
		case '\\':
			s.i++
		case '"':
			s.i++
			return true
		}
	}
	return false
}

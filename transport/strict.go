package transport

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A member is one key of an object with its value as it was sent.
type member struct {
	key   string
	value []byte
}

// A fault says where and why a text is not what the contract takes. Its path is
// built from the inside out while the scanner unwinds.
type fault struct {
	path    string
	message string
}

// in puts the fault into what stands around it.
func (f *fault) in(step string) *fault {
	if f != nil {
		f.path = joinPath(step, f.path)
	}
	return f
}

// scanObject reads one JSON object strictly and gives its members in order. It
// takes the grammar of RFC 8259 alone, valid UTF-8, each key once in its object,
// at most depth levels and nothing after the end. The values are parts of b.
func scanObject(b []byte, depth int) ([]member, *fault) {
	if !utf8.Valid(b) {
		return nil, &fault{message: "the body is not valid UTF-8"}
	}
	if bytes.HasPrefix(b, []byte("\uFEFF")) {
		return nil, &fault{message: "the body begins with a byte order mark (BOM), which JSON has not: send it without"}
	}
	s := &scanner{b: b, most: depth}
	s.space()
	if s.peek() != '{' {
		return nil, &fault{message: "the body must be a JSON object"}
	}
	if f := s.object(); f != nil {
		return nil, f
	}
	s.space()
	if s.i < len(b) {
		return nil, s.bad("something follows the object")
	}
	return s.top, nil
}

// tooDeep says whether objects and arrays of a text lie deeper in each other than depth.
// What else is wrong with the text does not matter here.
func tooDeep(b []byte, depth int) bool {
	level, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if level++; level > depth {
				return true
			}
		case c == '}' || c == ']':
			level--
		}
	}
	return false
}

// scanner walks over a JSON text.
type scanner struct {
	b     []byte
	i     int
	depth int
	most  int // levels
	// top are the members of the outermost object.
	top []member
}

func (s *scanner) bad(format string, args ...any) *fault {
	return &fault{message: fmt.Sprintf("byte %d: ", s.i) + fmt.Sprintf(format, args...)}
}

// peek gives the next byte, 0 at the end. A 0 in the text is no JSON either.
func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) value() *fault {
	switch c := s.peek(); {
	case c == '"':
		_, f := s.text()
		return f
	case c == '{':
		return s.object()
	case c == '[':
		return s.array()
	case c == '-' || isDigit(c):
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return s.bad("a value is expected here")
}

func (s *scanner) enter() *fault {
	if s.depth++; s.depth > s.most {
		return s.bad("more than %d levels of objects and arrays", s.most)
	}
	s.i++
	s.space()
	return nil
}

func (s *scanner) leave() {
	s.depth--
	s.i++
}

func (s *scanner) object() *fault {
	if f := s.enter(); f != nil {
		return f
	}
	outermost := s.depth == 1
	var keys keySet
	for first := true; ; first = false {
		if s.peek() == '}' && first {
			s.leave()
			return nil
		}
		key, f := s.key(&keys)
		if f != nil {
			return f
		}
		start := s.i
		if f := s.value(); f != nil {
			return f.in(pathStep(key))
		}
		if outermost {
			s.top = append(s.top, member{key, s.b[start:s.i]})
		}
		switch s.space(); s.peek() {
		case ',':
			s.i++
			s.space()
		case '}':
			s.leave()
			return nil
		default:
			return s.bad("a comma or } is expected here")
		}
	}
}

// key reads a key, its colon and the space after it.
func (s *scanner) key(keys *keySet) (string, *fault) {
	if s.peek() != '"' {
		return "", s.bad("a key in quotes is expected here")
	}
	raw, f := s.text()
	if f != nil {
		return "", f
	}
	key, lone := unquote(raw)
	if lone {
		return "", s.bad("a key has half of a surrogate pair")
	}
	if !keys.add(key) {
		return "", &fault{path: pathStep(key), message: "the key is there twice"}
	}
	s.space()
	if s.peek() != ':' {
		return "", s.bad("a colon is expected here")
	}
	s.i++
	s.space()
	return key, nil
}

func (s *scanner) array() *fault {
	if f := s.enter(); f != nil {
		return f
	}
	if s.peek() == ']' {
		s.leave()
		return nil
	}
	for n := 0; ; n++ {
		if f := s.value(); f != nil {
			return f.in(fmt.Sprintf("[%d]", n))
		}
		switch s.space(); s.peek() {
		case ',':
			s.i++
			s.space()
		case ']':
			s.leave()
			return nil
		default:
			return s.bad("a comma or ] is expected here")
		}
	}
}

func (s *scanner) word(w string) *fault {
	if !bytes.HasPrefix(s.b[s.i:], []byte(w)) {
		return s.bad("a value is expected here")
	}
	s.i += len(w)
	return nil
}

func (s *scanner) number() *fault {
	if s.peek() == '-' {
		s.i++
	}
	if s.peek() == '0' {
		s.i++
	} else if !s.digits() {
		return s.bad("a digit is expected here")
	}
	if s.peek() == '.' {
		if s.i++; !s.digits() {
			return s.bad("a digit is expected here")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.i++
		if c := s.peek(); c == '+' || c == '-' {
			s.i++
		}
		if !s.digits() {
			return s.bad("a digit is expected here")
		}
	}
	return nil
}

func (s *scanner) digits() bool {
	start := s.i
	for isDigit(s.peek()) {
		s.i++
	}
	return s.i > start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// keySet holds the keys of one object; few are compared, many are looked up.
type keySet struct {
	few  []string
	many map[string]struct{}
}

// add gives false for a key that is there.
func (k *keySet) add(key string) bool {
	if k.many != nil {
		_, ok := k.many[key]
		k.many[key] = struct{}{}
		return !ok
	}
	for _, other := range k.few {
		if other == key {
			return false
		}
	}
	if k.few = append(k.few, key); len(k.few) > 16 {
		k.many = make(map[string]struct{}, 2*len(k.few))
		for _, key := range k.few {
			k.many[key] = struct{}{}
		}
	}
	return true
}

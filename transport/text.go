package transport

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string and gives what stands between its quotes.
func (s *scanner) text() ([]byte, *fault) {
	s.i++
	start := s.i
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return s.b[start : s.i-1], nil
		case c < 0x20:
			return nil, s.bad("a control character in a string must be escaped")
		case c == '\\':
			if f := s.escape(); f != nil {
				return nil, f
			}
		default:
			s.i++
		}
	}
	return nil, s.bad("the text ends inside a string")
}

func (s *scanner) escape() *fault {
	rest := s.b[s.i+1:]
	switch {
	case len(rest) == 0:
		return s.bad("the text ends inside a string")
	case bytes.IndexByte([]byte(`"\/bfnrt`), rest[0]) >= 0:
		s.i += 2
		return nil
	case rest[0] == 'u' && len(rest) >= 5 && isHex(rest[1:5]):
		s.i += 6
		return nil
	}
	return s.bad("an unknown escape in a string")
}

func isHex(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// unquote resolves the escapes of a string that was scanned. Half of a surrogate
// pair becomes U+FFFD, and lone says that there was one.
func unquote(raw []byte) (text string, lone bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), false
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		if raw[i+1] != 'u' {
			out = append(out, unescape(raw[i+1]))
			i += 2
			continue
		}
		r := hexRune(raw[i+2:])
		i += 6
		if utf16.IsSurrogate(r) {
			second := rune(0)
			if i+6 <= len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
				second = hexRune(raw[i+2:])
			}
			if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
				lone = true
			} else {
				i += 6
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out), lone
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// hexRune reads four hexadecimal digits.
func hexRune(b []byte) rune {
	n, _ := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n)
}

package project

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gobdk/bdk/internal/plainfile"
)

// A source is a TypeScript file in which the places of fields are looked up.
// Places are found by reading the text, not by parsing it: a wrong one costs a
// reader a glance and nothing else.
type source struct {
	file   string
	text   []byte
	masked string
	// start is where the part begins that this source is about; 0: at the default export.
	start int
}

// openSource reads a file of the project; one that cannot be read has no places.
func openSource(dir, file string) *source {
	text, err := plainfile.Read(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return &source{file: file}
	}
	return &source{file: file, text: text, masked: mask(string(text))}
}

var exportDefault = regexp.MustCompile(`\bexport\s+default\b`)

// export is the place of the default export, else the top of the file.
func (s *source) export() place {
	if s.start > 0 {
		return s.at(s.start)
	}
	at := exportDefault.FindStringIndex(s.masked)
	if at == nil {
		return top(s.file)
	}
	return s.at(at[0])
}

// field is the place of a field, given by the names of those that it lies in and
// its own, else that of the nearest field above it.
func (s *source) field(path ...string) place {
	found, from := s.export(), s.start
	if at := exportDefault.FindStringIndex(s.masked); at != nil && s.start == 0 {
		from = at[1]
	}
	for _, part := range path {
		offset, ok := s.key(part, from)
		if !ok && from > 0 && s.start == 0 {
			offset, ok = s.key(part, 0)
		}
		if !ok {
			break
		}
		found, from = s.at(offset), offset+len(part)
	}
	return found
}

// key finds a name that stands where a key may stand.
func (s *source) key(name string, from int) (int, bool) {
	form := regexp.MustCompile(`(?:^|[{,\s])(` + regexp.QuoteMeta(name) + `)\s*[:(,}]`)
	m := form.FindStringSubmatchIndex(s.masked[from:])
	if m == nil {
		return 0, false
	}
	return from + m[2], true
}

var routeCall = regexp.MustCompile(`\b(?:GET|POST|PUT|PATCH|DELETE)\s*\(`)

// route is the part of a channel's file that has the route of a number, else the
// field that has them all.
func (s *source) route(n int) *source {
	part := *s
	part.start, _ = s.key("routes", 0)
	calls := routeCall.FindAllStringIndex(s.masked, -1)
	if n < len(calls) {
		part.start = calls[n][0]
	}
	return &part
}

// literal gives the offset of the text of a string that is the value of a key.
func (s *source) literal(key, text string) (int, bool) {
	from := 0
	if at := exportDefault.FindStringIndex(s.masked); at != nil {
		from = at[1]
	}
	offset, ok := s.key(key, from)
	if !ok {
		return 0, false
	}
	rest := string(s.text[offset+len(key):])
	for _, quote := range []string{`"`, "'", "`"} {
		if i := strings.Index(rest, quote+text+quote); i >= 0 && strings.Trim(rest[:i], ": \t\r\n\"'") == "" {
			return offset + len(key) + i + 1, true
		}
	}
	return 0, false
}

func (s *source) at(offset int) place {
	line, column := position(s.text, offset)
	return place{s.file, line, column}
}

// mask blanks comments, template literals and strings, except strings that are
// keys, and keeps every offset.
func mask(text string) string {
	m := &masker{in: text, out: []byte(text)}
	for m.at < len(m.in) {
		switch rest := m.in[m.at:]; {
		case strings.HasPrefix(rest, "//"):
			m.blank(until(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			m.blank(until(rest, "*/"))
		case rest[0] == '`':
			m.blank(quoted(rest))
		case rest[0] == '"' || rest[0] == '\'':
			m.quoted(quoted(rest))
		default:
			m.at++
		}
	}
	return string(m.out)
}

type masker struct {
	in  string
	out []byte
	at  int
}

func (m *masker) blank(n int) {
	for i := m.at; i < m.at+n; i++ {
		if m.out[i] != '\n' {
			m.out[i] = ' '
		}
	}
	m.at += n
}

// quoted blanks a string; of a key it blanks the quotes alone.
func (m *masker) quoted(n int) {
	after := strings.TrimLeft(m.in[m.at+n:], " \t")
	if !strings.HasPrefix(after, ":") && !strings.HasPrefix(after, "(") {
		m.blank(n)
		return
	}
	m.out[m.at], m.out[m.at+n-1] = ' ', ' '
	m.at += n
}

func until(s, end string) int {
	if i := strings.Index(s[2:], end); i >= 0 {
		return i + 2 + len(end)
	}
	return len(s)
}

// quoted is the length of the string or template at the start of s.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && s[0] != '`':
			return i
		}
	}
	return len(s)
}

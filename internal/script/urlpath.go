package script

import "strings"

// The second half of the URL parser: files, paths, queries and fragments.

func (p *urlParser) file(c rune) stepped {
	p.u.scheme = "file"
	p.u.host = new(string)
	switch {
	case c == '/' || c == '\\':
		return p.to(stateFileSlash)
	case p.base == nil || p.base.scheme != "file":
		return p.back(statePath)
	}
	p.u.host, p.u.path, p.u.query = p.base.host, append([]string(nil), p.base.path...), p.base.query
	switch c {
	case '?':
		p.u.query = new(string)
		return p.to(stateQuery)
	case '#':
		p.u.fragment = new(string)
		return p.to(stateFragment)
	case eof:
		return goOn
	}
	p.u.query = nil
	if startsWithDrive(string(c) + p.rest()) {
		p.u.path = nil
	} else {
		p.shorten()
	}
	return p.back(statePath)
}

func (p *urlParser) fileSlash(c rune) stepped {
	if c == '/' || c == '\\' {
		return p.to(stateFileHost)
	}
	if p.base != nil && p.base.scheme == "file" {
		p.u.host = p.base.host
		rest := p.rest()
		if c != eof {
			rest = string(c) + rest
		}
		if !startsWithDrive(rest) && len(p.base.path) > 0 && isDrive(p.base.path[0]) {
			p.u.path = append(p.u.path, p.base.path[0])
		}
	}
	return p.back(statePath)
}

func (p *urlParser) fileHost(c rune) stepped {
	if c != eof && c != '/' && c != '\\' && c != '?' && c != '#' {
		p.buf.WriteRune(c)
		return goOn
	}
	p.at--
	text := p.buf.String()
	switch {
	case !p.overridden && isDrive(text):
		return p.to(statePath) // the buffer is the first segment
	case text == "":
		p.u.host = new(string)
	default:
		h, ok := parseHost(p.take(), !p.u.special())
		if !ok {
			return failed
		}
		if h == "localhost" {
			h = ""
		}
		p.u.host = &h
	}
	if p.overridden {
		return finished
	}
	return p.to(statePathStart)
}

func (p *urlParser) pathStart(c rune) stepped {
	switch {
	case p.u.special():
		p.state = statePath
		if c != '/' && c != '\\' {
			p.at--
		}
	case !p.overridden && c == '?':
		p.u.query = new(string)
		p.state = stateQuery
	case !p.overridden && c == '#':
		p.u.fragment = new(string)
		p.state = stateFragment
	case c != eof:
		p.state = statePath
		if c != '/' {
			p.at--
		}
	case p.overridden && p.u.host == nil:
		p.u.path = append(p.u.path, "")
	}
	return goOn
}

func (p *urlParser) path(c rune) stepped {
	slash := c == '/' || p.u.special() && c == '\\'
	if c != eof && !slash && (p.overridden || c != '?' && c != '#') {
		p.buf.WriteString(percentEncode(string(c), inPath))
		return goOn
	}
	p.segment(p.take(), slash)
	switch c {
	case '?':
		p.u.query = new(string)
		p.state = stateQuery
	case '#':
		p.u.fragment = new(string)
		p.state = stateFragment
	}
	return goOn
}

// segment ends one part of the path; dots are taken out as it goes.
func (p *urlParser) segment(text string, slash bool) {
	switch strings.ReplaceAll(strings.ToLower(text), "%2e", ".") {
	case "..":
		p.shorten()
		if !slash {
			p.u.path = append(p.u.path, "")
		}
		return
	case ".":
		if !slash {
			p.u.path = append(p.u.path, "")
		}
		return
	}
	if p.u.scheme == "file" && len(p.u.path) == 0 && isDrive(text) {
		text = text[:1] + ":"
	}
	p.u.path = append(p.u.path, text)
}

// shorten takes the last segment away, but never a drive's letter.
func (p *urlParser) shorten() {
	path := p.u.path
	if p.u.scheme == "file" && len(path) == 1 && len(path[0]) == 2 && isDrive(path[0]) && path[0][1] == ':' {
		return
	}
	if len(path) > 0 {
		p.u.path = path[:len(path)-1]
	}
}

func (p *urlParser) opaquePath(c rune) stepped {
	switch c {
	case '?':
		p.u.query = new(string)
		p.state = stateQuery
	case '#':
		p.u.fragment = new(string)
		p.state = stateFragment
	case eof:
	default:
		*p.u.opaque += percentEncode(string(c), inControl)
	}
	return goOn
}

func (p *urlParser) query(c rune) stepped {
	if c != eof && (p.overridden || c != '#') {
		p.buf.WriteRune(c)
		return goOn
	}
	set := inQuery
	if p.u.special() {
		set = inSpecialQuery
	}
	*p.u.query += percentEncode(p.take(), set)
	if c == '#' {
		p.u.fragment = new(string)
		p.state = stateFragment
	}
	return goOn
}

func (p *urlParser) fragment(c rune) stepped {
	if c != eof {
		*p.u.fragment += percentEncode(string(c), inFragment)
	}
	return goOn
}

// isDrive knows "C:" and "C|".
func isDrive(s string) bool {
	return len(s) == 2 && isAlpha(rune(s[0])) && (s[1] == ':' || s[1] == '|')
}

func startsWithDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || strings.ContainsRune(`/\?#`, rune(s[2])))
}

// Sets of characters that are percent-encoded besides controls and non-ASCII.
const (
	inControl      = ""
	inFragment     = " \"<>`"
	inQuery        = " \"#<>"
	inSpecialQuery = inQuery + "'"
	inPath         = inQuery + "?^`{}"
	inUserinfo     = inPath + "/:;=@[\\]|"
)

const upperHex = "0123456789ABCDEF"

// percentEncode writes bytes outside the set as they are.
func percentEncode(s, set string) string {
	var out strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c > 0x7e || strings.IndexByte(set, c) >= 0 {
			out.WriteByte('%')
			out.WriteByte(upperHex[c>>4])
			out.WriteByte(upperHex[c&15])
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

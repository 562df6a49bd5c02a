package script

import (
	"strconv"
	"strings"
)

// The states of the WHATWG URL parser.
type urlState int

const (
	stateSchemeStart urlState = iota
	stateScheme
	stateNoScheme
	stateSpecialRelativeOrAuthority
	statePathOrAuthority
	stateRelative
	stateRelativeSlash
	stateSpecialAuthoritySlashes
	stateSpecialAuthorityIgnoreSlashes
	stateAuthority
	stateHost
	stateHostname
	statePort
	stateFile
	stateFileSlash
	stateFileHost
	statePathStart
	statePath
	stateOpaquePath
	stateQuery
	stateFragment
)

// eof stands for the end of the input.
const eof rune = -1

// A urlParser walks over the input by the states of the standard.
type urlParser struct {
	in         []rune
	at         int
	u          *webURL
	base       *webURL
	state      urlState
	overridden bool
	buf        strings.Builder
	atSeen     bool
	inBrackets bool
	pwSeen     bool
}

// step results.
type stepped int

const (
	goOn stepped = iota
	failed
	finished
)

// parseURL parses a text against a base, which may be nil.
func parseURL(text string, base *webURL) (*webURL, bool) {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= 0x20 })
	p := &urlParser{in: []rune(stripBreaks(text)), u: &webURL{port: -1}, base: base}
	if !p.run() {
		return nil, false
	}
	return p.u, true
}

// override runs the parser from a state over a URL that is there already.
func override(text string, u *webURL, state urlState) {
	before := *u
	p := &urlParser{in: []rune(stripBreaks(text)), u: u, state: state, overridden: true}
	if !p.run() {
		*u = before
	}
}

func stripBreaks(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, s)
}

func (p *urlParser) run() bool {
	steps := map[urlState]func(rune) stepped{
		stateSchemeStart: p.schemeStart, stateScheme: p.scheme, stateNoScheme: p.noScheme,
		stateSpecialRelativeOrAuthority: p.specialRelativeOrAuthority, statePathOrAuthority: p.pathOrAuthority,
		stateRelative: p.relative, stateRelativeSlash: p.relativeSlash,
		stateSpecialAuthoritySlashes: p.specialAuthoritySlashes, stateSpecialAuthorityIgnoreSlashes: p.ignoreSlashes,
		stateAuthority: p.authority, stateHost: p.host, stateHostname: p.host, statePort: p.port,
		stateFile: p.file, stateFileSlash: p.fileSlash, stateFileHost: p.fileHost,
		statePathStart: p.pathStart, statePath: p.path, stateOpaquePath: p.opaquePath,
		stateQuery: p.query, stateFragment: p.fragment,
	}
	for ; p.at <= len(p.in); p.at++ {
		c := eof
		if p.at >= 0 && p.at < len(p.in) {
			c = p.in[p.at]
		}
		switch steps[p.state](c) {
		case failed:
			return false
		case finished:
			return true
		}
	}
	return true
}

// rest is what comes after the current character.
func (p *urlParser) rest() string {
	if p.at+1 >= len(p.in) {
		return ""
	}
	return string(p.in[p.at+1:])
}

// take empties the buffer.
func (p *urlParser) take() string {
	s := p.buf.String()
	p.buf.Reset()
	return s
}

func (p *urlParser) back(to urlState) stepped {
	p.state = to
	p.at--
	return goOn
}

func (p *urlParser) to(s urlState) stepped {
	p.state = s
	return goOn
}

func isAlpha(c rune) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func (p *urlParser) schemeStart(c rune) stepped {
	switch {
	case isAlpha(c):
		p.buf.WriteRune(c | 0x20)
		return p.to(stateScheme)
	case !p.overridden:
		return p.back(stateNoScheme)
	}
	return failed
}

func (p *urlParser) scheme(c rune) stepped {
	switch {
	case isAlpha(c):
		p.buf.WriteRune(c | 0x20)
		return goOn
	case isDigit(c) || c == '+' || c == '-' || c == '.':
		p.buf.WriteRune(c)
		return goOn
	case c == ':':
		return p.schemeEnd()
	case p.overridden:
		return failed
	}
	p.buf.Reset()
	p.at = -1
	return p.to(stateNoScheme)
}

func (p *urlParser) schemeEnd() stepped {
	name := p.take()
	if p.overridden {
		return p.schemeChange(name)
	}
	p.u.scheme = name
	switch {
	case name == "file":
		return p.to(stateFile)
	case p.u.special() && p.base != nil && p.base.scheme == name:
		return p.to(stateSpecialRelativeOrAuthority)
	case p.u.special():
		return p.to(stateSpecialAuthoritySlashes)
	case strings.HasPrefix(p.rest(), "/"):
		p.at++
		return p.to(statePathOrAuthority)
	}
	p.u.opaque = new(string)
	return p.to(stateOpaquePath)
}

func (p *urlParser) schemeChange(name string) stepped {
	_, special := specialPorts[name]
	if special != p.u.special() || name == "file" && (p.u.hasCredentials() || p.u.port >= 0) ||
		p.u.scheme == "file" && (p.u.host == nil || *p.u.host == "") {
		return finished
	}
	p.u.scheme = name
	if port, ok := specialPorts[name]; ok && port == p.u.port {
		p.u.port = -1
	}
	return finished
}

func (p *urlParser) noScheme(c rune) stepped {
	switch {
	case p.base == nil || p.base.opaque != nil && c != '#':
		return failed
	case p.base.opaque != nil:
		p.u.scheme, p.u.path, p.u.opaque, p.u.query = p.base.scheme, p.base.path, p.base.opaque, p.base.query
		p.u.fragment = new(string)
		return p.to(stateFragment)
	case p.base.scheme != "file":
		return p.back(stateRelative)
	}
	return p.back(stateFile)
}

func (p *urlParser) specialRelativeOrAuthority(c rune) stepped {
	if c == '/' && strings.HasPrefix(p.rest(), "/") {
		p.at++
		return p.to(stateSpecialAuthorityIgnoreSlashes)
	}
	return p.back(stateRelative)
}

func (p *urlParser) pathOrAuthority(c rune) stepped {
	if c == '/' {
		return p.to(stateAuthority)
	}
	return p.back(statePath)
}

func (p *urlParser) relative(c rune) stepped {
	p.u.scheme = p.base.scheme
	if c == '/' || p.u.special() && c == '\\' {
		return p.to(stateRelativeSlash)
	}
	b := p.base
	p.u.username, p.u.password, p.u.host, p.u.port = b.username, b.password, b.host, b.port
	p.u.path = append([]string(nil), b.path...)
	p.u.query = b.query
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
	p.shorten()
	return p.back(statePath)
}

func (p *urlParser) relativeSlash(c rune) stepped {
	switch {
	case p.u.special() && (c == '/' || c == '\\'):
		return p.to(stateSpecialAuthorityIgnoreSlashes)
	case c == '/':
		return p.to(stateAuthority)
	}
	b := p.base
	p.u.username, p.u.password, p.u.host, p.u.port = b.username, b.password, b.host, b.port
	return p.back(statePath)
}

func (p *urlParser) specialAuthoritySlashes(c rune) stepped {
	if c == '/' && strings.HasPrefix(p.rest(), "/") {
		p.at++
		return p.to(stateSpecialAuthorityIgnoreSlashes)
	}
	return p.back(stateSpecialAuthorityIgnoreSlashes)
}

func (p *urlParser) ignoreSlashes(c rune) stepped {
	if c == '/' || c == '\\' {
		return goOn
	}
	return p.back(stateAuthority)
}

// ends says that a character closes the authority.
func (p *urlParser) ends(c rune) bool {
	return c == eof || c == '/' || c == '?' || c == '#' || p.u.special() && c == '\\'
}

func (p *urlParser) authority(c rune) stepped {
	switch {
	case c == '@':
		text := p.take()
		if p.atSeen {
			text = "%40" + text
		}
		p.atSeen = true
		p.credentials(text)
		return goOn
	case p.ends(c):
		text := p.take()
		if p.atSeen && text == "" {
			return failed
		}
		p.at -= len([]rune(text)) + 1
		return p.to(stateHost)
	}
	p.buf.WriteRune(c)
	return goOn
}

func (p *urlParser) credentials(text string) {
	for _, r := range text {
		if r == ':' && !p.pwSeen {
			p.pwSeen = true
			continue
		}
		if p.pwSeen {
			p.u.password += percentEncode(string(r), inUserinfo)
		} else {
			p.u.username += percentEncode(string(r), inUserinfo)
		}
	}
}

func (p *urlParser) host(c rune) stepped {
	switch {
	case p.overridden && p.u.scheme == "file":
		return p.back(stateFileHost)
	case c == ':' && !p.inBrackets:
		if p.buf.Len() == 0 || p.overridden && p.state == stateHostname {
			return failed
		}
		return p.hostEnd(statePort)
	case p.ends(c):
		p.at--
		if p.u.special() && p.buf.Len() == 0 ||
			p.overridden && p.buf.Len() == 0 && (p.u.hasCredentials() || p.u.port >= 0) {
			return failed
		}
		return p.hostEnd(statePathStart)
	case c == '[':
		p.inBrackets = true
	case c == ']':
		p.inBrackets = false
	}
	p.buf.WriteRune(c)
	return goOn
}

func (p *urlParser) hostEnd(next urlState) stepped {
	h, ok := parseHost(p.take(), !p.u.special())
	if !ok {
		return failed
	}
	p.u.host = &h
	if p.overridden && next == statePathStart {
		return finished
	}
	return p.to(next)
}

func (p *urlParser) port(c rune) stepped {
	if isDigit(c) {
		p.buf.WriteRune(c)
		return goOn
	}
	if !p.ends(c) && !p.overridden {
		return failed
	}
	if text := p.take(); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n > 65535 {
			return failed
		}
		if p.u.port = n; specialPorts[p.u.scheme] == n && p.u.special() {
			p.u.port = -1
		}
	} else if p.overridden {
		return failed
	}
	if p.overridden {
		return finished
	}
	return p.back(statePathStart)
}

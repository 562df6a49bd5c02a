package harness

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPattern is the length of a pattern.
const maxPattern = 1000

// compile makes a regular expression of a pattern: * and ? match inside a name, **
// over several, [a-z] one character, {a,b} one of several patterns, and \ takes the
// next character as it is. What is compiled runs in time linear to the name.
func compile(pattern string) (*regexp.Regexp, error) {
	switch {
	case pattern == "":
		return nil, errors.New("the pattern is missing")
	case len(pattern) > maxPattern || !utf8.ValidString(pattern):
		return nil, fmt.Errorf("the pattern is no text of up to %d bytes", maxPattern)
	}
	if strings.HasPrefix(pattern, "/") || slices.Contains(strings.Split(pattern, "/"), "..") {
		return nil, fmt.Errorf("the pattern %q leads out of the folder; it is relative to it, and matches what lies below", pattern)
	}
	g := &globber{rest: pattern}
	g.b.WriteString(`(?s)\A`)
	if err := g.all(); err != nil {
		return nil, fmt.Errorf("the pattern %q: %w", pattern, err)
	}
	g.b.WriteString(`\z`)
	re, err := regexp.Compile(g.b.String())
	if err != nil {
		return nil, fmt.Errorf("the pattern %q cannot be used", pattern)
	}
	return re, nil
}

// A globber writes a pattern as a regular expression.
type globber struct {
	rest  string
	b     strings.Builder
	depth int // of braces
}

func (g *globber) all() error {
	start := true // of a name
	for g.rest != "" {
		wasStart := start
		start = strings.HasPrefix(g.rest, "/") || g.depth > 0 && strings.ContainsAny(g.rest[:1], "{,") && wasStart
		if err := g.next(wasStart); err != nil {
			return err
		}
	}
	if g.depth > 0 {
		return errors.New("a { is not closed")
	}
	return nil
}

// next takes one piece; start says that a name begins with it.
func (g *globber) next(start bool) error {
	switch c := g.rest[0]; {
	case start && (strings.HasPrefix(g.rest, "**/")):
		g.take(3, `(?:[^/]+/)*`)
	case start && g.rest == "**":
		g.take(2, `.*`)
	case c == '*':
		g.take(1, `[^/]*`)
	case c == '?':
		g.take(1, `[^/]`)
	case c == '[':
		return g.class()
	case c == '{':
		g.depth++
		g.take(1, `(?:`)
	case c == ',' && g.depth > 0:
		g.take(1, `|`)
	case c == '}' && g.depth > 0:
		g.depth--
		g.take(1, `)`)
	case c == '\\':
		g.rest = g.rest[1:]
		if g.rest == "" {
			return errors.New(`it ends with \`)
		}
		g.literal()
	default:
		g.literal()
	}
	return nil
}

func (g *globber) take(n int, expression string) {
	g.b.WriteString(expression)
	g.rest = g.rest[n:]
}

func (g *globber) literal() {
	_, n := utf8.DecodeRuneInString(g.rest)
	g.take(n, regexp.QuoteMeta(g.rest[:n]))
}

// class takes [abc], [a-z], [!a] or [^a]; it never matches a slash.
func (g *globber) class() error {
	end := strings.IndexByte(g.rest[1:], ']')
	if end <= 0 {
		return errors.New("a [ is not closed")
	}
	body := g.rest[1 : 1+end]
	g.rest = g.rest[end+2:]
	not := strings.HasPrefix(body, "!") || strings.HasPrefix(body, "^")
	if not {
		body = body[1:]
	}
	if body == "" || strings.Contains(body, "/") {
		return errors.New("a [ ] is empty or has a slash")
	}
	escaped := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`, `&`, `\&`, `~`, `\~`).Replace(body)
	if not {
		g.b.WriteString(`[^/` + escaped + `]`)
		return nil
	}
	g.b.WriteString(`[` + escaped + `]`)
	return nil
}

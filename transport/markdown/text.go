package markdown

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// link leads where browsers may go from here; any other is its text alone.
func (t *tree) link(nodes []Node, href string, children []Node) []Node {
	href = string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences([]byte(href)))))
	if safe, ok := safeAddress(href); ok {
		return put(nodes, append(Element{"a", attributes{"href": safe}}, anys(children)...))
	}
	for _, c := range children {
		nodes = put(nodes, c)
	}
	return nodes
}

// safeAddress gives an address of http, https or mailto, as a browser will read it.
func safeAddress(href string) (string, bool) {
	u, err := url.Parse(href)
	if err != nil {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Host == "" || u.User != nil {
			return "", false
		}
	case "mailto":
		if u.Opaque == "" {
			return "", false
		}
	default:
		return "", false
	}
	return u.String(), true
}

func address(n *ast.AutoLink, source []byte) string {
	href := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(href), "mailto:") {
		return "mailto:" + href
	}
	return href
}

// words is the text of a node without what marks it.
func (t *tree) words(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(unescaped(c.Value(t.source), c.IsRaw()))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.WriteString(unescaped(c.Value, c.IsRaw() || c.IsCode()))
		case *ast.RawHTML:
			b.Write(c.Segments.Value(t.source))
		case *ast.AutoLink:
			b.Write(c.Label(t.source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// lines is the text of a block as it is written.
func (t *tree) lines(n ast.Node) string {
	return Visible(string(n.Lines().Value(t.source)))
}

func (t *tree) html(n *ast.HTMLBlock) string {
	s := string(n.Lines().Value(t.source))
	if n.HasClosure() {
		s += string(n.ClosureLine.Value(t.source))
	}
	return Visible(strings.TrimRight(s, "\n"))
}

// unescaped resolves entities and backslashes where the text is no code.
func unescaped(b []byte, raw bool) string {
	if raw {
		return string(b)
	}
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(b))))
}

// Visible shows what would turn the direction of the text after it, and control
// characters. Joiners and marks stay, which scripts and emoji need.
func Visible(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f
}

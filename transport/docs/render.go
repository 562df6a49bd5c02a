package docs

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders the pages: tables, fenced code, an id for each heading. Markup in
// the Markdown is left out.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(arranger{}, 100))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100))),
)

// arranger changes what was read before it is rendered.
type arranger struct{}

var (
	fileComment = regexp.MustCompile(`^<!-- file: (\S+) -->\s*$`)
	findComment = regexp.MustCompile(`^<!-- find: (.+) -->\s*$`)
)

// Transform makes links to pages links of the site, gives the code of a file its name and
// what follows a comment <!-- find: … --> its words, and puts a frame around tables.
func (arranger) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var comments []*ast.HTMLBlock
	var tables []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = siteLink(n.Destination)
		case *ast.HTMLBlock:
			comments = append(comments, n)
		case *east.Table:
			tables = append(tables, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range tables {
		w := &wide{}
		n.Parent().ReplaceChild(n.Parent(), n, w)
		w.AppendChild(w, n)
	}
	for _, n := range comments {
		mark(n, bytes.TrimSpace(n.Lines().Value(reader.Source())))
		n.Parent().RemoveChild(n.Parent(), n)
	}
}

// mark gives the node behind a comment what that says of it.
func mark(n *ast.HTMLBlock, comment []byte) {
	next := n.NextSibling()
	if next == nil {
		return
	}
	if m := fileComment.FindSubmatch(comment); m != nil {
		next.SetAttributeString("file", m[1])
	}
	if m := findComment.FindSubmatch(comment); m != nil {
		next.SetAttributeString("find", string(m[1]))
	}
}

var pageFile = regexp.MustCompile(`^([A-Za-z0-9_-]+)\.md(#.*)?$`)

// siteLink turns a link to a file beside into one to its page.
func siteLink(to []byte) []byte {
	if m := pageFile.FindSubmatch(to); m != nil {
		return append([]byte(Path+"/"+string(m[1])), m[2]...)
	}
	return to
}

// wide stands around what may be wider than a phone.
type wide struct{ ast.BaseBlock }

var kindWide = ast.NewNodeKind("Wide")

// Kind is the node's own.
func (*wide) Kind() ast.NodeKind { return kindWide }

// Dump prints the node for people who look for faults.
func (w *wide) Dump(source []byte, level int) { ast.DumpHelper(w, source, level, nil, nil) }

// blocks renders what the site shows in its own way.
type blocks struct{}

// RegisterFuncs says which nodes those are.
func (b blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, b.heading)
	r.Register(ast.KindFencedCodeBlock, b.code)
	r.Register(ast.KindCodeSpan, b.span)
	r.Register(kindWide, b.wide)
}

func (blocks) wide(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="wide" role="region" aria-label="Table" tabindex="0">`)
	} else {
		_, _ = w.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}

// heading has a link to itself behind it; the title has none.
func (blocks) heading(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	if entering {
		_, _ = fmt.Fprintf(w, `<h%d id="%s">`, n.Level, name)
		return ast.WalkContinue, nil
	}
	if n.Level > 1 {
		_, _ = fmt.Fprintf(w, `<a class="here" href="#%s" aria-label="Link to: %s">#</a>`, name, html.EscapeString(wordsOf(n, source)))
	}
	_, _ = fmt.Fprintf(w, "</h%d>\n", n.Level)
	return ast.WalkContinue, nil
}

// shortest are pieces of code in a line that stay on it.
const shortest = 24

func (blocks) span(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	words, class := wordsOf(n, source), ""
	if len(words) <= shortest {
		class = ` class="short"`
	}
	_, _ = fmt.Fprintf(w, "<code%s>%s</code>", class, html.EscapeString(words))
	return ast.WalkSkipChildren, nil
}

// code has the name of its file above it, where it is one.
func (blocks) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.FencedCodeBlock)
	if !entering {
		return ast.WalkContinue, nil
	}
	language := string(n.Language(source))
	_, _ = w.WriteString(`<figure class="code">`)
	if name, ok := n.AttributeString("file"); ok {
		_, _ = fmt.Fprintf(w, "<figcaption>%s</figcaption>", html.EscapeString(string(name.([]byte))))
	}
	_, _ = fmt.Fprintf(w, `<pre tabindex="0" class="language-%s"><code>%s</code></pre></figure>`+"\n",
		html.EscapeString(strings.ToLower(language)), colour(language, string(n.Lines().Value(source))))
	return ast.WalkSkipChildren, nil
}

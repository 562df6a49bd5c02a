package markdown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// add gives what a node of the Markdown stands for. A kind that is not here is shown by
// its children.
func (t *tree) add(nodes []Node, n ast.Node, depth int) []Node {
	switch n := n.(type) {
	case *ast.Text, *ast.String, *ast.RawHTML, *ast.AutoLink, *ast.Link, *ast.Image, *ast.CodeSpan:
		return t.inline(nodes, n, depth)
	case *ast.Heading:
		return put(nodes, t.element(fmt.Sprintf("h%d", n.Level), attributes{}, n, depth))
	case *ast.Paragraph:
		return put(nodes, t.element("p", attributes{}, n, depth))
	case *ast.List:
		return put(nodes, t.list(n, depth))
	case *ast.ListItem:
		return put(nodes, t.element("li", attributes{}, n, depth))
	case *ast.Blockquote:
		return put(nodes, t.element("blockquote", attributes{}, n, depth))
	case *ast.FencedCodeBlock:
		a := attributes{}
		if l := string(n.Language(t.source)); l != "" {
			a["language"] = Visible(l)
		}
		return put(nodes, Element{"pre", a, Element{"code", attributes{}, t.lines(n)}})
	case *ast.CodeBlock:
		return put(nodes, Element{"pre", attributes{}, Element{"code", attributes{}, t.lines(n)}})
	case *ast.HTMLBlock:
		return put(nodes, Element{"p", attributes{}, t.html(n)})
	case *ast.ThematicBreak:
		return put(nodes, Element{"hr", attributes{}})
	case *ast.Emphasis:
		tag := "em"
		if n.Level == 2 {
			tag = "strong"
		}
		return put(nodes, t.element(tag, attributes{}, n, depth))
	}
	return t.extended(nodes, n, depth)
}

// extended are the kinds that GitHub added.
func (t *tree) extended(nodes []Node, n ast.Node, depth int) []Node {
	switch n := n.(type) {
	case *east.Strikethrough:
		return put(nodes, t.element("del", attributes{}, n, depth))
	case *east.TaskCheckBox:
		return put(nodes, Element{"input", attributes{"type": "checkbox", "disabled": true, "checked": n.IsChecked}})
	case *east.Table:
		return put(nodes, t.table(n, depth))
	}
	for _, c := range t.children(n, depth) {
		nodes = put(nodes, c)
	}
	return nodes
}

func (t *tree) inline(nodes []Node, n ast.Node, depth int) []Node {
	switch n := n.(type) {
	case *ast.Text:
		nodes = put(nodes, Visible(unescaped(n.Value(t.source), n.IsRaw())))
		switch {
		case n.HardLineBreak():
			return put(nodes, Element{"br", attributes{}})
		case n.SoftLineBreak():
			return put(nodes, "\n")
		}
		return nodes
	case *ast.String:
		return put(nodes, Visible(unescaped(n.Value, n.IsRaw() || n.IsCode())))
	case *ast.RawHTML:
		return put(nodes, Visible(string(n.Segments.Value(t.source))))
	case *ast.CodeSpan:
		return put(nodes, Element{"code", attributes{}, Visible(t.words(n))})
	case *ast.AutoLink:
		return t.link(nodes, address(n, t.source), []Node{Visible(string(n.Label(t.source)))})
	case *ast.Link:
		return t.link(nodes, string(n.Destination), t.children(n, depth))
	case *ast.Image:
		where := Visible(string(n.Destination))
		return t.link(nodes, string(n.Destination), []Node{strings.TrimSpace(Visible(t.words(n)) + " (" + where + ")")})
	}
	return nodes
}

func (t *tree) list(n *ast.List, depth int) Element {
	if !n.IsOrdered() {
		return t.element("ul", attributes{}, n, depth)
	}
	a := attributes{}
	if n.Start != 1 {
		a["start"] = n.Start
	}
	return t.element("ol", a, n, depth)
}

// table has a head of one row and a body of the others.
func (t *tree) table(n *east.Table, depth int) Element {
	table, body := Element{"table", attributes{}}, Element{"tbody", attributes{}}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		tag := "td"
		if row.Kind() == east.KindTableHeader {
			tag = "th"
		}
		tr := Element{"tr", attributes{}}
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			a := attributes{}
			if cell, ok := c.(*east.TableCell); ok && cell.Alignment != east.AlignNone {
				a["align"] = cell.Alignment.String()
			}
			tr = append(tr, t.element(tag, a, c, depth+2))
		}
		if tag == "th" {
			table = append(table, Element{"thead", attributes{}, tr})
		} else {
			body = append(body, tr)
		}
	}
	if len(body) > 2 {
		table = append(table, body)
	}
	return table
}

// Package markdown reads Markdown that nobody vouches for, such as a model's, and gives a
// cleaned tree instead of markup: a reader makes elements of it, and can make no other
// than those of the allow list here.
package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A Node is a text (a string) or an element (an Element).
type Node any

// An Element is what a reader makes an element of. As JSON it is an array: the tag, its
// attributes as an object, its children.
type Element []any

// reader takes what GitHub adds: tables, task lists, lines through text, bare links. The
// tree is the reader's own to walk; nothing is rendered here.
var reader = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify)).Parser()

// Bounds of a text. What has more in it is shown as it is written.
const (
	// MaxBytes that Tree takes apart.
	MaxBytes = 128 << 10
	// maxPiece is what is read at once: the time that a text takes, when it is built to be
	// slow to read, grows with the square of its length.
	maxPiece = 16 << 10
	// maxDepth of elements in each other.
	maxDepth = 64
	// maxMarks of one line that may open something inside of something.
	maxMarks = 200
	// maxOpen links that are begun and not ended in a piece: each is looked for to the end.
	maxOpen = 200
	// maxRuns of emphasis in one paragraph: each is held against those before it.
	maxRuns = 3000
	// maxCells of the tables in a piece. A row may be shorter than its table and is filled
	// up, so that a few bytes could ask for thousands of cells; written ones take a byte each.
	maxCells = maxPiece
)

// Tree gives the nodes of a text. Raw HTML is text in it, an image a link, and every link
// leads to http, https or mailto. A text that is too large, or built to be slow to read,
// is one node as it is. It is safe for concurrent use.
func Tree(source string) []Node {
	source = strings.ToValidUTF8(source, "\uFFFD")
	if len(source) > MaxBytes {
		return plain(source)
	}
	nodes := []Node{}
	for _, piece := range pieces(source) {
		nodes = append(nodes, read(piece)...)
	}
	return nodes
}

func plain(source string) []Node {
	return []Node{Element{"pre", attributes{}, Visible(source)}}
}

func read(source string) []Node {
	if len(source) > maxPiece || !plausible(source) {
		return plain(source)
	}
	b := []byte(source)
	t := &tree{source: b}
	return t.children(reader.Parse(text.NewReader(b), parser.WithContext(parser.NewContext())), 0)
}

// plausible says whether people and models write such lines: not hundreds of quotes or
// lists in each other, of links that are begun and not ended, or of stars in one paragraph,
// and no tables that are nearly all empty.
func plausible(source string) bool {
	cells, columns, open, runs := 0, 0, 0, 0
	for line := range strings.Lines(source) {
		columns = columnsAfter(columns, line)
		cells += columns
		open += unclosed(line)
		if runs += runsOf(line); strings.TrimSpace(line) == "" {
			runs = 0
		}
		if nested(line) > maxMarks || cells > maxCells || open > maxOpen || runs > maxRuns {
			return false
		}
	}
	return true
}

// unclosed counts the links in a line that are begun and not ended: the next bracket that
// could end one ends the one before it.
func unclosed(line string) int {
	begun := 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case strings.HasPrefix(line[i:], "]("):
			begun++
			i++
			if strings.HasPrefix(line[i+1:], "<") && !strings.Contains(line[i+1:], ">") {
				return begun + strings.Count(line[i+1:], "](")
			}
		case line[i] == ')' && begun > 0:
			begun--
		}
	}
	return begun
}

// runsOf counts the runs of stars and underscores in a line.
func runsOf(line string) (n int) {
	var last rune
	for _, r := range line {
		if (r == '*' || r == '_') && r != last {
			n++
		}
		last = r
	}
	return n
}

// columnsAfter gives how many columns the table may have that stands open after a line.
func columnsAfter(columns int, line string) int {
	mark := strings.Trim(line, "> \t\r\n\v\f")
	switch {
	case mark == "":
		return 0
	case strings.Trim(mark, "|-:> \t\v\f") == "" && strings.Contains(mark, "|"):
		return max(columns, strings.Count(mark, "|")+1)
	}
	return columns
}

// nested counts what a line may open before its text.
func nested(line string) (n int) {
	for _, r := range line {
		switch {
		case strings.ContainsRune(">-+*", r) || r >= '0' && r <= '9':
			n++
		case r != ' ' && r != '\t' && r != '.' && r != ')':
			return n
		}
	}
	return n
}

type attributes map[string]any

// tree walks over what was read.
type tree struct{ source []byte }

// children gives what a node has inside; too deep down only its text.
func (t *tree) children(n ast.Node, depth int) []Node {
	if depth > maxDepth {
		return []Node{Visible(t.words(n))}
	}
	nodes := []Node{}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		nodes = t.add(nodes, c, depth+1)
	}
	return joined(nodes)
}

// put adds a node; an empty text is none.
func put(nodes []Node, n Node) []Node {
	if n == "" {
		return nodes
	}
	return append(nodes, n)
}

// joined makes one text of texts that follow each other. It is done once for all of them: a
// piece may have thousands.
func joined(nodes []Node) []Node {
	kept := nodes[:0]
	var run []string
	flush := func() {
		if len(run) > 0 {
			kept = append(kept, strings.Join(run, ""))
			run = run[:0]
		}
	}
	for _, n := range nodes {
		if s, ok := n.(string); ok {
			run = append(run, s)
			continue
		}
		flush()
		kept = append(kept, n)
	}
	flush()
	return kept
}

// element makes one of a node and what it has inside.
func (t *tree) element(tag string, a attributes, n ast.Node, depth int) Element {
	return append(Element{tag, a}, anys(t.children(n, depth))...)
}

func anys(nodes []Node) []any {
	list := make([]any, len(nodes))
	for i, n := range nodes {
		list[i] = n
	}
	return list
}

package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Bounds of what aliases may add to a document.
const (
	maxAliased      = 100_000
	maxAliasedBytes = 16 << 20
)

// A document writes its JSON while it is walked in the order of the file.
type document struct {
	name string
	out  bytes.Buffer
	// values counts what is written; aliased and aliasedBytes are what aliases added.
	values, aliased, aliasedBytes int
	anchors                       map[string]*anchor
	// nan stands for the number NaN, where hasNaN; clash: it stands for itself as well.
	nan           string
	hasNaN, clash bool
	// altered are numbers that do not read as they are written, merges the keys <<.
	altered, merges []string
}

// An anchor is a part of the document that aliases repeat: a part of the JSON.
type anchor struct {
	from, to int
	values   int
	whole    bool
}

func (d *document) fault(n ast.Node, format string, a ...any) error {
	return at(d.name, n.GetToken(), fmt.Sprintf(format, a...))
}

// only gives the body of the one document, nil for an empty one.
func (d *document) only(docs []*ast.DocumentNode) (ast.Node, error) {
	var body ast.Node
	for _, doc := range docs {
		switch n := doc.Body.(type) {
		case nil:
		case *ast.DirectiveNode:
			if text := strings.Join(strings.Fields(n.String()), " "); text != "%YAML 1.2" {
				return nil, d.fault(n, "has the directive %s: only %%YAML 1.2 is taken", text)
			}
		default:
			if body != nil {
				return nil, d.fault(n, "has more than one document: one file is one value, so write a list")
			}
			body = n
		}
	}
	return body, nil
}

// value writes what a node is.
func (d *document) value(n ast.Node, depth int) error {
	d.values++
	if depth > maxDepth {
		return d.fault(n, "nests more than %d levels deep", maxDepth)
	}
	switch n := n.(type) {
	case nil:
		d.out.WriteString("null")
		return nil
	case *ast.MappingNode:
		return d.mapping(n.Values, depth)
	case *ast.MappingValueNode:
		return d.mapping([]*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		return d.sequence(n.Values, depth)
	case *ast.AnchorNode:
		return d.anchor(n, depth)
	case *ast.AliasNode:
		return d.alias(n)
	case *ast.TagNode:
		return d.tag(n, depth)
	}
	text, plain, ok := scalarOf(n)
	if !ok {
		return d.fault(n, "has %s, which is not read here", strings.TrimSpace(n.GetToken().Value))
	}
	return d.scalar(n, text, plain)
}

func (d *document) sequence(values []ast.Node, depth int) error {
	d.out.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			d.out.WriteByte(',')
		}
		if err := d.value(v, depth+1); err != nil {
			return err
		}
	}
	d.out.WriteByte(']')
	return nil
}

func (d *document) mapping(pairs []*ast.MappingValueNode, depth int) error {
	keys := map[string]int{}
	d.out.WriteByte('{')
	for i, pair := range pairs {
		key, err := d.key(pair.Key)
		if err != nil {
			return err
		}
		line := pair.Key.GetToken().Position.Line
		if first, twice := keys[key]; twice {
			return d.fault(pair.Key, "has the key %q twice: it is on line %d already", key, first)
		}
		keys[key] = line
		if i > 0 {
			d.out.WriteByte(',')
		}
		d.out.Write(quoted(key))
		d.out.WriteByte(':')
		if err := d.value(pair.Value, depth+1); err != nil {
			return err
		}
	}
	d.out.WriteByte('}')
	return nil
}

// key is the text of a key as it is written.
func (d *document) key(n ast.MapKeyNode) (string, error) {
	var inner ast.Node = n
	if explicit, ok := n.(*ast.MappingKeyNode); ok {
		inner = explicit.Value
	}
	if _, merge := inner.(*ast.MergeKeyNode); merge {
		d.merges = append(d.merges, placed(d.name, inner.GetToken()))
		return "<<", nil
	}
	text, _, ok := scalarOf(inner)
	if !ok {
		return "", d.fault(n, "has a key that is no text: write the text itself")
	}
	return text, nil
}

// anchor writes what the anchor names, and keeps where.
func (d *document) anchor(n *ast.AnchorNode, depth int) error {
	a := &anchor{from: d.out.Len(), values: d.values}
	d.anchors[n.Name.GetToken().Value] = a
	d.values--
	if err := d.value(n.Value, depth+1); err != nil {
		return err
	}
	a.to, a.values, a.whole = d.out.Len(), d.values-a.values+1, true
	return nil
}

// alias writes what stands behind its anchor again.
func (d *document) alias(n *ast.AliasNode) error {
	name := n.Value.GetToken().Value
	a := d.anchors[name]
	switch {
	case a == nil:
		return d.fault(n, "has *%s, and no &%s before it", name, name)
	case !a.whole:
		return d.fault(n, "has *%s inside of what it stands for", name)
	}
	d.aliased += a.values
	d.aliasedBytes += a.to - a.from
	if d.aliased > maxAliased || d.aliasedBytes > maxAliasedBytes {
		return d.fault(n, "repeats too much by aliases: at most %d values and %d MiB", maxAliased, maxAliasedBytes>>20)
	}
	d.values += a.values - 1
	d.out.Write(bytes.Clone(d.out.Bytes()[a.from:a.to]))
	return nil
}

func quoted(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string is always JSON
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func placed(name string, t *token.Token) string {
	return fmt.Sprintf("%s:%d:%d", name, t.Position.Line, t.Position.Column)
}

// set is what the whole document gave.
func (d *document) set() *Set {
	s := &Set{JSON: d.out.Bytes()}
	if d.hasNaN {
		s.NaN = d.nan
	}
	if n := len(d.altered); n > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: put quotes around what is meant as text%s", d.altered[0], more(n, "number")))
	}
	if n := len(d.merges); n > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: << is a key like any other in YAML 1.2, and merges nothing%s", d.merges[0], more(n, "key")))
	}
	return s
}

func more(n int, noun string) string {
	switch n {
	case 1:
		return ""
	case 2:
		return " (and 1 more such " + noun + ")"
	}
	return fmt.Sprintf(" (and %d more such %ss)", n-1, noun)
}

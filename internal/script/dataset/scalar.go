package dataset

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// The plain scalars of the core schema that are no texts.
var (
	nulls    = regexp.MustCompile(`^(null|Null|NULL|~|)$`)
	bools    = regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)
	decimals = regexp.MustCompile(`^[-+]?[0-9]+$`)
	octals   = regexp.MustCompile(`^0o[0-7]+$`)
	hexes    = regexp.MustCompile(`^0x[0-9a-fA-F]+$`)
	floats   = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	infinite = regexp.MustCompile(`^[-+]?(\.inf|\.Inf|\.INF)$`)
	nans     = regexp.MustCompile(`^(\.nan|\.NaN|\.NAN)$`)
)

// scalarOf gives the text of a scalar, and whether it is plain: quoted and block ones
// are always texts.
func scalarOf(n ast.Node) (text string, plain, ok bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value, false, true
	case *ast.StringNode:
		return n.Value, n.Token.Type != token.DoubleQuoteType && n.Token.Type != token.SingleQuoteType, true
	case *ast.NullNode:
		if n.Token.Type == token.ImplicitNullType {
			return "", true, true
		}
		return n.Token.Value, true, true
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return strings.TrimSpace(n.GetToken().Value), true, true
	case *ast.MergeKeyNode:
		return "<<", true, true
	}
	return "", false, false
}

// kindOf is what a plain scalar is by the core schema.
func kindOf(text string) string {
	switch {
	case nulls.MatchString(text):
		return "null"
	case bools.MatchString(text):
		return "bool"
	case decimals.MatchString(text), octals.MatchString(text), hexes.MatchString(text):
		return "int"
	case floats.MatchString(text), infinite.MatchString(text), nans.MatchString(text):
		return "float"
	}
	return "str"
}

func (d *document) scalar(n ast.Node, text string, plain bool) error {
	kind := "str"
	if plain {
		kind = kindOf(text)
	}
	switch kind {
	case "null":
		d.out.WriteString("null")
	case "bool":
		d.out.WriteString(strings.ToLower(text))
	case "str":
		d.clash = d.clash || text == d.nan
		d.out.Write(quoted(text))
	default:
		return d.number(n, text)
	}
	return nil
}

func (d *document) number(n ast.Node, text string) error {
	switch {
	case nans.MatchString(text):
		d.hasNaN = true
		d.out.Write(quoted(d.nan))
		return nil
	case infinite.MatchString(text):
		d.out.WriteString(strings.TrimRight(text[:1], ".+") + "1e999") // JSON.parse makes it infinite
		return nil
	case octals.MatchString(text), hexes.MatchString(text):
		return d.based(n, text)
	}
	f, message := carries(text)
	if message != "" {
		return d.fault(n, "%s", message)
	}
	written := shown(f)
	if written != text {
		d.altered = append(d.altered, fmt.Sprintf("%s: %s is the number %s", placed(d.name, n.GetToken()), text, written))
	}
	d.out.WriteString(written)
	return nil
}

func (d *document) based(n ast.Node, text string) error {
	i, err := strconv.ParseInt(text, 0, 64)
	if err != nil || i > 1<<53 {
		return d.fault(n, "has the number %s, which is too large for JavaScript: put quotes around it", text)
	}
	d.out.WriteString(strconv.FormatInt(i, 10))
	return nil
}

// shown writes a number as JavaScript does, but for very large and very small ones.
func shown(f float64) string {
	if a := max(f, -f); a != 0 && (a >= 1e21 || a < 1e-6) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// tag writes a value that says its kind, which must be one of the core schema.
func (d *document) tag(n *ast.TagNode, depth int) error {
	name := n.Start.Value
	d.values--
	switch name {
	case "!!map", "!!seq":
		return d.collection(n, depth)
	case "!", "!!str", "!!int", "!!float", "!!bool", "!!null":
	default:
		return d.fault(n, "has the tag %s: only those of YAML 1.2's core schema are read (!!str, !!int, !!float, !!bool, !!null, !!seq, !!map)", name)
	}
	text, ok := "", true
	if n.Value != nil {
		text, _, ok = scalarOf(n.Value)
	}
	if !ok {
		return d.fault(n, "has the tag %s before what is no such value", name)
	}
	d.values++
	if name == "!" || name == "!!str" {
		return d.scalar(n, text, false)
	}
	if kind := kindOf(text); "!!"+kind != name && !(name == "!!float" && kind == "int") {
		return d.fault(n, "has %q with the tag %s, and it is none", text, name)
	}
	return d.scalar(n, text, true)
}

// collection is a map or a list with its tag.
func (d *document) collection(n *ast.TagNode, depth int) error {
	fits := "!!seq"
	switch n.Value.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		fits = "!!map"
	case *ast.SequenceNode:
	default:
		fits = ""
	}
	if n.Start.Value != fits {
		return d.fault(n, "has the tag %s before what is no such value", n.Start.Value)
	}
	return d.value(n.Value, depth+1)
}

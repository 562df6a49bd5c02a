package scripted

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

func (p *reader) fault(n ast.Node, format string, a ...any) *Fault {
	f := &Fault{File: p.file, Message: fmt.Sprintf(format, a...)}
	if t := n.GetToken(); t != nil && t.Position != nil {
		f.Line, f.Column = t.Position.Line, t.Position.Column
	}
	return f
}

// report keeps the first 20.
func (p *reader) report(n ast.Node, format string, a ...any) {
	if len(p.faults) == 20 {
		return
	}
	p.faults = append(p.faults, p.fault(n, format, a...))
}

// list gives nil, and reports what is expected, when n is no list.
func (p *reader) list(n ast.Node, expected string) []ast.Node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		p.report(n, "%s", expected)
		return nil
	}
	return append([]ast.Node{}, s.Values...)
}

type pair struct {
	key   string
	value ast.Node
}

// pairs gives nil, and reports what is expected, when n is no map with plain keys.
func (p *reader) pairs(n ast.Node, expected string) []pair {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		p.report(n, "%s", expected)
		return nil
	}
	list := []pair{}
	for _, v := range values {
		key, isNode := v.Key.(ast.ScalarNode)
		if _, merge := v.Key.(*ast.MergeKeyNode); merge || !isNode {
			p.report(v.Key, "this key is not supported; write a plain one")
			continue
		}
		list = append(list, pair{key.GetToken().Value, v.Value})
	}
	return list
}

// fields gives the values of a map that may have these keys; nil when n is no map.
func (p *reader) fields(n ast.Node, noun string, known ...string) map[string]ast.Node {
	pairs := p.pairs(n, "a "+noun+" is a map with "+strings.Join(known, ", "))
	if pairs == nil {
		return nil
	}
	fields := map[string]ast.Node{}
	for _, f := range pairs {
		if !slices.Contains(known, f.key) {
			p.report(f.value, "%s has the unknown key %q; it may have %s", noun, f.key, strings.Join(known, ", "))
			continue
		}
		fields[f.key] = f.value
	}
	return fields
}

// text reads any scalar but null as the text that was written.
func (p *reader) text(n ast.Node, name string) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	}
	p.report(n, "%s must be a text (%q for an empty one)", name, "")
	return ""
}

func (p *reader) count(n ast.Node, name string) int64 {
	v, err := strconv.ParseInt(n.GetToken().Value, 10, 64)
	if _, ok := n.(*ast.IntegerNode); !ok || err != nil || v < 0 || v > 1_000_000_000_000 {
		p.report(n, "%s must be a whole number from 0", name)
		return 0
	}
	return v
}

package scripted

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// maxDepth bounds arguments.
const maxDepth = 50

// An object is the arguments of a call: JSON in the order of the file, with its
// strings still to be filled.
type object []piece

// A piece is JSON as it is, or a string.
type piece struct {
	json   string
	text   string
	isText bool
}

// fill writes the JSON, each string through f.
func (o object) fill(f func(string) string) string {
	if o == nil {
		return "{}"
	}
	var b strings.Builder
	for _, p := range o {
		if !p.isText {
			b.WriteString(p.json)
			continue
		}
		b.WriteString(quote(f(p.text)))
	}
	return b.String()
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string is always JSON
	return strings.TrimSuffix(b.String(), "\n")
}

func (p *reader) object(n ast.Node, expected string, depth int) object {
	pairs := p.pairs(n, expected)
	o := object{{json: "{"}}
	for i, kv := range pairs {
		if i > 0 {
			o = append(o, piece{json: ","})
		}
		o = append(o, piece{json: quote(kv.key) + ":"})
		o = append(o, p.value(kv.value, depth+1)...)
	}
	return append(o, piece{json: "}"})
}

// value follows YAML 1.2's core schema: no, 12:30 and 2026-01-02 are texts.
func (p *reader) value(n ast.Node, depth int) object {
	if depth > maxDepth {
		p.report(n, "the arguments are more than %d levels deep", maxDepth)
		return nil
	}
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return p.object(n, "", depth)
	case *ast.SequenceNode:
		o := object{{json: "["}}
		for i, v := range n.Values {
			if i > 0 {
				o = append(o, piece{json: ","})
			}
			o = append(o, p.value(v, depth+1)...)
		}
		return append(o, piece{json: "]"})
	case *ast.LiteralNode:
		return object{{text: n.Value.Value, isText: true}}
	case *ast.StringNode:
		return scalar(n.Value, n.Token.Type == token.DoubleQuoteType || n.Token.Type == token.SingleQuoteType)
	case *ast.NullNode:
		return object{{json: "null"}}
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode:
		return scalar(n.GetToken().Value, false)
	}
	p.report(n, "%s is not supported in arguments; write the value itself", strings.TrimSpace(n.GetToken().Value))
	return nil
}

var (
	integer = regexp.MustCompile(`^[-+]?[0-9]+$`)
	based   = regexp.MustCompile(`^0(x[0-9a-fA-F]+|o[0-7]+)$`)
	float   = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// scalar resolves a plain scalar; a quoted one is a text.
func scalar(s string, quoted bool) object {
	switch {
	case quoted:
	case s == "true" || s == "True" || s == "TRUE":
		return object{{json: "true"}}
	case s == "false" || s == "False" || s == "FALSE":
		return object{{json: "false"}}
	case integer.MatchString(s):
		return object{{json: decimal(s)}}
	case based.MatchString(s):
		if v, err := strconv.ParseInt(s, 0, 64); err == nil {
			return object{{json: strconv.FormatInt(v, 10)}}
		}
	case float.MatchString(s):
		if json.Valid([]byte(s)) {
			return object{{json: s}}
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return object{{json: strconv.FormatFloat(f, 'g', -1, 64)}}
		}
	}
	return object{{text: s, isText: true}}
}

// decimal writes digits as JSON does: no plus, no zeros in front.
func decimal(s string) string {
	sign := ""
	if s[0] == '-' {
		sign = "-"
	}
	if s = strings.TrimLeft(s, "+-0"); s == "" {
		return "0"
	}
	return sign + s
}

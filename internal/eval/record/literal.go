package record

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// lineLength is how long a line may be before a value is written over several.
const lineLength = 100

// A field is one of an object, in the order of the text.
type field struct {
	name  string
	value any
}

// An object is JSON's, with its order.
type object []field

// A code is a value that is written as it is.
type code string

// parse reads JSON; numbers keep their digits and objects their order. What is no JSON
// is nil.
func parse(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := parseValue(d)
	if err != nil {
		return nil
	}
	return v
}

func parseValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			text, _ := name.(string)
			o = append(o, field{text, v})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return t, nil
}

var plainKey = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// key is a name of an object in TypeScript.
func key(name string) string {
	switch {
	case name == "__proto__": // as it stands it would be no field
		return `["__proto__"]`
	case plainKey.MatchString(name):
		return name
	}
	return text(name)
}

// text is a string in TypeScript.
func text(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// literal writes a value in TypeScript; indent is that of the line it begins on, and
// before how many characters that has already.
func literal(v any, indent string, before int) string {
	switch v := v.(type) {
	case code:
		return strings.ReplaceAll(string(v), "\n", "\n"+indent)
	case nil:
		return "null"
	case bool:
		if v {
			return "true"
		}
		return "false"
	case string:
		return text(v)
	case json.Number:
		return v.String()
	case []any:
		items := make([]item, len(v))
		for i := range v {
			items[i] = item{value: v[i]}
		}
		return wrap("[", "]", items, indent, before)
	case object:
		items := make([]item, len(v))
		for i := range v {
			items[i] = item{key(v[i].name) + ": ", v[i].value}
		}
		return wrap("{", "}", items, indent, before)
	}
	panic("a value that JSON has not")
}

// An item is one of a list or of an object.
type item struct {
	name  string
	value any
}

// wrap writes items in one line where they fit, else one a line.
func wrap(open, end string, items []item, indent string, before int) string {
	if len(items) == 0 {
		return open + end
	}
	parts := make([]string, len(items))
	for i, it := range items {
		parts[i] = it.name + literal(it.value, indent, 0)
	}
	space := " "
	if open != "{" {
		space = ""
	}
	line := open + space + strings.Join(parts, ", ") + space + end
	if !strings.Contains(line, "\n") && len(indent)+before+len(line) <= lineLength {
		return line
	}
	for i, it := range items {
		parts[i] = indent + "  " + it.name + literal(it.value, indent+"  ", len(it.name)+1) + ",\n"
	}
	return open + "\n" + strings.Join(parts, "") + indent + end
}

// fits says whether a value of a call matches a partial one, as evals compare: objects
// may have more, arrays may not.
func fits(part, whole any) bool {
	switch part := part.(type) {
	case object:
		w, ok := whole.(object)
		return ok && !slices.ContainsFunc(part, func(f field) bool {
			i := slices.IndexFunc(w, func(g field) bool { return g.name == f.name })
			return i < 0 || !fits(f.value, w[i].value)
		})
	case []any:
		w, ok := whole.([]any)
		if !ok || len(w) != len(part) {
			return false
		}
		for i := range part {
			if !fits(part[i], w[i]) {
				return false
			}
		}
		return true
	case json.Number:
		w, ok := whole.(json.Number)
		if !ok {
			return false
		}
		a, _ := part.Float64()
		b, _ := w.Float64()
		return a == b
	}
	return part == whole
}

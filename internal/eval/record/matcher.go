package record

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/gobdk/bdk/internal/redact"
)

// Bounds of what an eval holds of values: who reads it must see what matters.
const (
	longText  = 200 // of an input's text
	longInput = 600 // of a whole input
	longStub  = 500 // of a text that a stub gives
)

// clean gives JSON as a value, without secrets.
func clean(r *redact.Redactor, name string, raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	order := parse(raw)
	return reorder(order, r.Value(name, v))
}

// reorder gives a value without secrets the order of the one with them.
func reorder(order, v any) any {
	switch o := order.(type) {
	case object:
		m, ok := v.(map[string]any)
		if !ok {
			return v
		}
		out := object{}
		for _, f := range o {
			if value, ok := m[f.name]; ok && !slices.ContainsFunc(out, func(g field) bool { return g.name == f.name }) {
				out = append(out, field{f.name, reorder(f.value, value)})
			}
		}
		return out
	case []any:
		list, ok := v.([]any)
		if !ok {
			return v
		}
		out := make([]any, len(list))
		for i := range list {
			out[i] = reorder(o[i], list[i])
		}
		return out
	}
	return v
}

// partial gives what an eval asserts of an input: no secret and nothing long. ok is
// false where nothing is left to assert.
func partial(v any) (out any, ok bool) {
	switch v := v.(type) {
	case string:
		return v, len(v) <= longText && !strings.Contains(v, redact.Redacted)
	case []any:
		list := make([]any, len(v))
		for i := range v { // an array is compared whole, but what stands in it may be partial
			if list[i], ok = partial(v[i]); !ok {
				return nil, false
			}
		}
		return list, true
	case object:
		left := object{}
		for _, f := range v {
			if part, ok := partial(f.value); ok {
				left = append(left, field{f.name, part})
			}
		}
		return left, len(left) > 0 || len(v) == 0
	}
	return v, true
}

// inputOf gives what an eval asserts of the input of a call; nil: nothing.
func inputOf(v any) object {
	part, ok := partial(v)
	o, isObject := part.(object)
	if !ok || !isObject || len(o) == 0 {
		return nil
	}
	for len(o) > 1 && len(literal(o, "", 0)) > longInput { // the longest says least at a glance
		longest := 0
		for i := range o {
			if len(literal(o[i].value, "", 0)) > len(literal(o[longest].value, "", 0)) {
				longest = i
			}
		}
		o = slices.Delete(slices.Clone(o), longest, longest+1)
	}
	if len(literal(o, "", 0)) > longInput {
		return nil
	}
	return o
}

// shorten cuts the long texts of a value; cut says whether there were any.
func shorten(v any) (out any, cut bool) {
	switch v := v.(type) {
	case string:
		if len(v) <= longStub {
			return v, false
		}
		short := strings.ToValidUTF8(v[:longStub], "")
		return short + "… (" + strconv.Itoa(len(v)-len(short)) + " more bytes)", true
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var c bool
			list[i], c = shorten(v[i])
			cut = cut || c
		}
		return list, cut
	case object:
		o := make(object, len(v))
		for i, f := range v {
			value, c := shorten(f.value)
			o[i], cut = field{f.name, value}, cut || c
		}
		return o, cut
	}
	return v, false
}

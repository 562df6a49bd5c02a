package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const maxIssues = 20

// A fault is an Issue with its place still in parts.
type fault struct {
	at      []string
	message string
	// types are the wanted types, of a fault that is one of types.
	types []string
}

// issues turns the validator's tree into a list in the order of the places. doc
// tells array places from keys; nil takes numbers for places.
func issues(e *jsonschema.ValidationError, doc any) []Issue {
	faults := flatten(e)
	slices.SortStableFunc(faults, func(a, b fault) int {
		return cmp.Or(slices.CompareFunc(a.at, b.at, compareParts), cmp.Compare(a.message, b.message))
	})
	var list []Issue
	for _, f := range faults {
		is := Issue{Path: path(f.at, doc), Message: f.message}
		if !slices.Contains(list, is) && len(list) < maxIssues {
			list = append(list, is)
		}
	}
	return list
}

func compareParts(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return cmp.Compare(i, j)
	}
	return cmp.Compare(a, b)
}

// flatten gives the leaves, with alternatives made into what a person would say.
func flatten(e *jsonschema.ValidationError) []fault {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		return alternatives(e)
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return alternatives(e)
		}
	case *kind.PropertyNames:
		f := fault{at: with(e.InstanceLocation, k.Property), message: "has a name that is not allowed"}
		if causes := flattenAll(e.Causes); len(causes) > 0 {
			f.message += ": it " + causes[0].message
		}
		return []fault{f}
	}
	if len(e.Causes) > 0 {
		return flattenAll(e.Causes)
	}
	return leaves(e)
}

func flattenAll(causes []*jsonschema.ValidationError) []fault {
	var all []fault
	for _, c := range causes {
		all = append(all, flatten(c)...)
	}
	return all
}

// alternatives: where all want another type, the types; where one alone has the
// right type, its faults; else one sentence.
func alternatives(e *jsonschema.ValidationError) []fault {
	var types []string
	var fitting [][]fault
	got := ""
	for _, c := range e.Causes {
		faults := flatten(c)
		if len(faults) == 1 && faults[0].types != nil && len(faults[0].at) == len(e.InstanceLocation) {
			types = append(types, faults[0].types...)
			got = faults[0].message[strings.LastIndex(faults[0].message, ", not "):]
			continue
		}
		fitting = append(fitting, faults)
	}
	switch {
	case len(fitting) == 1:
		return fitting[0]
	case len(fitting) == 0 && len(types) > 0:
		slices.Sort(types)
		types = slices.Compact(types)
		return []fault{{at: e.InstanceLocation, types: types, message: "must be " + typeList(types) + got}}
	}
	return []fault{{at: e.InstanceLocation, message: "fits none of the " + strconv.Itoa(len(e.Causes)) + " allowed forms"}}
}

// with adds a part without touching the validator's slice.
func with(at []string, part string) []string {
	return append(slices.Clip(slices.Clone(at)), part)
}

// path writes parts as "items[0].name".
func path(parts []string, doc any) string {
	var b strings.Builder
	for _, p := range parts {
		place := isNumber(p)
		switch d := doc.(type) {
		case map[string]any:
			doc, place = d[p], false
		case []any:
			i, err := strconv.Atoi(p)
			if err == nil && i >= 0 && i < len(d) {
				doc = d[i]
			}
		default:
			doc = nil
		}
		switch {
		case place:
			b.WriteString("[" + p + "]")
		case !isPlain(p):
			quoted, _ := json.Marshal(p)
			b.WriteString("[" + string(quoted) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(p)
		}
	}
	return b.String()
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

// isPlain says whether a key can stand in a path as it is.
func isPlain(s string) bool { return s != "" && !strings.ContainsAny(s, ".[]\"\n\r\t ") }

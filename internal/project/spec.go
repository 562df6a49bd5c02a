package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A spec reads the fields of a default export, and reports those whose value is
// of the wrong kind; such a field counts as absent.
type spec struct {
	report *report
	source *source
	// rule is what a value of the wrong kind breaks.
	rule string
	// prefix is the path of the object that has the fields, such as "limits.".
	prefix string
	// owner begins what is said of a field, where the file has several of its name.
	owner  string
	fields map[string]json.RawMessage
}

// newSpec reads an object. Anything else has no fields.
func newSpec(r *report, src *source, rule string, raw json.RawMessage) *spec {
	s := &spec{report: r, source: src, rule: rule}
	_ = json.Unmarshal(raw, &s.fields) // what is no object leaves the map empty
	return s
}

func (s *spec) has(name string) bool {
	_, ok := s.fields[name]
	return ok
}

// names are the fields that are there, sorted.
func (s *spec) names() []string { return slices.Sorted(maps.Keys(s.fields)) }

func (s *spec) at(name string) place {
	if s.prefix == "" {
		return s.source.field(name)
	}
	return s.source.field(append(strings.Split(strings.TrimSuffix(s.prefix, "."), "."), name)...)
}

func (s *spec) wrong(name, want string) {
	s.report.add(s.rule, s.at(name), fmt.Sprintf("%s is %s", s.owner+s.prefix+name, describe(s.fields[name])), "make it "+want)
}

// text is a string with something in it.
func (s *spec) text(name string) string {
	raw, ok := s.fields[name]
	if !ok {
		return ""
	}
	var v string
	if json.Unmarshal(raw, &v) != nil || isNull(raw) || strings.TrimSpace(v) == "" {
		s.wrong(name, "a string with text in it")
		return ""
	}
	return v
}

// oneOf is one of a few strings; empty when it is absent.
func (s *spec) oneOf(name string, values ...string) string {
	raw, ok := s.fields[name]
	if !ok {
		return ""
	}
	var v string
	if json.Unmarshal(raw, &v) != nil || !slices.Contains(values, v) {
		s.wrong(name, `"`+strings.Join(values, `" or "`)+`"`)
		return ""
	}
	return v
}

func (s *spec) flag(name string) bool {
	raw, ok := s.fields[name]
	if !ok {
		return false
	}
	var v bool
	if json.Unmarshal(raw, &v) != nil || isNull(raw) {
		s.wrong(name, "true or false")
	}
	return v
}

// amount is a number above 0.
func (s *spec) amount(name string) float64 {
	raw, ok := s.fields[name]
	if !ok {
		return 0
	}
	var v float64
	if json.Unmarshal(raw, &v) != nil || v <= 0 {
		s.wrong(name, "a number above 0")
		return 0
	}
	return v
}

// count is a whole number from 1 to most.
func (s *spec) count(name string, most int64) int64 {
	raw, ok := s.fields[name]
	if !ok {
		return 0
	}
	var v float64
	if json.Unmarshal(raw, &v) != nil || v < 1 || v > float64(most) || v != math.Trunc(v) {
		s.wrong(name, "a whole number from 1 to "+strconv.FormatInt(most, 10))
		return 0
	}
	return int64(v)
}

// texts is an array of strings; nil when it is absent.
func (s *spec) texts(name string) []string {
	raw, ok := s.fields[name]
	if !ok {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || isNull(raw) {
		s.wrong(name, "an array of strings")
		return nil
	}
	list := make([]string, len(items))
	for i, item := range items {
		if json.Unmarshal(item, &list[i]) != nil || isNull(item) {
			s.report.add(s.rule, s.at(name), fmt.Sprintf("%s%s%s[%d] is %s", s.owner, s.prefix, name, i, describe(item)), "make it a string")
			return nil
		}
	}
	return list
}

// object gives the fields of a field; none when it is absent.
func (s *spec) object(name string) *spec {
	inner := &spec{report: s.report, source: s.source, rule: s.rule, prefix: s.prefix + name + ".", owner: s.owner}
	raw, ok := s.fields[name]
	if !ok {
		return inner
	}
	if isFunction(raw) || !bytes.HasPrefix(raw, []byte("{")) || json.Unmarshal(raw, &inner.fields) != nil {
		s.wrong(name, "an object")
		inner.fields = nil
	}
	return inner
}

// unknown warns of each field that is not among the known ones.
func (s *spec) unknown(rule string, known []string) {
	for _, name := range s.names() {
		if slices.Contains(known, name) {
			continue
		}
		fix := "remove it; the fields are " + strings.Join(known, ", ")
		if near, ok := nearest(name, known); ok {
			fix = "did you mean " + s.prefix + near + "?"
		}
		s.report.add(rule, s.at(name), s.owner+s.prefix+name+" is not a field that is known here, so it does nothing", fix)
	}
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// isFunction says whether the value was a function in TypeScript.
func isFunction(raw json.RawMessage) bool {
	var f struct {
		Fn bool `json:"$fn"`
	}
	return bytes.HasPrefix(raw, []byte("{")) && json.Unmarshal(raw, &f) == nil && f.Fn
}

// describe says what a value is, for a person who meant another.
func describe(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return "missing"
	case isFunction(raw):
		return "a function"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "an array"
	case len(raw) > 60:
		return "a long string"
	case string(raw) == `""`:
		return "empty"
	}
	return string(raw)
}

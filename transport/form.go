package transport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// A form is the object of a body. Its readers note what is wrong, so that one
// answer names every fault.
type form struct {
	members []member
	issues  []agent.Issue
}

// newForm reads a body that may have the given keys and no other. A body that is
// not there is an empty object.
func newForm(body []byte, keys ...string) (*form, error) {
	f := &form{}
	if len(body) == 0 {
		return f, nil
	}
	members, bad := scanObject(body)
	if bad != nil {
		f.note(bad.path, bad.message)
		return nil, f.err()
	}
	f.members = members
	return f, f.only(keys)
}

// only refuses keys that the route does not know.
func (f *form) only(keys []string) error {
	var issues []agent.Issue
	for _, m := range f.members {
		if !slices.Contains(keys, m.key) {
			issues = append(issues, agent.Issue{Path: m.key, Message: unknownKey(m.key, keys)})
		}
	}
	if issues == nil {
		return nil
	}
	return &problem{code: "unknown_field", message: "the body has a field that this route does not take", issues: issues}
}

func unknownKey(key string, keys []string) string {
	for _, k := range keys {
		if strings.EqualFold(k, key) {
			return fmt.Sprintf("this field is written %q", k)
		}
	}
	return "this route does not take this field"
}

func (f *form) note(path, message string) {
	f.issues = append(f.issues, agent.Issue{Path: path, Message: message})
}

// err gives what was noted, nil when all is well.
func (f *form) err() error {
	if len(f.issues) == 0 {
		return nil
	}
	first := f.issues[0]
	message := first.Message
	if first.Path != "" {
		message = first.Path + ": " + message
	}
	return &problem{code: "invalid_body", message: message, issues: f.issues}
}

// raw gives a member's value as it was sent.
func (f *form) raw(key string) ([]byte, bool) {
	for _, m := range f.members {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

// text reads a string for people; half of a surrogate pair becomes U+FFFD.
func (f *form) text(key string) (string, bool) {
	s, _, ok := f.string(key)
	return s, ok
}

// identifier reads a string that names something.
func (f *form) identifier(key string) (string, bool) {
	s, lone, ok := f.string(key)
	if lone {
		f.note(key, "has half of a surrogate pair")
	}
	return s, ok
}

func (f *form) string(key string) (s string, lone, ok bool) {
	v, ok := f.raw(key)
	if !ok {
		return "", false, false
	}
	if v[0] != '"' {
		f.note(key, "must be a string")
		return "", false, true
	}
	s, lone = unquote(v[1 : len(v)-1])
	return s, lone, true
}

// required notes a member that is missing.
func (f *form) required(key string) {
	if _, ok := f.raw(key); !ok {
		f.note(key, "is required")
	}
}

// boolean reads true or false; false when it is not there.
func (f *form) boolean(key string) bool {
	v, ok := f.raw(key)
	switch {
	case !ok || string(v) == "false":
		return false
	case string(v) == "true":
		return true
	}
	f.note(key, "must be true or false")
	return false
}

// oneOf reads a string out of a list; empty when it is not there.
func (f *form) oneOf(key string, values ...string) string {
	s, ok := f.identifier(key)
	if ok && !slices.Contains(values, s) {
		f.note(key, "must be "+strings.Join(values, " or "))
	}
	return s
}

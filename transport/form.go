package transport

import (
	"fmt"
	"slices"
	"strings"
)

// A form is the object of a body. Its readers note what is wrong, so that one
// answer names every fault.
type form struct {
	faultList
	members []member
	limits  *Limits
}

// readForm takes the body from the connection as a form; the body itself is for the
// idempotency of the request.
func (c *call) readForm(keys ...string) (f *form, body []byte, err error) {
	if body, err = c.readBody(c.h.o.Limits.BodyBytes); err == nil {
		f, err = c.newForm(body, keys...)
	}
	return f, body, err
}

// newForm reads a body that may have the given keys and no other. A body that is
// not there is an empty object.
func (c *call) newForm(body []byte, keys ...string) (*form, error) {
	f := &form{limits: &c.h.o.Limits}
	if len(body) == 0 {
		return f, nil
	}
	members, bad := scanObject(body, f.limits.JSONDepth)
	if bad != nil {
		f.note(bad.path, bad.message)
		return nil, f.err()
	}
	f.members = members
	return f, f.only(keys)
}

// only refuses keys that the route does not know.
func (f *form) only(keys []string) error {
	var unknown faultList
	for _, m := range f.members {
		if !slices.Contains(keys, m.key) {
			unknown.note(pathStep(m.key), unknownKey(m.key, keys))
		}
	}
	return unknown.problem("unknown_field")
}

func unknownKey(key string, keys []string) string {
	for _, k := range keys {
		if strings.EqualFold(k, key) {
			return fmt.Sprintf("this field is written %q", k)
		}
	}
	return "this route does not take this field"
}

// err gives what was noted, nil when all is well.
func (f *form) err() error { return f.problem("invalid_body") }

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
	v, ok := f.raw(key)
	if !ok {
		return ""
	}
	if v[0] == '"' {
		if s, lone := unquote(v[1 : len(v)-1]); !lone && slices.Contains(values, s) {
			return s
		}
	}
	f.note(key, oneOfThese(values))
	return ""
}

package transport

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParam is how many bytes a parameter of a path has at most.
const maxParam = 256

// A pattern is the path of a channel's route in its parts; one that begins with a
// colon is a parameter.
type pattern []string

func newPattern(path string) pattern {
	if path == "/" {
		return pattern{}
	}
	return strings.Split(path[1:], "/")
}

// compare puts the more specific pattern first: from the left, a part that is given
// comes before one that is free.
func (p pattern) compare(other pattern) int {
	for i := range min(len(p), len(other)) {
		if a, b := isFree(p[i]), isFree(other[i]); a != b {
			if a {
				return 1
			}
			return -1
		}
	}
	return cmp.Compare(len(p), len(other))
}

func isFree(part string) bool { return part[0] == ':' }

// match holds the parts of a path, as they were sent, against the pattern. What is
// given must be there byte for byte; what is free is decoded, once.
func (p pattern) match(sent []string) (params map[string]string, ok bool) {
	if len(sent) != len(p) {
		return nil, false
	}
	for i, part := range p {
		if !isFree(part) {
			if sent[i] != part {
				return nil, false
			}
			continue
		}
		value, ok := decodePart(sent[i])
		if !ok {
			return nil, false
		}
		if params == nil {
			params = map[string]string{}
		}
		params[part[1:]] = value
	}
	return params, true
}

// veiled says that the pattern is this path's in other bytes: what is given stands in
// it with needless escapes, so that a free part must not take its place.
func (p pattern) veiled(sent []string) bool {
	if len(sent) != len(p) {
		return false
	}
	escaped := false
	for i, part := range p {
		if isFree(part) || sent[i] == part {
			continue
		}
		if value, err := url.PathUnescape(sent[i]); err != nil || value != part {
			return false
		}
		escaped = true
	}
	return escaped
}

// decodePart decodes a part of a path once. What could be read as another path by
// whoever looks at it next is no part: slashes, dots alone, what is still encoded.
func decodePart(sent string) (string, bool) {
	value, err := url.PathUnescape(sent)
	if err != nil || value == "" || len(value) > maxParam || value == "." || value == ".." || !utf8.ValidString(value) {
		return "", false
	}
	if strings.ContainsAny(value, `/\;%`) || strings.ContainsFunc(value, unicode.IsControl) {
		return "", false
	}
	return value, true
}

// splitPath gives the parts of what stands behind a channel's own path.
func splitPath(rest string) []string {
	if rest == "" {
		return nil
	}
	return strings.Split(rest, "/")
}

// A found is the endpoint of a path within a channel.
type found struct {
	route  *mountedRoute // nil: no route of the method
	params map[string]string
	allow  string // empty: no route at all
}

// find gives the most specific route of a method, and which methods there are.
func (mc *mountedChannel) find(rest, method string) found {
	if method == "HEAD" {
		method = "GET"
	}
	sent, at := splitPath(rest), map[string]*route{}
	var f found
	for _, r := range mc.routes {
		params, ok := r.pattern.match(sent)
		if !ok && len(at) == 0 && r.pattern.veiled(sent) {
			return found{} // it stands before the others
		}
		if !ok {
			continue
		}
		at[r.method] = &r.route
		if r.method == method && f.route == nil {
			f.route, f.params = r, params
		}
	}
	if len(at) > 0 {
		f.allow = allowed(at)
	}
	return f
}

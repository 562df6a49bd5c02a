package github

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// methods that a route may begin with.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

var placeholder = regexp.MustCompile(`\{\+?[A-Za-z_][A-Za-z0-9_]*\}|/:[A-Za-z_][A-Za-z0-9_]*`)

// route makes a request of a route and its params.
func (c *Client) route(text string, params json.RawMessage) (*request, error) {
	method, path, found := strings.Cut(strings.TrimSpace(text), " ")
	if !found {
		method, path = http.MethodGet, method
	}
	r := &request{method: strings.ToUpper(method)}
	if !slices.Contains(methods, r.method) {
		return nil, fmt.Errorf("%q is no route: it looks like GET /repos/{owner}/{repo}", text)
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(path), c.base.String()), "?")
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return nil, fmt.Errorf("%q is no route of %s: it looks like GET /repos/{owner}/{repo}", text, c.base)
	}
	fields, err := readParams(params)
	if err != nil {
		return nil, err
	}
	if r.path, err = fill(path, fields); err != nil {
		return nil, err
	}
	if r.query, err = url.ParseQuery(query); err != nil {
		return nil, fmt.Errorf("the query of %q cannot be read", text)
	}
	return r, r.rest(fields)
}

func readParams(params json.RawMessage) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(params)) == 0 {
		return fields, nil
	}
	if err := json.Unmarshal(params, &fields); err != nil {
		return nil, errors.New("the params of a route are an object, such as {owner, repo}")
	}
	return fields, nil
}

// fill puts params into the places of a path and takes them out of fields. A value
// cannot leave its place: slashes in it are escaped, and dots alone are refused.
func fill(path string, fields map[string]json.RawMessage) (string, error) {
	var errs []error
	var used []string
	filled := placeholder.ReplaceAllStringFunc(path, func(place string) string {
		before, name := "", strings.Trim(place, "{+}/:")
		if place[0] == '/' {
			before = "/"
		}
		value, err := scalar(fields[name])
		switch {
		case err != nil || value == "" && name != "path":
			errs = append(errs, fmt.Errorf("%s needs %s, a text or a number", path, name))
		case value == "." || value == "..":
			errs = append(errs, fmt.Errorf("%s cannot be %q", name, value))
		}
		used = append(used, name)
		return before + url.PathEscape(value)
	})
	for _, name := range used {
		delete(fields, name)
	}
	for part := range strings.SplitSeq(filled, "/") {
		if plain, err := url.PathUnescape(part); err != nil || plain == "." || plain == ".." {
			errs = append(errs, fmt.Errorf("%q has a part that is no name", path))
		}
	}
	return filled, errors.Join(errs...)
}

// scalar is a text, a number or a truth value as text.
func scalar(raw json.RawMessage) (string, error) {
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil && string(raw) != "null":
		return text, nil
	case len(raw) == 0 || bytes.ContainsAny(raw[:1], "[{n"):
		return "", errors.New("not a text or a number")
	}
	return string(raw), nil
}

// rest puts what is left of the params where it belongs.
func (r *request) rest(fields map[string]json.RawMessage) error {
	if err := r.apart(fields); err != nil {
		return err
	}
	if data, ok := fields["data"]; ok && hasBody(r.method) {
		r.body = data
		return nil
	}
	if hasBody(r.method) {
		if len(fields) == 0 && r.method == http.MethodDelete {
			return nil
		}
		body, err := json.Marshal(fields)
		r.body = body
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value, err := queryValue(fields[name])
		if err != nil {
			return fmt.Errorf("%s is no value for a query: give a text, a number, true, false, or an array of texts", name)
		}
		if value != nil {
			r.query.Set(name, *value)
		}
	}
	return nil
}

// queryValue is nil for null; arrays are joined with commas.
func queryValue(raw json.RawMessage) (*string, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	var texts []string
	if json.Unmarshal(raw, &texts) == nil {
		joined := strings.Join(texts, ",")
		return &joined, nil
	}
	value, err := scalar(raw)
	return &value, err
}

// apart reads headers and mediaType, and refuses what would lead elsewhere.
func (r *request) apart(fields map[string]json.RawMessage) error {
	if _, ok := fields["baseUrl"]; ok {
		return errors.New("baseUrl is a setting of the host: GITHUB_API_URL, or apiUrl of the channel")
	}
	var headers map[string]string
	var media struct{ Format string }
	for name, into := range map[string]any{"headers": &headers, "mediaType": &media} {
		if raw, ok := fields[name]; ok && json.Unmarshal(raw, into) != nil {
			return fmt.Errorf("%s cannot be read: it is an object of texts", name)
		}
		delete(fields, name)
	}
	r.header = http.Header{}
	for name, value := range headers {
		switch name = http.CanonicalHeaderKey(name); name {
		case "Authorization", "Host", "Cookie", "Content-Length", "Content-Type":
			return fmt.Errorf("the header %s is the host's own", name)
		case "Accept":
			r.accept = value
		default:
			r.header.Set(name, value)
		}
	}
	if media.Format != "" {
		r.accept = "application/vnd.github." + media.Format
	}
	return nil
}

package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A result is what Call gives.
type result struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Data    json.RawMessage   `json:"data"`
}

// Call asks a route, such as "GET /repos/{owner}/{repo}/pulls/{pull_number}". Params
// fill the places in the path; the others are the query, or the body where the method
// has one. Three are apart: headers, mediaType.format (such as "diff"), and data, which
// is the body as it is. The result is {status, headers, data}, data a string where the
// answer is no JSON. An answer that is no success is an *Error.
func (c *Client) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	r, err := c.route(method, params)
	if err != nil {
		return nil, fmt.Errorf("github: %w", err)
	}
	a, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	out := result{Status: a.status, Headers: map[string]string{}, Data: dataOf(a)}
	for name, values := range a.header {
		if name != "Set-Cookie" {
			out.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
	}
	return json.Marshal(out)
}

// dataOf is a body as JSON.
func dataOf(a *answer) json.RawMessage {
	switch {
	case len(a.body) == 0:
		return json.RawMessage("null")
	case strings.Contains(a.header.Get("Content-Type"), "json") && json.Valid(a.body):
		return a.body
	}
	text, _ := json.Marshal(string(a.body)) // a string is always JSON
	return text
}

// ask sends and reads JSON; out nil: what comes back does not matter.
func (c *Client) ask(ctx context.Context, r *request, body, out any) error {
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("github: %w", err)
		}
		r.body = b
	}
	a, err := c.do(ctx, r)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(a.body, out); err != nil {
		return fmt.Errorf("github: the answer to %s %s is not what the API promises: %w", r.method, r.path, err)
	}
	return nil
}

// hasBody says whether what is left of params is the body.
func hasBody(method string) bool { return method != http.MethodGet && method != http.MethodHead }

package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
)

var methodForm = regexp.MustCompile(`^[a-zA-Z]+(\.[a-zA-Z0-9]+)+$`)

// Call asks a method, such as "chat.postMessage", with an object of params. The result is
// the answer as it came. One that is not ok is an *Error.
func (c *Client) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if !methodForm.MatchString(method) {
		return nil, fmt.Errorf("slack: %q is no method: it looks like chat.postMessage", method)
	}
	form, err := formOf(params)
	if err != nil {
		return nil, fmt.Errorf("slack: %s: %w", method, err)
	}
	a, err := c.do(ctx, method, form)
	if err != nil {
		return nil, err
	}
	return a.body, nil
}

// formOf writes params as a form: texts as they are, what is more than one value as JSON.
func formOf(params json.RawMessage) (url.Values, error) {
	form := url.Values{}
	if len(bytes.TrimSpace(params)) == 0 {
		return form, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(params, &fields); err != nil {
		return nil, errors.New("the params of a method are an object, such as {channel, text}")
	}
	for name, raw := range fields {
		var text string
		switch {
		case name == "token":
			return nil, errors.New("token is the host's own: leave it out")
		case string(raw) == "null":
		case json.Unmarshal(raw, &text) == nil:
			form.Set(name, text)
		default:
			form.Set(name, string(raw))
		}
	}
	return form, nil
}

// ask sends params and reads JSON; out nil: what comes back does not matter.
func (c *Client) ask(ctx context.Context, method string, params, out any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("slack: %w", err)
	}
	body, err := c.Call(ctx, method, raw)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("slack: the answer to %s is not what the API promises: %w", method, err)
	}
	return nil
}

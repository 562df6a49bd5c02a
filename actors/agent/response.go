package agent

import (
	"bytes"
	"net/http"
	"strings"
)

// JSON makes a response of a value, as encoding/json writes it. The error says that
// JSON cannot hold it.
func JSON(status int, value any) (*Response, error) {
	raw, err := encode(value)
	if err != nil {
		return nil, err
	}
	return &Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: bytes.NewReader(raw)}, nil
}

// Text makes a response of a plain text.
func Text(status int, text string) *Response {
	return &Response{Status: status, Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, Body: strings.NewReader(text)}
}

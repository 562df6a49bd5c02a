package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Codes of an Error that callers branch on.
const (
	CodeUnauthorized   = "unauthorized"
	CodeNotFound       = "not_found"
	CodeUnknownSession = "unknown_session"
	CodeUnknownTool    = "unknown_tool"
	CodeUnknownAgent   = "unknown_agent"
	CodeInvalidInput   = "invalid_input"
	CodeDraining       = "draining"
)

// An Error is an answer that is not a 2xx.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Code is the error code of the body, empty where the answer was not the API's.
	Code    string
	Message string
	// Issues say what was wrong with a body or an input.
	Issues []Issue
	// Available names the tools that there are, of an unknown_tool.
	Available []string
	// RequestID names the request in the host's log, where that says more.
	RequestID string
	// RetryAfter is what the host asked for, 0 where it did not.
	RetryAfter time.Duration
}

// An Issue is one fault: where and what.
type Issue struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Error is one line: what the host said, and its code.
func (e *Error) Error() string {
	message := e.Message
	if message == "" {
		message = http.StatusText(e.Status)
	}
	sep := ": "
	for _, is := range e.Issues {
		if strings.Contains(message, is.Message) { // the message is its first issue
			continue
		}
		message += sep + is.Message
		if is.Path != "" {
			message += " (at " + is.Path + ")"
		}
		sep = "; "
	}
	if e.Code == "" {
		return fmt.Sprintf("%s (status %d)", message, e.Status)
	}
	if e.RequestID != "" {
		return fmt.Sprintf("%s (%s): the host's log says more under request %s", message, e.Code, e.RequestID)
	}
	return fmt.Sprintf("%s (%s)", message, e.Code)
}

// readError makes an *Error of an answer, whatever its body is.
func readError(resp *http.Response) error {
	var body struct {
		Error     string
		Message   string
		Issues    []Issue
		Available []string
		RequestID string
	}
	b, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	e := &Error{Status: resp.StatusCode}
	if json.Unmarshal(b, &body) == nil {
		e.Code, e.Message, e.Issues, e.Available = body.Error, body.Message, body.Issues, body.Available
		e.RequestID = body.RequestID
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(s) * time.Second
	}
	return e
}

// HasCode says whether err is an answer with this code.
func HasCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// An UnreachableError says that no answer came.
type UnreachableError struct {
	// URL is what was asked, without its path.
	URL string
	Err error
}

// Error names the URL and the cause.
func (e *UnreachableError) Error() string {
	cause := e.Err
	var wrapped *url.Error
	if errors.As(cause, &wrapped) {
		cause = wrapped.Err
	}
	return fmt.Sprintf("no answer from %s: %v", e.URL, cause)
}

// Unwrap gives the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// unreachable wraps what kept an answer from coming; a context's end stays as it is.
func unreachable(base string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &UnreachableError{URL: base, Err: err}
}

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/openai/openai-go/v3/option"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/retry"
	"github.com/gobdk/bdk/events"
)

const (
	maxErrorBody    = 64 << 10
	maxErrorMessage = 500
)

// A statusError is an answer that is no stream.
type statusError struct {
	status int
	after  time.Duration
	body   apiError
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d", e.status) }

// A formatError is a 200 with something else than a stream.
type formatError struct{ mediaType string }

func (e *formatError) Error() string {
	return "the server answered with " + e.mediaType + " instead of a stream of chunks; is the base URL right?"
}

// intercept takes refusals before the SDK does, which reads them without a bound
// and gives up on those that are no JSON.
func (m *Model) intercept(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(r)
	if err != nil {
		return nil, err
	}
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	isStream := mediaType != "text/html" && mediaType != "application/json"
	if resp.StatusCode < 300 && isStream {
		return resp, nil
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what came is enough
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(raw, &body) // no JSON: no message
	if resp.StatusCode < 300 {
		if len(body.Error) > 0 && string(body.Error) != "null" {
			return nil, &errorFrame{parseError(body.Error)}
		}
		return nil, &formatError{mediaType}
	}
	return nil, &statusError{status: resp.StatusCode, after: retry.After(resp.Header, time.Now()), body: parseError(body.Error)}
}

// An apiError is what providers say of a failure.
type apiError struct {
	Message string
	// Code is a word such as "context_length_exceeded"; Type a wider one.
	Code string
	Type string
	// Status is a code that is a number, as some servers send it.
	Status int
}

// parseError reads an object or a text.
func parseError(raw json.RawMessage) apiError {
	var e apiError
	if json.Unmarshal(raw, &e.Message) == nil {
		return e
	}
	var o struct {
		Message any `json:"message"`
		Code    any `json:"code"`
		Type    any `json:"type"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return e
	}
	e.Message, _ = o.Message.(string)
	e.Type, _ = o.Type.(string)
	switch c := o.Code.(type) {
	case string:
		e.Code = c
	case float64:
		if c >= 100 && c < 600 {
			e.Status = int(c)
		}
	}
	return e
}

// failure says what an attempt's error means. emitted: output was given on, so the
// host alone may start the step again.
func (m *Model) failure(ctx context.Context, w *watched, err error, emitted bool) *retry.Failure {
	f := m.classify(ctx, w, err)
	f.Err.Broken = emitted
	f.Again = f.Again && !emitted
	f.Err.Message = m.o.Name + ": " + m.sentence(f.Err.Message)
	if f.Err.Code == "" {
		f.Err.Code = events.FailModel
	}
	return f
}

func (m *Model) classify(ctx context.Context, w *watched, err error) *retry.Failure {
	var status *statusError
	var frame *errorFrame
	var format *formatError
	switch {
	case ctx.Err() != nil:
		return &retry.Failure{Err: &model.Error{Message: "the request was stopped", Err: ctx.Err()}}
	case w.stalled():
		return &retry.Failure{Err: &model.Error{Message: "nothing came for too long; the answer stalled", Err: errStalled}, Again: true}
	case errors.As(err, &status):
		return &retry.Failure{Err: &model.Error{
			Message: message(status.body, http.StatusText(status.status)), Status: status.status,
			Code: code(status.status, status.body), RetryAfter: status.after, Err: err,
		}, Again: retry.Status(status.status) && status.body.Code != "insufficient_quota"}
	case errors.As(err, &frame):
		b := frame.body
		return &retry.Failure{Err: &model.Error{
			Message: message(b, "the provider broke off the answer"), Status: b.Status, Code: code(b.Status, b), Err: err,
		}, Again: frameAgain(b)}
	case errors.As(err, &format):
		return &retry.Failure{Err: &model.Error{Message: format.Error(), Err: err}}
	}
	for _, known := range []error{errNoEnd, errGarbage, errEmpty, errFailed, errGlued, errManyCalls, errTooLong} {
		if errors.Is(err, known) {
			return &retry.Failure{Err: &model.Error{Message: known.Error(), Err: err}, Again: true}
		}
	}
	return &retry.Failure{Err: &model.Error{Message: "the connection failed: " + cause(err), Err: err}, Again: true}
}

// cause drops what net/http puts around a fault: method and URL, which may hold secrets.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// frameAgain: a fault inside a stream is the provider's, unless it says that it is ours.
func frameAgain(b apiError) bool {
	if b.Status != 0 {
		return retry.Status(b.Status)
	}
	return b.Type != "invalid_request_error" && code(0, b) == ""
}

// code finds the failures that the host tells apart; empty for another.
func code(status int, b apiError) string {
	said := strings.ToLower(b.Message)
	ours := status == 0 || status == 400 || status == 413 || status == 422
	switch {
	case b.Code == "context_length_exceeded":
		return events.FailContextOverflow
	case ours && (strings.Contains(said, "maximum context length") || strings.Contains(said, "context window") || strings.Contains(said, "prompt is too long")):
		return events.FailContextOverflow
	case b.Code == "content_filter", b.Code == "content_policy_violation":
		return events.FailContentFilter
	}
	return ""
}

func message(b apiError, otherwise string) string {
	if strings.TrimSpace(b.Message) != "" {
		return b.Message
	}
	return otherwise
}

// sentence is one line of bounded length without the key.
func (m *Model) sentence(s string) string {
	if m.o.APIKey != "" {
		s = strings.ReplaceAll(s, m.o.APIKey, "[key]")
	}
	s = strings.Join(strings.Fields(clean(s)), " ")
	if len(s) <= maxErrorMessage {
		return s
	}
	n := maxErrorMessage
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

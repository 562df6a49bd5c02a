package github

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gobdk/bdk/actors/surface"
)

// An Error is an answer of the API that is no success.
type Error struct {
	Status int
	Method string
	// Path is what was asked, without the API's own URL and the query.
	Path string
	// Message is GitHub's, with its issues; it may be empty.
	Message string
	// Wait is how long GitHub asks to wait, where it was longer than the client waits.
	Wait time.Duration
	// Answer is the body, where it is JSON.
	Answer json.RawMessage
}

// Error says what was asked and what GitHub said.
func (e *Error) Error() string {
	said := e.Message
	if said == "" {
		said = http.StatusText(e.Status)
	}
	text := fmt.Sprintf("GitHub answered %d to %s %s: %s", e.Status, e.Method, e.Path, said)
	if e.Wait > 0 {
		text += fmt.Sprintf(" (it asks to wait for %s)", e.Wait.Round(time.Second))
	}
	return text
}

// HTTPStatus is Status, for callers that know no GitHub.
func (e *Error) HTTPStatus() int { return e.Status }

// maxSaid bounds what is shown of GitHub's own message.
const maxSaid = 1000

// refusal makes an Error of an answer.
func (c *Client) refusal(r *request, a *answer) *Error {
	e := &Error{Status: a.status, Method: r.method, Path: r.path}
	var body struct {
		Message string            `json:"message"`
		Errors  []json.RawMessage `json:"errors"`
	}
	if json.Valid(a.body) {
		e.Answer = a.body
	}
	if json.Unmarshal(a.body, &body) != nil {
		return e
	}
	e.Message = body.Message
	for _, issue := range body.Errors {
		e.Message += "; " + issueText(issue)
	}
	if len(e.Message) > maxSaid {
		e.Message = surface.Cut(e.Message, maxSaid) + "…"
	}
	e.Message = c.secret.Text(e.Message)
	return e
}

// issueText is one entry of errors: a text, or an object with a message or a code.
func issueText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var issue struct{ Resource, Field, Code, Message string }
	_ = json.Unmarshal(raw, &issue) // another shape has no fields
	if issue.Message != "" {
		return issue.Message
	}
	return fmt.Sprintf("%s.%s: %s", issue.Resource, issue.Field, issue.Code)
}

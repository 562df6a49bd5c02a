package slack

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/surface"
)

// An Error is an answer of the API that is no success.
type Error struct {
	Method string
	// Code is Slack's name for what is wrong, such as channel_not_found; empty where the
	// answer names nothing.
	Code   string
	Status int
	// Needed are the scopes that are missing, where that is what is wrong.
	Needed string
	// Wait is how long Slack asks to wait, where it was longer than the client waits.
	Wait time.Duration
	// Answer is the body, where it is JSON.
	Answer json.RawMessage
}

// Error says what was asked and what Slack said.
func (e *Error) Error() string {
	said := e.Code
	if said == "" {
		said = fmt.Sprintf("status %d", e.Status)
	}
	text := fmt.Sprintf("Slack answered %s to %s", said, e.Method)
	if e.Needed != "" {
		text += " (the app needs the scope " + e.Needed + ")"
	}
	if e.Wait > 0 {
		text += fmt.Sprintf(" (it asks to wait for %s)", e.Wait.Round(time.Second))
	}
	return text
}

// HTTPStatus is Status, for callers that know no Slack.
func (e *Error) HTTPStatus() int { return e.Status }

// AnswerData is Answer, for callers that know no Slack.
func (e *Error) AnswerData() json.RawMessage { return e.Answer }

// codeOf is Slack's name for what is wrong; empty for other errors.
func codeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// refusal makes an Error of an answer.
func (c *Client) refusal(method string, a *answer) *Error {
	e := &Error{Method: method, Status: a.status}
	if json.Valid(a.body) {
		e.Answer = a.body
	}
	e.Code = surface.OneLine(c.secret.Text(a.said.Error), 100)
	e.Needed = surface.OneLine(a.said.Needed, 200)
	return e
}

package script

import (
	"context"
	"errors"
)

// A callEnded is the outcome of a call whose context ended first. It wraps the cause.
type callEnded struct{ cause error }

func (e *callEnded) Error() string { return "the call was ended: " + endText(e.cause) }
func (e *callEnded) Unwrap() error { return e.cause }

// endText says in words why a context ended.
func endText(cause error) string {
	switch {
	case errors.Is(cause, context.DeadlineExceeded):
		return "the time limit passed"
	case errors.Is(cause, context.Canceled):
		return "cancelled"
	}
	return cause.Error()
}

// endName is the name of the DOMException that tells a signal of the end.
func endName(cause error) string {
	if errors.Is(cause, context.DeadlineExceeded) {
		return "TimeoutError"
	}
	return "AbortError"
}

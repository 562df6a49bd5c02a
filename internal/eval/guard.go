package eval

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// A panicError is a panic of what a run stands on.
type panicError struct {
	fault any
	stack []byte
}

// Error says what the panic said; the stack is for the log.
func (e *panicError) Error() string { return fmt.Sprintf("it panicked: %v", e.fault) }

// guarded gives a panic of f as its error.
func guarded(f func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &panicError{fault, debug.Stack()}
		}
	}()
	return f()
}

// A timeUp ends the context of what took longer than it may.
type timeUp struct{ limit time.Duration }

// Error names the limit.
func (e *timeUp) Error() string { return fmt.Sprintf("it took longer than its %s", e.limit) }

// Is makes it a context.DeadlineExceeded.
func (e *timeUp) Is(target error) bool { return target == context.DeadlineExceeded }

// An overdueError says that code did not notice that its time was over.
type overdueError struct{ cause error }

// Error says so.
func (e *overdueError) Error() string {
	return fmt.Sprintf("%v, and it did not stop when asked", e.cause)
}

// Unwrap gives why it was asked.
func (e *overdueError) Unwrap() error { return e.cause }

// within runs f with a context that ends after limit. What f gives counts, also when it
// noticed the end. One that has not returned a grace after that is left behind: its
// goroutine ends when f does, and what it gives then is dropped.
func within[T any](ctx context.Context, c clock.Clock, limit, grace time.Duration, f func(ctx context.Context) (T, error)) (out T, err error) {
	type outcome struct {
		v   T
		err error
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer c.AfterFunc(limit, func() { cancel(&timeUp{limit}) }).Stop()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = guarded(func() (err error) { o.v, err = f(ctx); return err })
		done <- o
	}()
	select {
	case o := <-done:
		return o.v, o.err
	case <-ctx.Done():
	}
	left := make(chan struct{})
	defer c.AfterFunc(grace, func() { close(left) }).Stop()
	select {
	case o := <-done:
		return o.v, o.err
	case <-left:
		return out, &overdueError{context.Cause(ctx)}
	}
}

package actors

import (
	"context"
	"fmt"
	"time"
)

// A limitError says that an author's handler took longer than it may.
type limitError struct{ limit time.Duration }

// Error names the limit.
func (e *limitError) Error() string {
	return fmt.Sprintf("the handler took longer than its limit of %s", e.limit)
}

// limited runs an author's code with a ctx that ends at a time limit. Code that does
// not notice is left behind a moment later: what it gives then is dropped. The caller
// is counted among the effects and holds the agent. The code's ctx outlives the call
// where it ended in time; its parent ends it.
func limited[T any](ctx context.Context, r *agentRuntime, limit time.Duration, f func(ctx context.Context) (T, error)) (out T, err error) {
	type outcome struct {
		v   T
		err error
	}
	ctx, cancel := context.WithCancelCause(ctx)
	late, left := &limitError{limit}, make(chan struct{})
	over := r.h.o.Clock.AfterFunc(limit, func() { cancel(late) })
	defer over.Stop()
	overdue := r.h.o.Clock.AfterFunc(limit+overdueGrace, func() { close(left) })
	defer overdue.Stop()
	done := make(chan outcome, 1)
	r.hold()
	r.h.effects.Add(1)
	r.h.spawnEffect(func() {
		defer r.release()
		v, err := guarded(func() (T, error) { return f(ctx) })
		done <- outcome{v, err}
	}, func(any) {})
	select {
	case o := <-done:
		if context.Cause(ctx) == error(late) {
			o.err = late
		}
		return o.v, o.err
	case <-left:
		return out, late
	}
}

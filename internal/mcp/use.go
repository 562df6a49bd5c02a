package mcp

import (
	"context"
	"errors"
	"time"
)

// stuckAfter is how long a call may go on after it was cancelled, before its
// server counts as stuck and is given up.
const stuckAfter = 5 * time.Second

// use runs f on the connection's line, and once more on a new one where no server
// has begun with it. When ctx ends it returns at once, whatever the server does: the
// rest is left to a goroutine of the pool.
func (c *client) use(ctx context.Context, f func(ctx context.Context, l line) ([]byte, error)) ([]byte, error) {
	out, err := c.once(ctx, f)
	if errors.Is(err, errUnsent) {
		out, err = c.once(ctx, f)
	}
	return out, c.shown(ctx, err)
}

func (c *client) once(ctx context.Context, f func(ctx context.Context, l line) ([]byte, error)) ([]byte, error) {
	l, err := c.take(ctx)
	if err != nil {
		return nil, err
	}
	type outcome struct {
		raw []byte
		err error
	}
	done := make(chan outcome, 1)
	ended := make(chan struct{})
	work := func() {
		defer c.give(l)
		defer close(ended)
		raw, err := f(ctx, l)
		switch {
		case errors.Is(err, errUnsent):
			c.leave(l, true)
		case errors.Is(err, errDuring):
			c.drop(l)
		}
		done <- outcome{raw, err}
	}
	if !c.begin(work) {
		c.give(l)
		return nil, ErrClosed
	}
	select {
	case o := <-done:
		return o.raw, o.err
	case <-ctx.Done():
		c.giveUpLater(l, ended)
		return nil, context.Cause(ctx)
	}
}

// begin starts work of the pool, unless the pool is being closed.
func (c *client) begin(work func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shutdown {
		return false
	}
	c.p.work.Go(work)
	return true
}

// giveUpLater closes a line whose server lets a cancelled call not end.
func (c *client) giveUpLater(l line, ended <-chan struct{}) {
	over := make(chan struct{})
	timer := c.p.o.Clock.AfterFunc(stuckAfter, func() { close(over) })
	started := c.begin(func() {
		defer timer.Stop()
		select {
		case <-ended:
		case <-c.p.life.Done():
		case <-over:
			c.p.o.Logger.Warn().Str("connection", c.c.Name).Msg("the server does not answer, so the connection is closed")
			c.drop(l)
		}
	})
	if !started {
		timer.Stop()
	}
}

// shown gives the cause of an ended call, or the error as it may be shown.
func (c *client) shown(ctx context.Context, err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return c.ended(ctx)
	case errors.Is(err, ErrClosed), errors.As(err, &known): // it was not open, so nothing ran
		return err
	case errors.Is(err, errDuring):
		return &Error{Connection: c.c.Name, Reason: "it was lost before it answered", cause: err}
	}
	return c.p.clean(c.c, "", err)
}

// ended is why a context has, in words where it is by a limit of ours.
func (c *client) ended(ctx context.Context) error {
	var over *overtime
	if err := context.Cause(ctx); errors.As(err, &over) {
		return &Error{Connection: c.c.Name, Reason: over.Error(), cause: err}
	}
	return context.Cause(ctx)
}

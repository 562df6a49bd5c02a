package mcp

import (
	"context"
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// stuckAfter is how long a call may go on after it was cancelled, before its
// server counts as stuck and is given up.
const stuckAfter = 5 * time.Second

// use runs f on the connection's line. When ctx ends it returns at once, whatever
// the server does: the rest is left to a goroutine of the pool.
func (c *client) use(ctx context.Context, f func(ctx context.Context, l line) ([]byte, error)) ([]byte, error) {
	out, err := c.once(ctx, f)
	if errors.Is(err, sdk.ErrSessionMissing) { // the server did nothing: it forgot who we are
		out, err = c.once(ctx, f)
	}
	return out, err
}

func (c *client) once(ctx context.Context, f func(ctx context.Context, l line) ([]byte, error)) ([]byte, error) {
	l, err := c.take(ctx)
	if err != nil {
		return nil, c.shown(ctx, err)
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
		if err != nil && isLost(err) {
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
		return o.raw, c.shown(ctx, o.err)
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
		return context.Cause(ctx)
	case errors.Is(err, ErrClosed), errors.As(err, &known): // it was not open, so nothing ran
		return err
	case isLost(err):
		return &Error{Connection: c.c.Name, Reason: "it was lost during the call, so nobody knows whether the tool ran", cause: err}
	}
	return c.p.clean(c.c, "", err)
}

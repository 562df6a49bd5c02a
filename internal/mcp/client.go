package mcp

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/clock"
)

// Pauses between tries to open a client: twice as long each time.
const (
	firstPause = 500 * time.Millisecond
	mostPause  = 30 * time.Second
	// provenAfter is how long a client lives before its loss counts as no failure.
	provenAfter = 10 * time.Second
)

// A client is one connection: closed, being opened, or open.
type client struct {
	p *Pool
	c *agent.Connection

	mu   sync.Mutex
	line line // nil: not open
	// dropped is the newest one that was given up.
	dropped line
	opened  time.Time     // when line was
	wait    chan struct{} // closed when the try under way has ended; nil: none is
	err     error         // of the last try
	// failures in a row, and when the next try may be.
	failures int
	next     time.Time
	// mended counts Retry: a try from before it says nothing of now.
	mended   int
	users    int
	idle     clock.Timer
	shutdown bool
	said     string // the newest warning in the log

	known   *listing      // the newest that succeeded
	failed  *listing      // a later one that did not
	misses  int           // listings in a row that did not
	stale   bool          // the server says that its tools are others
	listing chan struct{} // closed when the listing under way has ended; nil: none is
	slow    chan struct{} // a listing that was waited for in vain
}

// take gives the open line, which the caller gives back.
func (c *client) take(ctx context.Context) (line, error) {
	c.mu.Lock()
	for {
		switch {
		case c.shutdown:
			c.mu.Unlock()
			return nil, ErrClosed
		case c.line != nil:
			c.users++
			c.stopIdleLocked()
			l := c.line
			c.mu.Unlock()
			return l, nil
		case c.wait == nil && c.p.o.Clock.Now().Before(c.next):
			err := c.err
			c.mu.Unlock()
			return nil, err
		}
		if c.wait == nil {
			c.openLocked()
		}
		wait, tried := c.wait, c.failures
		c.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		c.mu.Lock()
		if c.line == nil && c.failures > tried && c.err != nil {
			err := c.err
			c.mu.Unlock()
			return nil, err
		}
	}
}

// openLocked starts a try, which goes on whoever still waits for it.
func (c *client) openLocked() {
	wait, mended := make(chan struct{}), c.mended
	c.wait = wait
	c.p.work.Go(func() {
		defer close(wait)
		ctx, cancel := c.p.within(c.p.life, c.p.o.OpenWithin)
		defer cancel()
		l, err := c.p.open(ctx, c.c, c.changed)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.wait = nil
		if err != nil && mended != c.mended {
			return
		}
		if err != nil {
			c.err = c.p.clean(c.c, "it cannot be opened: ", err)
			c.failLocked()
			c.warnLocked(c.err, "a connection could not be opened")
			return
		}
		if c.shutdown {
			c.p.work.Go(l.close)
			return
		}
		c.line, c.opened, c.err = l, c.p.o.Clock.Now(), nil
		c.watch(l)
		c.idleLocked()
	})
}

// failLocked makes the next try wait.
func (c *client) failLocked() {
	pause := min(mostPause, firstPause<<min(c.failures, 10))
	c.failures++
	c.next = c.p.o.Clock.Now().Add(pause/2 + rand.N(pause/2))
}

// warnLocked logs what is wrong, once as long as it stays the same.
func (c *client) warnLocked(err error, message string) {
	if c.said == err.Error() {
		return
	}
	c.said = err.Error()
	log := c.p.o.Logger.Warn()
	if c.c.Optional {
		log = c.p.o.Logger.Debug()
	}
	log.Str("agent", c.p.o.Agent).Str("connection", c.c.Name).Err(err).Msg(message)
}

// watch lets go of a line whose server is gone.
func (c *client) watch(l line) {
	if l.over() == nil {
		return
	}
	c.p.work.Go(func() {
		<-l.over()
		c.drop(l)
	})
}

// drop closes a line that is of no use any more.
func (c *client) drop(l line) { c.leave(l, false) }

// leave is drop; forgotten says that the server is well and knows us no longer, so
// that it may be opened again at once, also where its loss was seen first.
func (c *client) leave(l line, forgotten bool) {
	c.mu.Lock()
	was := c.line == l
	if was {
		c.line, c.dropped = nil, l
		c.stopIdleLocked()
	}
	switch {
	case forgotten && c.dropped == l && c.wait == nil, was && c.p.o.Clock.Now().Sub(c.opened) >= provenAfter:
		c.failures, c.next = 0, time.Time{}
	case was:
		c.err = &Error{Connection: c.c.Name, Reason: "it was lost, and is tried again in a while", cause: errLost}
		c.failLocked()
	}
	c.mu.Unlock()
	l.close()
}

// give gives back a line.
func (c *client) give(l line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users--
	if c.line == l {
		c.idleLocked()
	}
}

// idleLocked closes the line when nobody uses it for a while.
func (c *client) idleLocked() {
	c.stopIdleLocked()
	if c.users > 0 || c.line == nil || c.shutdown {
		return
	}
	l := c.line
	c.idle = c.p.o.Clock.AfterFunc(c.p.o.IdleAfter, func() {
		c.mu.Lock()
		if c.line != l || c.users > 0 || c.shutdown {
			c.mu.Unlock()
			return
		}
		c.line = nil
		c.failures, c.next = 0, time.Time{}
		c.p.work.Go(l.close)
		c.mu.Unlock()
	})
}

func (c *client) stopIdleLocked() {
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

// changed is told by the server.
func (c *client) changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stale = true
}

// shut closes the client for good.
func (c *client) shut() {
	c.mu.Lock()
	c.shutdown = true
	l := c.line
	c.line = nil
	c.stopIdleLocked()
	c.mu.Unlock()
	if l != nil {
		l.close()
	}
}

// within bounds ctx by the pool's clock.
func (p *Pool) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := p.o.Clock.AfterFunc(d, func() { cancel(&overtime{d}) })
	return ctx, func() { timer.Stop(); cancel(nil) }
}

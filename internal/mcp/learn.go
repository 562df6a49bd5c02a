package mcp

import (
	"context"
	"sync"
	"time"
)

// mostRest is the longest pause after listings that failed.
const mostRest = 10 * time.Minute

// Learn asks for the tools of the connections that the model sees, where they are
// not known or are old, side by side. It returns when all have answered or ctx
// ends; what is slower goes on, and is not waited for again. Tools that are known
// are asked for again without waiting, unless live says that the newest are wanted.
func (p *Pool) Learn(ctx context.Context, live bool) {
	var all sync.WaitGroup
	for _, c := range p.clients {
		if !shows(c.c) {
			continue
		}
		if wait := c.learn(live); wait != nil {
			all.Go(func() {
				select {
				case <-wait:
				case <-ctx.Done():
					c.tooSlow(wait)
				}
			})
		}
	}
	all.Wait()
}

// learn starts a listing where one is due. It gives what is closed when it has
// ended, nil where nobody needs to wait.
func (c *client) learn(live bool) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.known != nil && c.failed == nil
	switch {
	case c.shutdown, !live && c.restsLocked(), known && (c.c.Agent != "" || !live && c.freshLocked()):
		return nil
	case c.listing == nil:
		c.listLocked()
	}
	if !live && (known || c.listing == c.slow) {
		return nil
	}
	return c.listing
}

func (c *client) freshLocked() bool {
	return !c.stale && c.p.o.Clock.Now().Sub(c.known.at) < c.p.o.FreshFor
}

// restsLocked says whether a listing failed a moment ago.
func (c *client) restsLocked() bool {
	if c.failed == nil {
		return false
	}
	rest := min(mostRest, 10*time.Second<<min(c.misses, 10))
	return c.p.o.Clock.Now().Sub(c.failed.at) < rest
}

func (c *client) tooSlow(listing chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listing == listing && c.slow != listing {
		c.slow = listing
		c.p.o.Logger.Warn().Str("agent", c.p.o.Agent).Str("connection", c.c.Name).Msg("a connection does not tell its tools in time, so they are left out for now")
	}
}

func (c *client) listLocked() {
	done := make(chan struct{})
	mended := c.mended
	c.listing, c.stale = done, false
	c.p.work.Go(func() {
		defer close(done)
		ctx, cancel := c.p.within(c.p.life, 2*c.p.o.OpenWithin)
		defer cancel()
		l := c.list(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.listing = nil
		if l.err != nil && mended != c.mended {
			return
		}
		if l.err != nil {
			c.failed = l
			c.misses++
			return
		}
		c.known, c.failed, c.misses, c.said = l, nil, 0, ""
	})
}

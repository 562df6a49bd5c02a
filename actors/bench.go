package actors

import (
	"context"
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// benchGrace is how long the workspace tools of a turn wait for what is left of those
// of the turn before it, whose processes live no longer.
const benchGrace = 5 * time.Second

// benches keep the workspace tools of one turn from working beside those of another
// turn of the session: a turn that was interrupted ends at once, its processes a
// little later. The zero value is ready.
type benches struct {
	mu   sync.Mutex
	open map[string]*bench // by session
}

// A bench is where the tools of one session work.
type bench struct {
	busy  map[string]int // turn → tools that work
	users int            // those that work or wait
	// left is closed when a tool has left, and made anew.
	left chan struct{}
}

// enter waits until no tool of another turn works, for the grace at most. The error
// is that of ctx; otherwise the caller calls leave when its work is done.
func (b *benches) enter(ctx context.Context, c clock.Clock, session, turn string) (leave func(), err error) {
	over := make(chan struct{})
	timer := c.AfterFunc(benchGrace, func() { close(over) })
	defer timer.Stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.benchLocked(session)
	for waited := false; !waited && one.othersWork(turn) && ctx.Err() == nil; {
		left := one.left
		b.mu.Unlock()
		select {
		case <-left:
		case <-ctx.Done():
		case <-over:
			waited = true
		}
		b.mu.Lock()
	}
	for t := range one.busy {
		if t != turn && ctx.Err() == nil { // what the kernel holds is waited for once
			delete(one.busy, t)
		}
	}
	if ctx.Err() != nil {
		b.releaseLocked(session, one)
		return nil, context.Cause(ctx)
	}
	one.busy[turn]++
	return func() { b.leave(session, turn, one) }, nil
}

func (b *benches) benchLocked(session string) *bench {
	if b.open == nil {
		b.open = map[string]*bench{}
	}
	one := b.open[session]
	if one == nil {
		one = &bench{busy: map[string]int{}, left: make(chan struct{})}
		b.open[session] = one
	}
	one.users++
	return one
}

func (b *benches) releaseLocked(session string, one *bench) {
	if one.users--; one.users == 0 {
		delete(b.open, session)
	}
}

func (o *bench) othersWork(turn string) bool {
	return len(o.busy) > 1 || len(o.busy) == 1 && o.busy[turn] == 0
}

func (b *benches) leave(session, turn string, one *bench) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one.busy[turn]--; one.busy[turn] <= 0 {
		delete(one.busy, turn)
	}
	close(one.left)
	one.left = make(chan struct{})
	b.releaseLocked(session, one)
}

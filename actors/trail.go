package actors

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// A trail is the work that a call of the author's code leaves behind: its
// agent.Call.WaitUntil. It holds the agent until the work has ended.
type trail struct {
	h     *Host
	agent *agentRuntime
	ctx   context.Context // of the work
	// awaited says that Close waits for the work as it does for turns.
	awaited bool

	mu   sync.Mutex
	over bool // the call has ended
}

// trail gives that of a call that is about to run on a counted goroutine.
func (r *agentRuntime) trail(ctx context.Context, awaited bool) *trail {
	return &trail{h: r.h, agent: r, ctx: ctx, awaited: awaited}
}

// run begins a piece of work and says whether it did: after the end of the call it is
// not begun where the host drains or the agent was closed.
func (t *trail) run(work func(ctx context.Context)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		if err := t.h.enter(); err != nil {
			t.h.o.Logger.Warn().Str("agent", t.agent.Slug).Msg("work that was to go on after its call was not begun: the host stops")
			return false
		}
	} else {
		t.h.effects.Add(1)
	}
	if !t.agent.hold() {
		t.h.effects.Done()
		return false
	}
	if t.awaited {
		t.h.hooking.Add(1)
	}
	t.h.spawnEffect(func() {
		defer t.agent.release()
		defer func() {
			if t.awaited {
				t.h.hooking.Add(-1)
			}
		}()
		defer func() {
			if fault := recover(); fault != nil {
				t.h.o.Logger.Error().Str("agent", t.agent.Slug).Str("fault", fmt.Sprint(fault)).Bytes("stack", debug.Stack()).Msg("work after a call panicked")
			}
		}()
		work(t.ctx)
	}, func(any) {})
	return true
}

// end says that the call has ended.
func (t *trail) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
}

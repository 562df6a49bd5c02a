package script

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
)

// A lasting is what keeps a call usable after its answer: the body of its response,
// and what it gave to waitUntil. The caller, the body and each such promise hold it;
// with the last of them the call's context ends.
type lasting struct {
	holders atomic.Int32
	// cancel ends the call's context; end does what is due when nobody holds it.
	cancel context.CancelFunc
	end    func()

	// What follows belongs to the loop. left says that the caller waits no more.
	answered, left bool
	body           *replyBody
}

// hold adds a holder, unless the call has ended.
func (l *lasting) hold() bool {
	for {
		n := l.holders.Load()
		if n == 0 {
			return false
		}
		if l.holders.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (l *lasting) release() {
	for {
		n := l.holders.Load()
		if n == 0 {
			return // it was dropped
		}
		if l.holders.CompareAndSwap(n, n-1) {
			if n == 1 {
				l.end()
			}
			return
		}
	}
}

// drop ends the call whoever holds it, since its VM ends.
func (l *lasting) drop() {
	if l.holders.Swap(0) > 0 {
		l.end()
	}
}

// runLasting runs a call that may go on after its answer. The caller releases the
// call that it is given, when there is no error.
func (r *Runtime) runLasting(ctx context.Context, c *agent.Call, op, module, text string) (json.RawMessage, *call, *vm, error) {
	if ctx.Err() != nil {
		return nil, nil, nil, context.Cause(ctx)
	}
	v, err := r.take(ctx, c)
	if err != nil {
		return nil, nil, nil, err
	}
	k := newLasting(ctx, v, c, module)
	if !v.queue.post(func() { v.begin(k, op, module, text) }) {
		k.lasting.release()
		return nil, nil, nil, ErrClosed
	}
	answer, err := v.await(ctx, k)
	if err != nil {
		v.queue.post(k.leave)
		k.lasting.release()
		return nil, nil, nil, err
	}
	return answer, k, v, nil
}

// newLasting makes a call that its caller holds.
func newLasting(ctx context.Context, v *vm, c *agent.Call, module string) *call {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	k := &call{ctx: own, call: c, module: module, done: make(chan outcome, 1), lasting: &lasting{cancel: cancel}}
	k.lasting.holders.Store(1)
	k.lasting.end = func() {
		cancel()
		v.queue.post(func() { delete(v.calls, k.id) })
		v.users.Done()
	}
	return k
}

// leave says that nobody will read a body of the call.
func (c *call) leave() {
	c.lasting.left = true
	if c.lasting.body != nil {
		c.lasting.body.Close()
	}
}

// cut ends what a call still does, since its VM can run no more.
func (c *call) cut() {
	if c.lasting != nil {
		c.lasting.cancel()
	}
}

// A pendingWork is a promise of waitUntil that has not settled.
type pendingWork struct {
	once    sync.Once
	settled chan struct{}
}

// Close says that it has.
func (w *pendingWork) Close() error {
	w.once.Do(func() { close(w.settled) })
	return nil
}

// lastingOps serve waitUntil.
func lastingOps(o *ops) {
	o.sync("call.lasts", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.lasting == nil || c.call.WaitUntil == nil {
			return nil, errors.New("ctx.waitUntil is not available: nothing may outlive this call")
		}
		if !c.lasting.hold() {
			return nil, errCallEnded
		}
		w := &pendingWork{settled: make(chan struct{})}
		number := v.handles.add(w)
		c.call.WaitUntil(func(ctx context.Context) {
			defer c.lasting.release()
			select {
			case <-w.settled:
			case <-ctx.Done():
			case <-c.ctx.Done(): // the VM broke
			case <-v.ended:
			}
		})
		return number, nil
	})
	o.sync("call.lasted", func(v *vm, a args) (any, error) {
		if why := a.text(2); why != "" {
			v.abandoned(v.calls[a.integer(0)], v.fromThrown(why))
		}
		v.handles.close(a.integer(1))
		return nil, nil
	})
}

// abandoned logs what a promise of waitUntil was rejected with, whatever that is: nobody else
// hears of it. c is nil where its call has ended.
func (v *vm) abandoned(c *call, err error) {
	e, ok := err.(*Error)
	if ok && e.Code == CodeInterrupted && v.dog.closing() {
		return // what a VM that is closed breaks off is no fault of the project
	}
	if ok && c != nil && e.Place() != "" {
		v.tell(c, e)
		return
	}
	line, who := v.log().Warn(), "a handler"
	if c != nil {
		line, who = c.mark(line), c.module
	}
	line.Msg("what " + who + " gave to waitUntil was rejected: " + err.Error())
}

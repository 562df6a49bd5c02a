package script

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"modernc.org/quickjs"
)

// A vm is one JavaScript engine with its event loop. The engine, and every
// field without a note, is used on the loop's goroutine only.
type vm struct {
	rt *Runtime
	o  *Options
	js *quickjs.VM

	// queue takes jobs from any goroutine.
	queue *queue
	// ctx ends with the VM; quit asks the loop to end and ended says that it has.
	ctx   context.Context
	quit  context.CancelFunc
	ended chan struct{}
	// workers are the goroutines of host functions; users the calls in flight.
	workers sync.WaitGroup
	users   sync.WaitGroup
	// strikes counts interrupts. lost says that the VM ran out of memory or broke.
	strikes atomic.Int32
	lost    atomic.Bool
	dog     *watchdog
	maps    *sourceMap

	entries map[string]quickjs.Value
	// words are texts that every call brings again, as values of the engine.
	words  map[string]quickjs.Value
	timers *timers
	calls  map[int]*call
	// pending ends the host work of a promise, by the promise's id.
	pending map[int]context.CancelFunc
	handles *handles
	// fetches are the requests on their way, by their names.
	fetches map[string]*fetching
	seq     int
	// running is the call whose synchronous part runs now, nil for none.
	running atomic.Pointer[call]
	// behalf is the call that the running turn goes on for: it began in it, or started the
	// host work or the timer that came back. Nil: nobody knows.
	behalf atomic.Pointer[call]
	// pulling is the body whose stream this turn asks for a chunk, nil for none.
	pulling *replyBody
	// rejected says that promises without a handler wait to be reported.
	rejected bool
	loading  *loading
	// evaluating says that the project's modules have not all had their turn.
	evaluating atomic.Bool
	// looks is what the engine's interrupt handler is given.
	looks uintptr
}

// newVM makes an engine with the prelude in it, and starts its loop.
func newVM(r *Runtime) (*vm, error) {
	js, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("making a VM: %w", err)
	}
	js.SetMemoryLimit(uintptr(r.o.MemoryLimit))
	ctx, quit := context.WithCancel(context.Background())
	v := &vm{
		rt: r, o: r.o, js: js, queue: newQueue(), ctx: ctx, quit: quit, ended: make(chan struct{}),
		maps: r.bundle.maps, entries: map[string]quickjs.Value{}, words: map[string]quickjs.Value{}, timers: newTimers(), calls: map[int]*call{},
		pending: map[int]context.CancelFunc{}, handles: newHandles(), fetches: map[string]*fetching{},
	}
	v.evaluating.Store(true)
	v.dog = newWatchdog(js, r.o.LoadTimeout, &v.strikes)
	if err := v.prepare(); err != nil {
		quit()
		v.dog.stop()
		js.Close()
		return nil, err
	}
	go v.loop()
	return v, nil
}

// prepare registers the bridge and runs the prelude; the loop does not run yet.
func (v *vm) prepare() error {
	if err := v.js.RegisterHostFunc("__host", v.runSync); err != nil {
		return fmt.Errorf("registering the bridge: %w", err)
	}
	if err := v.js.RegisterHostFunc("__start", v.runAsync); err != nil {
		return fmt.Errorf("registering the bridge: %w", err)
	}
	code, err := prelude()
	if err != nil {
		return err
	}
	done, err := v.js.EvalBytecodeValue(code)
	if err != nil {
		return fmt.Errorf("running the prelude: %w", err)
	}
	done.Free()
	for _, name := range []string{"load", "loadModule", "call", "abort", "settle", "fire", "emit", "rejections", "stuck"} {
		f, err := v.js.EvalValue("__bdk.entries."+name, quickjs.EvalGlobal)
		if err != nil {
			return fmt.Errorf("reading the entry %s: %w", name, err)
		}
		v.entries[name] = f
	}
	if err := v.lookOften(); err != nil {
		return err
	}
	return v.trackRejections()
}

// log is the runtime's logger.
func (v *vm) log() *zerolog.Logger { return &v.o.Logger }

// worn says that a fresh VM should take this one's place.
func (v *vm) worn() bool { return v.lost.Load() || v.strikes.Load() >= maxStrikes }

// loop runs jobs and timers until the VM is closed.
func (v *vm) loop() {
	defer close(v.ended)
	defer v.shut()
	for {
		select {
		case <-v.queue.ready:
			for _, job := range v.queue.take() {
				v.turn(job)
			}
		case now := <-v.timers.timer.C:
			v.fire(now)
		case <-v.ctx.Done():
			return
		}
		if v.ctx.Err() != nil {
			return
		}
	}
}

// fire runs the timers that are due, each as a turn of its own.
func (v *vm) fire(now time.Time) {
	for {
		t, ok := v.timers.due(now)
		if !ok {
			break
		}
		v.turn(func() {
			v.behalf.Store(t.owner)
			v.enter("fire", t.id)
		})
	}
	v.timers.arm()
}

// turn runs one job and then every promise job that came of it, all under one
// watch. An interrupted job may leave an async caller that goes on, so the
// queue is drained until the engine has nothing more to say.
func (v *vm) turn(job func()) {
	defer func() {
		if p := recover(); p != nil { // the engine broke: this VM is given up
			v.lost.Store(true)
			v.dog.end()
			v.fail(v.panicked("engine", p))
		}
	}()
	v.timers.now = v.dog.begin()
	v.pulling = nil
	v.behalf.Store(nil)
	job()
	v.drain()
	if v.rejected {
		v.rejected = false
		v.enter("rejections")
		v.drain()
	}
	v.endLoading()
	v.dog.end()
}

// storm is how many promise jobs between two interrupts are a loop of them,
// and not one job that takes long.
const storm = 200

// drain runs promise jobs until there are none, however often it is interrupted.
func (v *vm) drain() {
	for {
		n, err := v.js.ExecutePendingJobs()
		switch {
		case err == nil || v.ctx.Err() != nil:
			return
		case v.dog.hopeless():
			v.lost.Store(true)
			v.fail(v.locate(interrupted()))
			return
		case v.dog.barked():
			v.blame()
			if n > storm {
				v.killJob()
			}
		}
	}
}

// interrupted is the engine's error of an interrupt.
func interrupted() *Error { return &Error{Name: "InternalError", Message: "interrupted"} }

// blame fails the call whose step an interrupt ended before it could answer, or the body
// whose stream did not.
func (v *vm) blame() {
	if b := v.pulling; b != nil {
		v.pulling = nil
		b.breakOff(v.locate(interrupted()))
	}
	answer, err := v.entries["stuck"].Call(quickjs.UndefinedValue)
	if id, ok := answer.(int); ok && err == nil && id != 0 {
		v.finish(id, "", v.locate(interrupted()))
	}
}

// enter calls one of the prelude's functions; what it throws is logged.
func (v *vm) enter(name string, a ...any) {
	if _, err := v.entries[name].Call(quickjs.UndefinedValue, a...); err != nil {
		e := v.fromEngine(err)
		if v.strayed("a callback threw", e) {
			return
		}
		event := v.log().Error().Err(e)
		if s, ok := e.(*Error); ok {
			event = event.Str("place", s.Place())
		}
		event.Msg("a callback of the project failed")
	}
}

// fail ends all calls, since the VM can run no more.
func (v *vm) fail(err error) {
	for id, c := range v.calls {
		v.finish(id, "", err)
		c.cut()
	}
}

// shut runs on the loop as it ends: it ends host work, waits for it, and frees the engine.
func (v *vm) shut() {
	v.queue.close()
	v.fail(ErrClosed)
	v.handles.closeAll()
	for _, c := range v.calls {
		if c.lasting != nil {
			c.lasting.drop()
		}
	}
	v.workers.Wait()
	v.timers.timer.Stop()
	v.dog.stop()
	defer func() {
		if p := recover(); p != nil {
			v.log().Error().Interface("panic", p).Msg("closing a VM")
		}
	}()
	v.untrackRejections()
	v.lookNoMore()
	for _, f := range v.entries {
		f.Free()
	}
	for _, w := range v.words {
		w.Free()
	}
	if err := v.js.Close(); err != nil {
		v.log().Error().Err(err).Msg("closing a VM")
	}
}

// close ends the VM and waits for its loop. It may be called twice.
func (v *vm) close() {
	v.quit()
	v.dog.kill()
	<-v.ended
}

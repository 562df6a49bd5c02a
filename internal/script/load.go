package script

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"modernc.org/quickjs"
)

// loading is the module whose evaluation runs now. It belongs to the loop, but
// for done, which the loader waits on.
type loading struct {
	id   string
	done chan Loaded
}

// report says what became of the module, once.
func (l *loading) report(m Loaded) {
	select {
	case l.done <- m:
	default:
	}
}

// load evaluates the bundle's modules, one after the other, and gives what each
// of them is. The error is for what ends all loading. Meanwhile a slice may take
// as long as the loading of a module, and what reaches outside is refused.
func (v *vm) load(ctx context.Context) (map[string]Loaded, error) {
	ready := make(chan error, 1)
	v.queue.post(func() { ready <- v.evaluate() })
	if _, err := wait(ctx, v, ready); err != nil {
		return nil, err
	}
	modules := map[string]Loaded{}
	for _, row := range v.rt.bundle.loaded {
		if row.Err != nil {
			continue
		}
		m, err := v.loadModule(ctx, row.ID)
		if err != nil {
			return nil, err
		}
		modules[row.ID] = m
	}
	over := make(chan error, 1)
	v.queue.post(func() {
		v.endEvaluation()
		over <- nil
	})
	_, err := wait(ctx, v, over)
	return modules, err
}

// endEvaluation makes the VM ready for calls. What module scope has left running
// may reach outside from now on. Interrupts of loading are the fault of single
// files, which are marked, and a fresh VM would meet them again: they do not
// wear the VM.
func (v *vm) endEvaluation() {
	v.evaluating.Store(v.o.CheckOnly)
	v.dog.setSlice(v.o.Slice)
	v.strikes.Store(0)
}

// loadModule gives each module a slice of its own, and a limit for its awaits.
func (v *vm) loadModule(ctx context.Context, id string) (Loaded, error) {
	l := &loading{id: id, done: make(chan Loaded, 1)}
	v.queue.post(func() {
		v.loading = l
		v.enter("loadModule", id)
	})
	// On the loop, so that code which holds it is told from an await: the watchdog ends that.
	limit := time.AfterFunc(v.o.LoadTimeout, func() {
		v.queue.post(func() { l.report(unfinished(v.o.LoadTimeout)) })
	})
	defer limit.Stop()
	return wait(ctx, v, l.done)
}

// unfinished is a module whose awaits have not ended in time.
func unfinished(limit time.Duration) Loaded {
	return Loaded{Kind: "none", Err: &Error{
		Name:    "TimeoutError",
		Message: fmt.Sprintf("the module did not finish loading within %v", limit),
		Fix:     "look for a top-level await that never ends",
	}}
}

// wait receives what the loop has to say, unless the VM or the context ends first.
func wait[T any](ctx context.Context, v *vm, c <-chan T) (said T, err error) {
	select {
	case said = <-c:
		if e, ok := any(said).(error); ok {
			err = e
		}
		return said, err
	case <-v.ended:
		return said, ErrClosed
	case <-ctx.Done():
		return said, fmt.Errorf("loading the project: %w", context.Cause(ctx))
	}
}

// endLoading fails the module in hand when its slice was interrupted before it
// could say so itself.
func (v *vm) endLoading() {
	if v.loading != nil && v.dog.barked() {
		v.loading.report(Loaded{Kind: "none", Err: v.locate(interrupted())})
	}
}

// evaluate runs the bundle's code, compiled once for all VMs. It registers the
// modules and evaluates none.
func (v *vm) evaluate() error {
	code, err := v.compiled()
	if err != nil {
		return v.fromEngine(err)
	}
	promise, err := v.js.EvalBytecodeValue(code)
	if err != nil {
		return v.fromEngine(err)
	}
	promise.Free()
	return nil
}

// loadOps are what modules.js reports of the module in hand; what an earlier
// one says too late is not heard.
func loadOps(o *ops) {
	o.sync("load.module", func(v *vm, a args) (any, error) {
		if v.loading.id == a.text(0) {
			v.loading.report(Loaded{Kind: a.text(1), Spec: json.RawMessage(a.text(2))})
		}
		return nil, nil
	})
	o.sync("load.failed", func(v *vm, a args) (any, error) {
		e, ok := v.fromThrown(a.text(1)).(*Error)
		if !ok {
			e = &Error{Name: "Error", Message: a.text(1)}
		}
		if v.loading.id == a.text(0) {
			v.loading.report(Loaded{Kind: "none", Err: e})
		}
		return nil, nil
	})
}

// compiled gives the bundle's bytecode, compiled by the first VM that asks. VMs
// are opened one after the other.
func (v *vm) compiled() ([]byte, error) {
	b := v.rt.bundle
	if b.bytecode != nil {
		return b.bytecode, nil
	}
	code, err := v.compile(b.code)
	if err != nil {
		if err := b.rebuild(v.o, v.compile); err != nil {
			return nil, err
		}
		if code, err = v.compile(b.code); err != nil {
			return nil, err
		}
	}
	b.bytecode = code
	return code, nil
}

// compile makes a bundle the body of an async function, so that it may await. A
// project's modules are strict, as modules are: writing to what is frozen throws.
func (v *vm) compile(code string) ([]byte, error) {
	return v.js.Compile("(async () => { \"use strict\";\n"+code+"\n})()", quickjs.EvalGlobal)
}

package script

import (
	"context"
	"encoding/json"
	"fmt"

	"modernc.org/quickjs"
)

// loading gathers what the modules of a bundle say while it is evaluated.
type loading struct {
	modules map[string]Loaded
	done    chan error
}

// load evaluates the bundle and waits until every module has said what it is.
func (v *vm) load(ctx context.Context) (map[string]Loaded, error) {
	l := &loading{modules: map[string]Loaded{}, done: make(chan error, 1)}
	v.queue.post(func() {
		v.loading = l
		if err := v.evaluate(); err != nil {
			l.done <- v.fromEngine(err)
		}
	})
	select {
	case err := <-l.done:
		return l.modules, err
	case <-v.ended:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, fmt.Errorf("loading the project: %w", context.Cause(ctx))
	}
}

// evaluate runs the bundle's code, compiled once for all VMs.
func (v *vm) evaluate() error {
	code, err := v.rt.bundle.compiled(v.js)
	if err != nil {
		return err
	}
	promise, err := v.js.EvalBytecodeValue(code)
	if err != nil {
		return err
	}
	promise.Free()
	return nil
}

// loadOps are what modules.js reports while it loads.
func loadOps(o *ops) {
	o.sync("load.timeout", func(v *vm, _ args) (any, error) {
		return float64(v.o.LoadTimeout.Milliseconds()), nil
	})
	o.sync("load.module", func(v *vm, a args) (any, error) {
		v.loading.modules[a.text(0)] = Loaded{Kind: a.text(1), Spec: json.RawMessage(a.text(2))}
		return nil, nil
	})
	o.sync("load.failed", func(v *vm, a args) (any, error) {
		e, ok := v.fromThrown(a.text(1)).(*Error)
		if !ok {
			e = &Error{Name: "Error", Message: a.text(1)}
		}
		v.loading.modules[a.text(0)] = Loaded{Kind: "none", Err: e}
		return nil, nil
	})
	o.sync("load.done", func(v *vm, _ args) (any, error) {
		v.loading.done <- nil
		return nil, nil
	})
}

// compiled gives the bundle's bytecode. Only the goroutine that opens a VM calls it.
func (b *bundle) compiled(js *quickjs.VM) ([]byte, error) {
	b.compile.Do(func() {
		b.bytecode, b.compileErr = js.Compile("(async () => {\n"+b.code+"\n})()", quickjs.EvalGlobal)
	})
	return b.bytecode, b.compileErr
}

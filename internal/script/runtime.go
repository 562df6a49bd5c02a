package script

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
)

// maxStrikes is how often a VM may be interrupted before a fresh one takes its place.
const maxStrikes = 3

// A Runtime is the loaded project in its VMs. It is safe for concurrent use.
type Runtime struct {
	o      *Options
	bundle *bundle
	loaded []Loaded

	mu     sync.Mutex
	vms    []*vm
	closed bool

	// leaving counts VMs that were replaced and end their calls; retired are those.
	leaving sync.WaitGroup
	retired []*vm
}

// seed spreads sessions over the VMs.
var seed = maphash.MakeSeed()

// Loaded says what each module's default export is, in the order of Options.Modules.
func (r *Runtime) Loaded() []Loaded { return r.loaded }

// Close ends all VMs and waits for them. Calls in flight fail. It may be called twice.
func (r *Runtime) Close() error {
	r.mu.Lock()
	vms := append(r.vms, r.retired...)
	r.vms, r.retired, r.closed = nil, nil, true
	r.mu.Unlock()
	for _, v := range vms {
		v.close()
	}
	r.leaving.Wait()
	return nil
}

// open starts a VM and evaluates the bundle in it. The first one says what was loaded.
func (r *Runtime) open(ctx context.Context, first bool) (*vm, error) {
	v, err := newVM(r)
	if err != nil {
		return nil, err
	}
	loaded, err := v.load(ctx)
	if err != nil {
		v.close()
		return nil, err
	}
	if first {
		r.note(loaded)
	}
	return v, nil
}

// note merges what the first VM evaluated with what the bundler refused.
func (r *Runtime) note(evaluated map[string]Loaded) {
	for i, l := range r.loaded {
		if e, ok := evaluated[l.ID]; ok && l.Err == nil {
			e.ID, e.File = l.ID, l.File
			r.loaded[i] = e
		}
	}
}

// take gives the VM of a call, counted as in use until the caller leaves it.
func (r *Runtime) take(ctx context.Context, c *agent.Call) (*vm, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, ErrClosed
	}
	i := r.place(c)
	v := r.vms[i]
	if v.lost.Load() || v.worn() && !r.o.KeepWorn {
		if fresh, err := r.open(ctx, false); err == nil {
			r.vms[i] = fresh
			r.retire(v)
			v = fresh
		} else {
			r.o.Logger.Error().Err(err).Msg("replacing a worn VM")
		}
	}
	v.users.Add(1)
	return v, nil
}

// place is the index of a call's VM: a session always has the same, what has
// no session has the first. A direct call without a session bears its own id.
func (r *Runtime) place(c *agent.Call) int {
	id := c.Session.ID
	if id == "" || id == c.ID || len(r.vms) == 1 {
		return 0
	}
	return int(maphash.String(seed, id) % uint64(len(r.vms)))
}

// retire closes a replaced VM when the calls that it still has are done, at Close at
// the latest.
func (r *Runtime) retire(v *vm) {
	r.o.Logger.Warn().Int32("interrupts", v.strikes.Load()).Msg("a script VM was replaced by a fresh one")
	r.retired = append(r.retired, v)
	r.leaving.Go(func() {
		v.users.Wait()
		v.close()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.retired = slices.DeleteFunc(r.retired, func(o *vm) bool { return o == v })
	})
}

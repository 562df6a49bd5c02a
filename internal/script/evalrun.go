package script

import (
	"errors"
	"slices"
	"sync"

	"github.com/gobdk/bdk/internal/eval"
)

// errEvalEnded is what t says when its case has ended.
var errEvalEnded = errors.New("the case has ended: await what its test starts")

// An evalRun is a case while its test runs. What the test records is kept here, so
// that it can be read when the test holds the VM, or the VM is gone.
type evalRun struct {
	d eval.Driver
	// id is that of the case.
	id string
	// v is the VM that runs the test; it is set before the test begins.
	v *vm

	mu     sync.Mutex
	record eval.Record
	// stacks are where each assertion was made; open are those without a score.
	stacks []string
	open   map[int]bool
	// logged is how many bytes of logs there are.
	logged int
	// told is what the test itself says of its fault, or what it did not await; held is
	// one that no test can catch, the first of them.
	told, held *eval.Fault
	over       bool
}

func newEvalRun(d eval.Driver) *evalRun {
	return &evalRun{d: d, open: map[int]bool{}, record: eval.Record{Assertions: []eval.Assertion{}, Logs: []string{}}}
}

// change does f to the record while the case runs.
func (er *evalRun) change(f func()) error {
	er.mu.Lock()
	defer er.mu.Unlock()
	if er.over {
		return errEvalEnded
	}
	f()
	return nil
}

func (er *evalRun) ended() bool {
	er.mu.Lock()
	defer er.mu.Unlock()
	return er.over
}

// fault keeps a fault that fails the case whatever its test makes of it.
func (er *evalRun) fault(f *eval.Fault) {
	er.mu.Lock()
	defer er.mu.Unlock()
	if er.held == nil {
		er.held = f
	}
}

// strayed gives the case that the running turn goes on for what something threw that its
// test started and does not await; false where there is no case, or it has ended.
func (v *vm) strayed(what string, err error) bool {
	c := v.behalf.Load()
	e, ok := err.(*Error)
	if !ok || c == nil || c.eval == nil || e.Code == CodeInterrupted { // an interrupt has its own way to the case
		return false
	}
	f := faultOf(eval.FaultTest, e)
	f.Message = what + ": " + f.Message
	return c.eval.tell(f) == nil
}

// tell keeps the first fault that the test itself has; an error says that the case has ended.
func (er *evalRun) tell(f *eval.Fault) error {
	return er.change(func() {
		if er.told == nil {
			er.told = f
		}
	})
}

// Bounds of what one case may leave: it lies in memory until the run has ended.
const (
	maxAssertions = 10_000
	maxLogged     = 1 << 20 // bytes
)

// log keeps a line; the lock is held.
func (er *evalRun) log(text string) {
	const perLine = 16
	if er.logged >= maxLogged {
		return
	}
	if er.logged += len(text) + perLine; er.logged >= maxLogged {
		text = "(what was logged here and later is left out: a case keeps 1 MiB of logs)"
	}
	er.record.Logs = append(er.record.Logs, text)
}

// end closes the record and gives it: nothing writes to it any more.
func (er *evalRun) end() *eval.Record {
	er.mu.Lock()
	defer er.mu.Unlock()
	er.over = true
	for i := range er.record.Assertions {
		a := &er.record.Assertions[i]
		if er.open[i] {
			a.Message = "it has no score: the case ended before"
		}
		a.Passed = !er.open[i] && a.Score >= a.Threshold
		if er.v != nil {
			a.Place = er.v.maps.where(er.stacks[i])
		}
	}
	er.record.Error = er.told
	if er.held != nil {
		er.record.Error = er.held
	}
	record := er.record
	record.Assertions = slices.Clone(record.Assertions)
	return &record
}

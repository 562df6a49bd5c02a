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
	// v is the VM that runs the test; it is set before the test begins.
	v *vm

	mu     sync.Mutex
	record eval.Record
	// stacks are where each assertion was made; open are those without a score.
	stacks []string
	open   map[int]bool
	// told is what the test itself says of its fault; held is one that no test can
	// catch, the first of them.
	told, held *eval.Fault
	over       bool
}

func newEvalRun(d eval.Driver) *evalRun {
	return &evalRun{d: d, open: map[int]bool{}, record: eval.Record{Assertions: []eval.Assertion{}, Logs: []string{}}}
}

// change does f to the record while the case runs.
func (run *evalRun) change(f func()) error {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.over {
		return errEvalEnded
	}
	f()
	return nil
}

func (run *evalRun) ended() bool {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.over
}

// fault keeps a fault that fails the case whatever its test makes of it.
func (run *evalRun) fault(f *eval.Fault) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.held == nil {
		run.held = f
	}
}

// end closes the record and gives it: nothing writes to it any more.
func (run *evalRun) end() *eval.Record {
	run.mu.Lock()
	defer run.mu.Unlock()
	run.over = true
	for i := range run.record.Assertions {
		a := &run.record.Assertions[i]
		if run.open[i] {
			a.Message = "it has no score: the case ended before"
		}
		a.Passed = !run.open[i] && a.Score >= a.Threshold
		if run.v != nil {
			a.Place = run.v.maps.where(run.stacks[i])
		}
	}
	run.record.Error = run.told
	if run.held != nil {
		run.record.Error = run.held
	}
	record := run.record
	record.Assertions = slices.Clone(record.Assertions)
	return &record
}

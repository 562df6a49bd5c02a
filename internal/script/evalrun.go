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

package eval

// An Observer is told how a run goes. RunStarted comes before every case and RunEnded
// after all of them, also when the run was cancelled. The calls to one observer come one
// after the other, cases in the order in which they end; what they are given is read-only
// and stays as it is. A case that never began (a broken file, one without a recording
// under replay) has no CaseStarted.
//
// An error is said in the log and recorded in Run.Error, so that the run is not green; the
// run goes on, and the observer is told of the rest. So does a panic. One that is also a
// fmt.Stringer is called by that name.
type Observer interface {
	// RunStarted gives the run before its first case: totals of nothing done.
	RunStarted(r *Run) error
	CaseStarted(c *Case) error
	CaseEnded(r *Result) error
	// RunEnded gives the run with all its results, in the order of the suite.
	RunEnded(r *Run) error
}

// Silent is an Observer that does nothing, for embedding.
type Silent struct{}

var _ Observer = Silent{}

// RunStarted does nothing.
func (Silent) RunStarted(*Run) error { return nil }

// CaseStarted does nothing.
func (Silent) CaseStarted(*Case) error { return nil }

// CaseEnded does nothing.
func (Silent) CaseEnded(*Result) error { return nil }

// RunEnded does nothing.
func (Silent) RunEnded(*Run) error { return nil }

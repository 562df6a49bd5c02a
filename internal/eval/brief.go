package eval

// brief tells an observer of results without what they are made of.
type brief struct{ Observer }

// String is what the observer is called.
func (b brief) String() string { return nameOf(b.Observer) }

// CaseEnded gives the short form.
func (b brief) CaseEnded(r *Result) error { return b.Observer.CaseEnded(r.brief()) }

// RunEnded gives the short form of all.
func (b brief) RunEnded(r *Run) error {
	short := r.clone()
	for i, res := range short.Results {
		short.Results[i] = res.brief()
	}
	return b.Observer.RunEnded(short)
}

// brief keeps what a case is, how it came out and what it cost. What is left out is empty.
func (r *Result) brief() *Result {
	short := &Result{
		ID: r.ID, Order: r.Order, File: r.File, Description: r.Description, Tags: r.Tags, Verdict: r.Verdict, Assertions: r.Misses(), SessionID: r.SessionID,
		Iteration: r.Iteration, Iterations: r.Iterations, Metrics: r.Metrics, StartedAt: r.StartedAt, DurationMs: r.DurationMs,
		Error: r.Error, SkipReason: r.SkipReason,
	}
	return short.whole(r.Order)
}

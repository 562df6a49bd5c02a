package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gobdk/bdk/internal/plainfile"
)

// brokenOff says what became of a run whose process has gone.
const brokenOff = "the host stopped while the run was under way"

// ReadRun reads the folder of a run, results in the order of the suite. What was cut off by
// a crash is left out; a run whose process is gone is one that failed. A folder without a
// run is ErrUnknownRun.
func ReadRun(dir string) (*Run, error) {
	root, err := openRun(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	r, err := summaryIn(root)
	if err != nil {
		return nil, err
	}
	bad := 0
	if r.Results, bad, err = resultsIn(root); err != nil {
		return nil, fmt.Errorf("reading %s: %w", ResultsName, err)
	}
	if bad > 0 {
		r.complain(fmt.Sprintf("%d lines of %s cannot be read", bad, ResultsName))
	}
	if r.Status == RunRunning || r.broken() {
		r.count(r.Results)
	}
	return r, nil
}

// count makes the totals those of results: their lines are on disk before the summary
// counts them.
func (r *Run) count(results []*Result) {
	r.Totals = totalsOf(max(r.Totals.Cases, len(results)), results)
}

func openRun(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no folder %s", ErrUnknownRun, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a run: %w", err)
	}
	return root, nil
}

// summaryIn reads the summary, and whether its process lives.
func summaryIn(root *os.Root) (*Run, error) {
	b, err := plainfile.ReadIn(root, SummaryName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s has no %s", ErrUnknownRun, root.Name(), SummaryName)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a run: %w", err)
	}
	r := &Run{}
	if err := json.Unmarshal(b, r); err != nil || !IsRunID(r.ID) {
		return nil, fmt.Errorf("%w: %s in %s is not the summary of a run", ErrUnknownRun, SummaryName, root.Name())
	}
	r.Running = filled(r.Running)
	if r.Status == RunRunning && !inUse(root) {
		r.Status, r.Running = RunFailed, []string{}
		r.complain(brokenOff)
	}
	return r, nil
}

func (r *Run) broken() bool { return r.Status == RunFailed && strings.Contains(r.Error, brokenOff) }

func (r *Run) complain(text string) {
	if r.Error != "" {
		text = r.Error + "; " + text
	}
	r.Error = text
}

func inUse(root *os.Root) bool {
	info, err := root.Lstat(lockName)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := root.OpenFile(lockName, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return locked(f)
}

// resultsIn reads the whole lines, and counts those that are no results. An id that comes
// again counts as it came last.
func resultsIn(root *os.Root) (results []*Result, bad int, err error) {
	info, err := root.Stat(ResultsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = plainfile.ErrNotPlain
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := root.Open(ResultsName)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	at := map[string]int{}
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // what has no end was not written whole
			slices.SortStableFunc(results, byOrder)
			return results, bad, nil
		}
		if err != nil {
			return nil, 0, err
		}
		r := &Result{}
		if json.Unmarshal(line, r) != nil || r.ID == "" {
			bad++
			continue
		}
		if i, again := at[r.ID]; again {
			results[i] = r
			continue
		}
		at[r.ID] = len(results)
		results = append(results, r)
	}
}

package eval

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gobdk/bdk/internal/clock"
)

// A Store holds runs, a folder for each, named by its id. Files and folders in it that are
// no runs are left alone. It is safe for concurrent use.
type Store struct {
	dir   string
	clock clock.Clock
}

// OpenStore gives the store in dir, which is made when the first run is.
func OpenStore(dir string) *Store { return &Store{dir: dir, clock: clock.System{}} }

// Dir is the folder of a run, whether or not there is one.
func (s *Store) Dir(id string) string { return filepath.Join(s.dir, id) }

// Create makes the folder of a new run and writes its first summary. The folder is then an
// observer for the runner of that run.
func (s *Store) Create(r *Run) (*Folder, error) {
	if !IsRunID(r.ID) {
		return nil, fmt.Errorf("keeping a run: %q is no id of one", r.ID)
	}
	if _, err := os.Lstat(filepath.Join(s.Dir(r.ID), SummaryName)); err == nil {
		return nil, fmt.Errorf("keeping a run: there is one with the id %s", r.ID)
	}
	f := NewFolder(s.Dir(r.ID))
	f.clock = s.clock
	return f, f.RunStarted(r)
}

// Runs are the newest, newest first, without their results; limit 0: all. A folder that
// cannot be read is not among them.
func (s *Store) Runs(limit int) ([]*Run, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	runs := []*Run{}
	for _, id := range ids {
		if r := s.summary(id); r != nil {
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(a, b *Run) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(b.ID, a.ID))
	})
	if limit > 0 && len(runs) > limit {
		runs = runs[:limit]
	}
	return runs, nil
}

func (s *Store) summary(id string) *Run {
	root, err := openRun(s.Dir(id))
	if err != nil {
		return nil
	}
	defer root.Close()
	r, err := summaryIn(root)
	if err != nil || r.ID != id {
		return nil
	}
	if r.broken() {
		if results, _, err := resultsIn(root); err == nil {
			r.count(results)
		}
	}
	return r
}

// ids are the names of folders that could be runs.
func (s *Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing runs: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && IsRunID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// Run is one with its results. Its error is ErrUnknownRun where there is none.
func (s *Store) Run(id string) (*Run, error) {
	if !IsRunID(id) {
		return nil, fmt.Errorf("%w: %q is no id of one", ErrUnknownRun, id)
	}
	r, err := ReadRun(s.Dir(id))
	if err == nil && r.ID != id {
		return nil, fmt.Errorf("%w: the folder %s holds another", ErrUnknownRun, id)
	}
	return r, err
}

// Prune deletes the oldest runs that are not under way until keep are left. It goes on
// when one cannot be deleted.
func (s *Store) Prune(keep int) error {
	runs, err := s.Runs(0)
	if err != nil || len(runs) <= keep {
		return err
	}
	var errs []error
	for _, r := range runs[max(keep, 0):] {
		if r.Status == RunRunning {
			continue
		}
		// without its summary it is no run any more, whatever becomes of the rest
		err := os.Remove(filepath.Join(s.Dir(r.ID), SummaryName))
		if err == nil {
			err = os.RemoveAll(s.Dir(r.ID))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("deleting the run %s: %w", r.ID, err))
		}
	}
	return errors.Join(errs...)
}

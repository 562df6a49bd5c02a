package eval

// A Store holds runs, a folder for each, named by its id. Files and folders in it that are
// no runs are left alone. It is safe for concurrent use.
type Store struct {
	dir string
}

// OpenStore gives the store in dir, which is made when the first run is.
func OpenStore(dir string) *Store { return &Store{dir: dir} }

// Dir is the folder of a run, whether or not there is one.
func (s *Store) Dir(id string) string { return "" }

// Create makes the folder of a new run and writes its first summary. The folder is then to
// be told of the run from its first case on.
func (s *Store) Create(r *Run) (*Folder, error) { return nil, nil }

// Runs are the newest, newest first, without their results; limit 0: all.
func (s *Store) Runs(limit int) ([]*Run, error) { return nil, nil }

// Run is one with its results. Its error is ErrUnknownRun where there is none.
func (s *Store) Run(id string) (*Run, error) { return nil, ErrUnknownRun }

// Prune deletes the oldest runs that are not under way until keep are left.
func (s *Store) Prune(keep int) error { return nil }

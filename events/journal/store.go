package journal

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func storeDir(dir string) string { return filepath.Join(dir, "journal") }

// openStore opens Pebble in dir/journal.
func (j *Journal) openStore(o *Options) error {
	store := storeDir(j.dir)
	err := makeDir(j.fs, store)
	if err != nil {
		return fmt.Errorf("journal: making %s: %w", store, err)
	}
	if j.db, err = openPebble(store, j.storeOptions(o)); err != nil {
		return fmt.Errorf("journal: opening %s: %w", store, err)
	}
	return nil
}

// openPebble is pebble.Open, which panics on some errors of the disk after it has cleaned up.
func openPebble(dir string, o *pebble.Options) (db *pebble.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("the store panicked: %v", r)
		}
	}()
	return pebble.Open(dir, o)
}

func (j *Journal) storeOptions(o *Options) *pebble.Options {
	p := &pebble.Options{
		FS:                    markerFS{j.fs},
		FormatMajorVersion:    pebble.FormatNewest,
		Logger:                &storeLog{log: o.Logger, fatal: o.fatal},
		MemTableSize:          32 << 20,
		CacheSize:             16 << 20,
		L0StopWritesThreshold: 24,
		EventListener:         j.stall.listen(o.Logger),
	}
	for i := range p.Levels {
		p.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	if o.tune != nil {
		o.tune(p)
	}
	return p
}

// makeDir makes a directory and those above it, for their owner alone, and makes
// their names durable: a store whose own files are synced is lost all the same
// when its directory's name is.
func makeDir(fs vfs.FS, dir string) error {
	if _, err := fs.Stat(dir); err == nil {
		return nil
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := makeDir(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	return syncDir(fs, parent)
}

// syncDir makes the names in dir durable.
func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// get gives a copy of a value, nil when there is none (an empty value is not nil).
func get(r pebble.Reader, key []byte) ([]byte, error) {
	v, c, err := r.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(v)), v...)
	return out, c.Close()
}

package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// checkFormat refuses a directory of a newer build before anything is opened
// for writing, since opening a store for writing changes its files.
func checkFormat(fs vfs.FS, dir string) error {
	f, err := fs.Open(filepath.Join(dir, "format"))
	if errors.Is(err, os.ErrNotExist) {
		return checkStoredFormat(fs, dir)
	}
	if err != nil {
		return fmt.Errorf("journal: reading the format version: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return fmt.Errorf("journal: reading the format version: %w", err)
	}
	return checkVersion(dir, string(text))
}

// checkStoredFormat looks into the store itself, without writing to it, where
// the file is missing: a new directory, or a file that was not copied along.
func checkStoredFormat(fs vfs.FS, dir string) error {
	store := storeDir(dir)
	d, err := pebble.Peek(store, fs)
	if errors.Is(err, os.ErrNotExist) || (err == nil && !d.Exists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("journal: looking into %s: %w", store, err)
	}
	db, err := openPebble(store, &pebble.Options{FS: fs, ReadOnly: true, Logger: &storeLog{fatal: func(string) {}}})
	if err != nil {
		return fmt.Errorf("journal: looking into %s: %w", store, err)
	}
	v, err := get(db, []byte{kindFormat})
	if e := db.Close(); err == nil {
		err = e
	}
	if err != nil || v == nil {
		return err
	}
	return checkVersion(dir, string(v))
}

func checkVersion(dir, text string) error {
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || v < 1 {
		return fmt.Errorf("%w: %s names its format %q", ErrFormat, dir, text)
	}
	if v > layoutVersion {
		return fmt.Errorf("%w: %s was written by a newer build (format %d; this one knows up to %d); nothing was changed, use the newer build or another directory",
			ErrFormat, dir, v, layoutVersion)
	}
	return nil
}

// settleFormat writes the version where it is missing, on disk before the first event.
func (j *Journal) settleFormat() error {
	v, err := get(j.db, []byte{kindFormat})
	if err != nil {
		return fmt.Errorf("journal: reading the format version: %w", err)
	}
	text := []byte(strconv.Itoa(layoutVersion))
	if v == nil {
		if err := j.db.Set([]byte{kindFormat}, text, pebble.Sync); err != nil {
			return fmt.Errorf("journal: writing the format version: %w", err)
		}
	} else if err := checkVersion(j.dir, string(v)); err != nil {
		return err
	}
	path := filepath.Join(j.dir, "format")
	if _, err := j.fs.Stat(path); err == nil {
		return nil
	}
	if err := writeFile(j.fs, path, append(text, '\n')); err != nil {
		return fmt.Errorf("journal: writing the format version: %w", err)
	}
	return nil
}

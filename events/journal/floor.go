package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The floor is a position that the log had reached, kept in a file of its own: a
// damaged tail of Pebble's own logs looks to Pebble like a write that a crash cut
// short, and the history would be shorter without a word. It is written when a
// journal is opened and when it is closed.

func floorFile(dir string) string { return filepath.Join(dir, "position") }

// checkFloor refuses a log that is shorter than it was.
func (j *Journal) checkFloor() error {
	path := floorFile(j.dir)
	f, err := j.fs.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("journal: reading the position: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return fmt.Errorf("journal: reading the position: %w", err)
	}
	floor, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return fmt.Errorf("%w: %s says %q; delete it to go on without it", ErrCorrupt, path, text)
	}
	if floor > j.pos {
		return fmt.Errorf("%w: %s had %d events and has %d; restore a copy, or delete %s to go on with what is there",
			ErrCorrupt, j.dir, floor, j.pos, path)
	}
	return nil
}

// writeFloor records the durable position.
func (j *Journal) writeFloor() error {
	text := strconv.FormatUint(j.durable.Load(), 10) + "\n"
	if err := writeFile(j.fs, floorFile(j.dir), []byte(text)); err != nil {
		return fmt.Errorf("journal: writing the position: %w", err)
	}
	return nil
}

// writeFile replaces a file as a whole and makes it durable.
func writeFile(fs vfs.FS, path string, text []byte) error {
	f, err := fs.Create(path+".new", vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := fs.Rename(path+".new", path); err != nil {
		return err
	}
	return syncDir(fs, fs.PathDir(path))
}

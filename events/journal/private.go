package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// What a state root holds is its owner's alone: conversations, secrets, and where
// the host listens.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// A privateDisk is the disk, with every file that is made on it for its owner
// alone, whatever the umask says.
type privateDisk struct{ vfs.FS }

// Create is of vfs.FS.
func (d privateDisk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return d.own(name)(d.FS.Create(name, c))
}

// OpenReadWrite is of vfs.FS.
func (d privateDisk) OpenReadWrite(name string, c vfs.DiskWriteCategory, o ...vfs.OpenOption) (vfs.File, error) {
	return d.own(name)(d.FS.OpenReadWrite(name, c, o...))
}

// ReuseForWrite is of vfs.FS.
func (d privateDisk) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return d.own(to)(d.FS.ReuseForWrite(from, to, c))
}

// Lock is of vfs.FS.
func (d privateDisk) Lock(name string) (io.Closer, error) {
	c, err := d.FS.Lock(name)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, fileMode); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Unwrap is of vfs.FS.
func (d privateDisk) Unwrap() vfs.FS { return d.FS }

// own takes a file that was just opened.
func (d privateDisk) own(name string) func(vfs.File, error) (vfs.File, error) {
	return func(f vfs.File, err error) (vfs.File, error) {
		if err != nil {
			return nil, err
		}
		if err := os.Chmod(name, fileMode); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
}

// tighten takes from others what an older build, or whoever made the directory,
// left open to them. A directory that was somebody's before it became a state root
// keeps its own mode; what cannot be changed stays as it is.
func tighten(dir string) {
	if isOurs(dir) {
		_ = os.Chmod(dir, dirMode)
	}
	for _, name := range []string{"lock", "format", "position"} {
		restrict(filepath.Join(dir, name), fileMode)
	}
	store := filepath.Join(dir, "journal")
	restrict(store, dirMode)
	entries, err := os.ReadDir(store)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			restrict(filepath.Join(store, e.Name()), fileMode)
		}
	}
}

// isOurs says whether nothing but a state root is in a directory.
func isOurs(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		switch e.Name() {
		case "lock", "format", "format.new", "position", "position.new", "journal", "content", "files", "workspaces", "cache":
		default:
			return false
		}
	}
	return true
}

// restrict gives an entry its mode when it is open to others; a link is left alone.
func restrict(path string, mode fs.FileMode) {
	if at, err := os.Lstat(path); err == nil && at.Mode()&fs.ModeSymlink == 0 && at.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(path, mode)
	}
}

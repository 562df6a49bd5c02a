package workspace

import (
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// ReadFile reads a plain file below root. It never follows a link out of root, never
// waits on a pipe, and refuses devices, folders and files with a second name, which
// could be a door to elsewhere.
func ReadFile(root *os.Root, name string) ([]byte, error) {
	f, _, err := open(root, name, NoWait|noFollow, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("reading file: %w", err)
	}
	return b, nil
}

// Open opens a plain file below root for reading. It follows links that stay below
// root; otherwise it is as strict as ReadFile. Several names are allowed when
// hardLinks says so.
func Open(root *os.Root, name string, hardLinks bool) (*os.File, fs.FileInfo, error) {
	return open(root, name, NoWait, hardLinks)
}

func open(root *os.Root, name string, flags int, hardLinks bool) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|flags, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("reading file: %w", err)
	}
	info, err := f.Stat() // of what is open, whatever the name means by now
	if err != nil {
		_ = f.Close()
		return nil, nil, fmt.Errorf("reading file: %w", err)
	}
	if why := unusual(info, hardLinks); why != "" {
		_ = f.Close()
		return nil, nil, &PathError{name, why}
	}
	return f, info, nil
}

func unusual(info fs.FileInfo, hardLinks bool) string {
	switch {
	case info.IsDir():
		return "is a folder"
	case !info.Mode().IsRegular():
		return "is not a plain file"
	case !hardLinks && names(info) > 1:
		return "is a file with several names (hard links), which is refused; a copy of it is fine"
	}
	return ""
}

// WriteFile puts content at name below root, with the folders that it needs. It is on
// disk before WriteFile returns, whole or not at all: the bytes go to a temporary file
// in tmp (a folder below root, which must exist) that is renamed into place. A link
// that stands at name is replaced, not followed.
func WriteFile(root *os.Root, tmp, name string, content []byte) error {
	t := path.Join(tmp, rand.Text())
	if err := writeSynced(root, t, content); err != nil {
		_ = root.Remove(t)
		return err
	}
	err := MakeDir(root, path.Dir(name))
	if err == nil {
		err = root.Rename(t, name)
	}
	if err != nil {
		_ = root.Remove(t)
		return fmt.Errorf("writing file: %w", err)
	}
	return SyncDir(root, path.Dir(name))
}

func writeSynced(root *os.Root, name string, content []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("writing file: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("writing file: %w", err)
	}
	return nil
}

// MakeDir makes a folder below root with its parents; what it made is on disk when it
// returns. "." is there already.
func MakeDir(root *os.Root, dir string) error {
	if info, err := root.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if parent := path.Dir(dir); parent != dir {
		if err := MakeDir(root, parent); err != nil {
			return err
		}
	}
	if err := root.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return fmt.Errorf("making folder: %w", err)
	}
	info, err := root.Stat(dir)
	if err != nil {
		return fmt.Errorf("making folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("making folder: %w", &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR})
	}
	return SyncDir(root, path.Dir(dir))
}

// SyncDir puts the names in a folder below root on disk.
func SyncDir(root *os.Root, dir string) error {
	f, err := root.OpenFile(dir, os.O_RDONLY|NoWait, 0) // it may have become a pipe
	if err != nil {
		return fmt.Errorf("syncing folder: %w", err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("syncing folder: %w", err)
	}
	return nil
}

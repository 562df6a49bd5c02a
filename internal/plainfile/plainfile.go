// Package plainfile reads files that people wrote, whole: never from a pipe or a
// device, which could hold the reader for ever, and never more than a bound.
package plainfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// MaxBytes is the longest file that Read takes.
const MaxBytes = 16 << 20

// What Read refuses.
var (
	ErrNotPlain = errors.New("it is no plain file")
	ErrTooLong  = errors.New("it has more than 16 MiB")
)

// Read gives the content of a plain file, links followed. Its errors are of type
// *fs.PathError.
func Read(name string) ([]byte, error) { return read(os.Stat, os.OpenFile, name) }

// ReadIn is Read for a file below a folder, which no link leads out of.
func ReadIn(r *os.Root, name string) ([]byte, error) { return read(r.Stat, r.OpenFile, name) }

func read(stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error), name string) ([]byte, error) {
	info, err := stat(name) // before opening, which some devices take for a command
	if err == nil {
		err = plain(name, info)
	}
	if err != nil {
		return nil, err
	}
	f, err := open(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil { // of what is open, whatever the name means by now
		err = plain(name, info)
	}
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err == nil && len(b) > MaxBytes {
		err = &fs.PathError{Op: "read", Path: name, Err: ErrTooLong}
	}
	return b, err
}

func plain(name string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: name, Err: ErrNotPlain}
	case info.Size() > MaxBytes:
		return &fs.PathError{Op: "read", Path: name, Err: ErrTooLong}
	}
	return nil
}

//go:build unix

package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// S16: "refuse devices/FIFOs …; opening a FIFO must not hang".
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("plain"), []byte("text"), 0o600))
	must(t, os.Symlink("plain", at("link")))
	must(t, os.Symlink("/dev/zero", at("zero")))
	must(t, syscall.Mkfifo(at("pipe"), 0o600))
	long, err := os.Create(at("long"))
	must(t, err)
	must(t, errors.Join(long.Truncate(MaxBytes+1), long.Close()))
	for name, want := range map[string]error{
		"plain": nil, "link": nil, "zero": ErrNotPlain, "pipe": ErrNotPlain, ".": ErrNotPlain, "long": ErrTooLong, "nowhere": fs.ErrNotExist,
	} {
		b, err := Read(at(name))
		var path *fs.PathError
		if !errors.Is(err, want) || err != nil && !errors.As(err, &path) || err == nil && string(b) != "text" {
			t.Errorf("Read(%q) = %d bytes, %v; want %v", name, len(b), err, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

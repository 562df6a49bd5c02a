//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe would be waited for: it is left out of a copy.
func TestCopy_Pipe(t *testing.T) {
	t.Parallel()
	_, c, to := copied(t, func(dir string) {
		if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if err := c.Place(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(to, "pipe")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the pipe: %v", err)
	}
}

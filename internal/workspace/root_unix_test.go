//go:build unix

package workspace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// S16: "refuse devices/FIFOs/hardlinks to outside; opening a FIFO must not hang".
func TestReadFile_RefusesWhatIsNoPlainFile(t *testing.T) {
	t.Parallel()
	root, dir := openRoot(t)
	out, name := secret(t)
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	must(t, os.Link(name, filepath.Join(dir, "hard")))
	must(t, os.Symlink(name, filepath.Join(dir, "soft")))
	must(t, os.Symlink(out, filepath.Join(dir, "folder")))
	must(t, os.Symlink("/dev/zero", filepath.Join(dir, "zero")))
	for _, name := range []string{"fifo", "hard", "soft", "folder/secret", "zero", "tmp", ".", "../secret"} {
		if b, err := ReadFile(root, name); err == nil {
			t.Errorf("ReadFile(%q) = %q, want an error", name, b)
		}
	}
	var pe *PathError
	if _, err := ReadFile(root, "fifo"); !errors.As(err, &pe) {
		t.Errorf("fifo: %v, want a *PathError", err)
	}
}

// Open follows links that stay inside, and no others; it is otherwise as strict.
func TestOpen_LinksInside(t *testing.T) {
	t.Parallel()
	root, dir := openRoot(t)
	_, name := secret(t)
	must(t, os.WriteFile(filepath.Join(dir, "plain"), []byte("inside"), 0o600))
	must(t, os.Symlink("plain", filepath.Join(dir, "in")))
	must(t, os.Symlink(name, filepath.Join(dir, "out")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	must(t, os.Symlink("fifo", filepath.Join(dir, "tofifo")))
	must(t, os.Link(name, filepath.Join(dir, "hard")))
	read := func(name string, hard bool) string {
		f, _, err := Open(root, name, hard)
		if err != nil {
			return "refused"
		}
		defer f.Close()
		b, err := io.ReadAll(f)
		must(t, err)
		return string(b)
	}
	got := []string{read("plain", false), read("in", false), read("out", true), read("fifo", true), read("tofifo", true), read("hard", false), read("hard", true), read(".", true)}
	if want := "inside inside refused refused refused refused secret refused"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// S16: "opening a FIFO must not hang": a program may put one where a folder was.
func TestSyncDir_OfAPipe(t *testing.T) {
	t.Parallel()
	root, dir := openRoot(t)
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	if err := SyncDir(root, "fifo"); err == nil {
		t.Error("a pipe was synced")
	}
}

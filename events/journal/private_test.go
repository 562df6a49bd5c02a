//go:build unix

package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gobdk/bdk/events"
)

// modes fails for each entry below dir, and dir itself, that others may touch. It
// gives how many files there are.
func modes(t *testing.T, dir string) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) { // Pebble has dropped it since
			return nil
		}
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if got := at.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// fill makes Pebble write files of all its kinds.
func fill(t *testing.T, j *Journal) {
	t.Helper()
	for i := range 3 {
		e := []events.Event{events.New("", testTime, &events.SessionUpdated{Title: "x"})}
		if _, err := j.Append(context.Background(), Append{Stream: "ses_a", Expect: uint64(i), Events: e}); err != nil {
			t.Fatal(err)
		}
		if err := j.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
}

// A state root holds what was said: it is for its owner alone.
func TestOpen_ModesOfANewRoot(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", ".bdk")
	for range 2 {
		j, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if head, err := j.Head("ses_a"); err != nil {
			t.Fatal(err)
		} else if head == 0 {
			fill(t, j)
		}
		if n := modes(t, dir); n < 8 {
			t.Errorf("%d files are in the root", n)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		modes(t, dir)
	}
	if at, err := os.Stat(filepath.Dir(dir)); err != nil || at.Mode().Perm() != 0o700 {
		t.Errorf("the directory above it has mode %v, %v", at.Mode(), err)
	}
}

// A root that was made more open is closed when it is opened.
func TestOpen_ModesOfAnOpenRoot(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".bdk")
	j, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, j)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if j, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	modes(t, dir)
}

// An empty directory that somebody made for the root is closed; one that holds
// other things, such as a project, keeps its mode, and so do they.
func TestOpen_ModesOfSomebodysDirectory(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]fs.FileMode{"": 0o700, "package.json": 0o755} {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if name != "" {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(dir, name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			j, err := Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if at, err := os.Stat(dir); err != nil || at.Mode().Perm() != want {
				t.Errorf("beside %q it has mode %v, %v, want %o", name, at.Mode(), err, want)
			}
		}
		if name != "" {
			if at, err := os.Stat(filepath.Join(dir, name)); err != nil || at.Mode().Perm() != 0o644 {
				t.Errorf("%s has mode %v, %v", name, at.Mode(), err)
			}
		}
		modes(t, filepath.Join(dir, "journal"))
	}
}

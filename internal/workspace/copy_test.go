package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// copied makes a session's folder and copies it for another one.
func copied(t *testing.T, lay func(dir string)) (w *Workspaces, c *Copy, to string) {
	t.Helper()
	content, err := OpenContent(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	if w, err = New(top, content); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = w.Close(), content.Close() })
	if lay != nil {
		dir, err := w.Dir("ses_1", func() (Seed, error) { return Seed{Instructions: "Be kind."}, nil })
		if err != nil {
			t.Fatal(err)
		}
		lay(dir)
	}
	if c, err = w.Copy(t.Context(), "ses_1", "ses_2"); err != nil {
		t.Fatal(err)
	}
	return w, c, filepath.Join(top, "ses_2")
}

func put(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

// "its workspace copied"
func TestCopy(t *testing.T) {
	t.Parallel()
	_, c, to := copied(t, func(dir string) {
		put(t, filepath.Join(dir, "a/b/run.sh"), "echo hi", 0o700)
		put(t, filepath.Join(dir, ".git/config"), "x", 0o600)
		if err := errors.Join(os.Symlink("/etc/passwd", filepath.Join(dir, "out")), os.Symlink("a/b", filepath.Join(dir, "in"))); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy is there before it was placed: %v", err)
	}
	if err := c.Place(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"AGENTS.md": "Be kind.", "a/b/run.sh": "echo hi", ".git/config": "x", "in/run.sh": "echo hi"} {
		if b, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if info, err := os.Stat(filepath.Join(to, "a/b/run.sh")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if target, err := os.Readlink(filepath.Join(to, "out")); err != nil || target != "/etc/passwd" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}

// A session that never needed its folder has none to copy; one that was given up leaves nothing.
func TestCopy_None(t *testing.T) {
	t.Parallel()
	_, c, to := copied(t, nil)
	if err := c.Place(); err != nil {
		t.Error(err)
	}
	_, dropped, _ := copied(t, func(dir string) { put(t, filepath.Join(dir, "a"), "a", 0o600) })
	dropped.Discard()
	for _, name := range []string{to, filepath.Join(dropped.w.dir, dropped.aside), filepath.Join(dropped.w.dir, "ses_2")} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A copy that ends early leaves nothing, and one that is made again after a crash does not
// take the place of what a session has by then.
func TestCopy_Again(t *testing.T) {
	t.Parallel()
	w, c, to := copied(t, func(dir string) { put(t, filepath.Join(dir, "a"), "old", 0o600) })
	if err := c.Place(); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(to, "a"), "new", 0o600)
	again, err := w.Copy(t.Context(), "ses_1", "ses_2")
	if err == nil {
		err = again.Place()
	}
	if b, rerr := os.ReadFile(filepath.Join(to, "a")); err != nil || rerr != nil || string(b) != "new" {
		t.Errorf("%q, %v, %v", b, err, rerr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Copy(ctx, "ses_1", "ses_3"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(filepath.Join(w.dir, unfinished)); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

package workspace

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A bench is a content store and workspaces in a folder of the test.
type bench struct {
	dir string
	c   *Content
	w   *Workspaces
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir()}
	b.open(t)
	return b
}

// open is also a restart on the same folder.
func (b *bench) open(t *testing.T) {
	t.Helper()
	var err error
	if b.c, err = OpenContent(filepath.Join(b.dir, "content")); err != nil {
		t.Fatal(err)
	}
	if b.w, err = New(filepath.Join(b.dir, "sessions"), b.c); err != nil {
		t.Fatal(err)
	}
	c, w := b.c, b.w
	t.Cleanup(func() { _, _ = c.Close(), w.Close() })
}

func (b *bench) put(t *testing.T, text string) string {
	t.Helper()
	hash, err := b.c.Put([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// tree gives the files below dir with their texts.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// "Each session has a folder under the state root, made on first need: AGENTS.md (the
// instructions) … then workspaceFiles".
func TestDir_FilledOnFirstNeed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hash, other := b.put(t, "one"), b.put(t, "two")
	asked := 0
	seed := func() (Seed, error) {
		asked++
		return Seed{"Be brief.", []File{{Path: "a/b.txt", SHA256: hash}, {Path: "ü.txt", SHA256: hash}, {Path: "ü.txt", SHA256: other}}}, nil
	}
	dir, err := b.w.Dir("ses_1", seed)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"AGENTS.md": "Be brief.", "a/b.txt": "one", "ü.txt": "two"}
	if got := tree(t, dir); !maps.Equal(got, want) {
		t.Fatalf("workspace holds %v, want %v", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.open(t)
	again, err := b.w.Dir("ses_1", seed)
	if err != nil || again != dir || asked != 1 {
		t.Fatalf("again: %q, %v, seed asked %d times; want %q once", again, err, asked, dir)
	}
	if got := tree(t, dir)["AGENTS.md"]; got != "changed" {
		t.Fatalf("the session's own change became %q", got)
	}
}

func TestDir_CrashInTheMiddle(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	half := filepath.Join(b.dir, "sessions", unfinished, "ses_1")
	if err := os.MkdirAll(half, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(half, "half.txt"), []byte("ha"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(b.dir, "sessions", temporary, "tool_x_1", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.open(t)
	hash := b.put(t, "whole")
	dir, err := b.w.Dir("ses_1", func() (Seed, error) { return Seed{Files: []File{{Path: "whole.txt", SHA256: hash}}}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(t, filepath.Join(b.dir, "sessions")); len(got) != 1 || got["ses_1/whole.txt"] != "whole" {
		t.Fatalf("after the crash there is %v in %s", got, dir)
	}
}

func TestDir_SeedFails(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	boom := errors.New("boom")
	if _, err := b.w.Dir("ses_1", func() (Seed, error) { return Seed{}, boom }); !errors.Is(err, boom) {
		t.Fatalf("got %v, want boom", err)
	}
	missing := File{Path: "a", SHA256: strings.Repeat("0", 64)}
	if _, err := b.w.Dir("ses_1", func() (Seed, error) { return Seed{"x", []File{missing}}, nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v, want fs.ErrNotExist", err)
	}
	if got := tree(t, filepath.Join(b.dir, "sessions")); len(got) > 0 {
		t.Fatalf("failed fills left %v", got)
	}
}

// S15: "root /ws/s1 must not admit /ws/s10"; an id is one name and never a path.
func TestDir_IDsAreNoPaths(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	none := func() (Seed, error) { return Seed{}, nil }
	one, err1 := b.w.Dir("s1", none)
	ten, err2 := b.w.Dir("s10", none)
	if err1 != nil || err2 != nil || one == ten || filepath.Dir(one) != filepath.Dir(ten) {
		t.Fatalf("%q %v, %q %v", one, err1, ten, err2)
	}
	for _, id := range []string{"", ".", "..", "../s1", "s1/..", "/s1", "a b", `a\b`, unfinished, temporary, "s\x00", strings.Repeat("s", 129)} {
		if dir, err := b.w.Dir(id, none); err == nil {
			t.Errorf("Dir(%q) = %q, want an error", id, dir)
		}
		if dir, _, err := b.w.Temporary(id, none); err == nil {
			t.Errorf("Temporary(%q) = %q, want an error", id, dir)
		}
	}
}

func TestDir_LinkInItsPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := t.TempDir()
	if err := os.Symlink(out, filepath.Join(b.dir, "sessions", "ses_1")); err != nil {
		t.Fatal(err)
	}
	if dir, err := b.w.Dir("ses_1", func() (Seed, error) { return Seed{Instructions: "x"}, nil }); err == nil {
		t.Fatalf("Dir followed a link to %q", dir)
	}
	if left := tree(t, out); len(left) > 0 {
		t.Fatalf("outside there is %v", left)
	}
}

func TestDir_ManyCallersFillOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var asked atomic.Int32
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			_, err := b.w.Dir("ses_1", func() (Seed, error) {
				asked.Add(1)
				return Seed{Instructions: "x"}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := asked.Load(); n != 1 || len(b.w.filling) != 0 {
		t.Fatalf("seed asked %d times, %d locks left", n, len(b.w.filling))
	}
}

// "a write gets a temporary workspace".
func TestTemporary_IsRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	seed := func() (Seed, error) { return Seed{Instructions: "x"}, nil }
	dir, remove, err := b.w.Temporary("tool_x_1", seed)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := b.w.Temporary("tool_x_1", seed)
	if err != nil || second == dir {
		t.Fatalf("second folder %q, %v", second, err)
	}
	if got := tree(t, dir); got["AGENTS.md"] != "x" {
		t.Fatalf("temporary workspace holds %v", got)
	}
	remove()
	remove()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("after remove: %v", err)
	}
	b.open(t)
	if got := slices.Collect(maps.Keys(tree(t, filepath.Join(b.dir, "sessions")))); len(got) > 0 {
		t.Fatalf("a restart left %v", got)
	}
}

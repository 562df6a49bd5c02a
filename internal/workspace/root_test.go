package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func openRoot(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	if err := root.Mkdir("tmp", 0o700); err != nil {
		t.Fatal(err)
	}
	return root, dir
}

// secret makes a file outside of any root.
func secret(t *testing.T) (dir, name string) {
	t.Helper()
	dir = t.TempDir()
	name = filepath.Join(dir, "secret")
	if err := os.WriteFile(name, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, name
}

// S14: "write through os.Root so symlinks cannot escape; never follow an existing
// symlink at the leaf".
func TestWriteFile_FollowsNoLink(t *testing.T) {
	t.Parallel()
	root, dir := openRoot(t)
	out, name := secret(t)
	must(t, os.Symlink(name, filepath.Join(dir, "leaf")))
	must(t, os.Symlink(out, filepath.Join(dir, "folder")))
	must(t, WriteFile(root, "tmp", "leaf", []byte("mine")))
	if err := WriteFile(root, "tmp", "folder/secret", []byte("mine")); err == nil {
		t.Error("WriteFile went through a link to a folder outside")
	}
	if got := tree(t, out); len(got) != 1 || got["secret"] != "secret" {
		t.Errorf("outside there is %v", got)
	}
	if info, err := os.Lstat(filepath.Join(dir, "leaf")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("leaf is %v, %v", info, err)
	}
	if left := tree(t, filepath.Join(dir, "tmp")); len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
}

// S16: "Race test swapping dir↔symlink 10k times".
func TestRoot_FolderSwappedForLink(t *testing.T) {
	t.Parallel()
	root, dir := openRoot(t)
	out, _ := secret(t)
	must(t, os.Mkdir(filepath.Join(dir, "real"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "real", "secret"), []byte("inside"), 0o600))
	must(t, os.Symlink(out, filepath.Join(dir, "link")))
	done := make(chan struct{})
	go func() {
		defer close(done)
		at := func(name string) string { return filepath.Join(dir, name) }
		for range 10_000 {
			_ = os.Rename(at("real"), at("d"))
			_ = os.Rename(at("d"), at("real"))
			_ = os.Rename(at("link"), at("d"))
			_ = os.Rename(at("d"), at("link"))
		}
	}()
	defer func() { <-done }()
	reads := 0
	for alive := true; alive; {
		select {
		case <-done:
			alive = false
		default:
		}
		if b, err := ReadFile(root, "d/secret"); err == nil {
			reads++
			if string(b) != "inside" {
				t.Fatalf("read %q from outside", b)
			}
		}
		if f, err := root.OpenFile("d/new", os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_ = f.Close()
		}
	}
	if got := tree(t, out); len(got) != 1 {
		t.Fatalf("outside there is %v", got)
	}
	t.Logf("%d reads met the folder", reads)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

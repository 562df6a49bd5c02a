package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/workspace"
)

var (
	one        = agent.FileScope{Session: "ses_1"}
	ten        = agent.FileScope{Session: "ses_10"}
	deployment = agent.FileScope{}
)

func newFiles(t *testing.T, dir string) *files {
	t.Helper()
	f, err := openFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func mustRead(t *testing.T, f agent.Files, scope agent.FileScope, name string) string {
	t.Helper()
	b, err := f.Read(t.Context(), scope, name)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return string(b)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// host.files: "write(path, bytes|text) … append(path, text) … read(path) … exists,
// delete, list(prefix?)".
func TestFiles_Story(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	f := newFiles(t, dir)
	must(t, f.Write(ctx, one, "a/b.bin", []byte{0, 255}))
	must(t, f.Write(ctx, one, "a/b.bin", []byte("second")))
	must(t, f.Append(ctx, one, "log.jsonl", []byte("1\n")))
	must(t, f.Append(ctx, one, "log.jsonl", []byte("2\n")))
	must(t, f.Append(ctx, one, "a/b.bin", []byte("+")))
	must(t, f.Write(ctx, one, "журнал.txt", []byte("да")))

	f = newFiles(t, dir) // a restart
	if got := mustRead(t, f, one, "log.jsonl") + mustRead(t, f, one, "a/b.bin"); got != "1\n2\nsecond+" {
		t.Fatalf("read %q", got)
	}
	names, err := f.List(ctx, one, "")
	if want := []string{"a/b.bin", "log.jsonl", "журнал.txt"}; err != nil || !slices.Equal(names, want) {
		t.Fatalf("List = %q, %v; want %q", names, err, want)
	}
	if names, err := f.List(ctx, one, "a/b."); err != nil || !slices.Equal(names, []string{"a/b.bin"}) {
		t.Fatalf("List(a/b.) = %q, %v", names, err)
	}
	if there, err := f.Exists(ctx, one, "a"); err != nil || there {
		t.Fatalf("a folder exists as a file: %v, %v", there, err)
	}
	for _, want := range []bool{true, false} {
		if there, err := f.Delete(ctx, one, "a/b.bin"); err != nil || there != want {
			t.Fatalf("Delete = %v, %v; want %v", there, err, want)
		}
	}
	if _, err := f.Read(ctx, one, "a/b.bin"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("after delete: %v", err)
	}
	must(t, f.Write(ctx, one, "a", []byte("a file where a folder was")))
}

// "bound to the session, or {scope:"deployment"}".
func TestFiles_ScopesAreApart(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	f := newFiles(t, t.TempDir())
	for i, scope := range []agent.FileScope{one, ten, deployment} {
		must(t, f.Write(ctx, scope, "x", []byte{byte('0' + i)}))
	}
	if got := mustRead(t, f, one, "x") + mustRead(t, f, ten, "x") + mustRead(t, f, deployment, "x"); got != "012" {
		t.Fatalf("read %q", got)
	}
	names, err := f.List(ctx, deployment, "")
	if err != nil || !slices.Equal(names, []string{"x"}) {
		t.Fatalf("deployment lists %q, %v", names, err)
	}
	if names, err := f.List(ctx, agent.FileScope{Session: "ses_none"}, ""); err != nil || len(names) != 0 {
		t.Fatalf("a session without files lists %q, %v", names, err)
	}
	for _, id := range []string{"..", "a/b", "ses 1", strings.Repeat("x", 129)} {
		if err := f.Write(ctx, agent.FileScope{Session: id}, "x", nil); err == nil {
			t.Errorf("session %q was taken", id)
		}
	}
}

// "Paths follow the rules of workspace files."
func TestFiles_RefusePaths(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	f := newFiles(t, t.TempDir())
	for _, name := range []string{"", "/etc/x", "../x", "a/../x", `a\b`, "CON", "a.", "e\u0301"} {
		var pe *workspace.PathError
		_, readErr := f.Read(ctx, one, name)
		_, delErr := f.Delete(ctx, one, name)
		_, exErr := f.Exists(ctx, one, name)
		for _, err := range []error{f.Write(ctx, one, name, nil), f.Append(ctx, one, name, nil), readErr, delErr, exErr} {
			if !errors.As(err, &pe) {
				t.Errorf("%q: %v, want a *PathError", name, err)
			}
		}
	}
}

func TestFiles_FileAndFolderCollide(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	f := newFiles(t, t.TempDir())
	must(t, f.Write(ctx, one, "a", []byte("x")))
	must(t, f.Write(ctx, one, "d/e", []byte("x")))
	for _, err := range []error{
		f.Write(ctx, one, "a/b", nil), f.Append(ctx, one, "a/b", nil), f.Write(ctx, one, "d", nil), f.Append(ctx, one, "d", nil),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "files: ") {
			t.Errorf("got %v, want an error of files", err)
		}
	}
	if _, err := f.Read(ctx, one, "a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading below a file: %v", err)
	}
	if there, err := f.Exists(ctx, one, "a/b"); there || err != nil {
		t.Errorf("Exists below a file: %v, %v", there, err)
	}
	if left, err := os.ReadDir(filepath.Join(rootName(f), filesTmp)); err != nil || len(left) > 0 {
		t.Errorf("temporary files left: %v, %v", left, err)
	}
}

func rootName(f *files) string { return f.root.Name() }

// S14: "write through os.Root so symlinks cannot escape"; S16: "opening a FIFO must
// not hang".
func TestFiles_LinksAndPipes(t *testing.T) {
	t.Parallel()
	ctx, dir, out := t.Context(), t.TempDir(), t.TempDir()
	f := newFiles(t, dir)
	secret := filepath.Join(out, "secret")
	must(t, os.WriteFile(secret, []byte("secret"), 0o600))
	at := func(name string) string { return filepath.Join(dir, deploymentDir, name) }
	must(t, os.Symlink(secret, at("leaf")))
	must(t, os.Symlink(out, at("folder")))
	must(t, syscall.Mkfifo(at("fifo"), 0o600))
	for _, name := range []string{"leaf", "folder/secret", "fifo"} {
		if b, err := f.Read(ctx, deployment, name); err == nil {
			t.Errorf("Read(%s) = %q", name, b)
		}
		if err := f.Append(ctx, deployment, name, []byte("mine")); err == nil {
			t.Errorf("Append(%s) went through", name)
		}
	}
	if b, err := os.ReadFile(secret); err != nil || string(b) != "secret" {
		t.Fatalf("outside there is %q, %v", b, err)
	}
	if names, err := f.List(ctx, deployment, ""); err != nil || len(names) != 0 {
		t.Fatalf("List shows %q, %v", names, err)
	}
}

// tear puts a store where a crash left it: the intent of the second record written
// down, and the file as given.
func tear(t *testing.T, dir string, in intent, file []byte) {
	t.Helper()
	b, err := json.Marshal(in)
	must(t, err)
	f := newFiles(t, dir)
	must(t, os.WriteFile(filepath.Join(dir, f.lane(in.Place).intent), b, 0o600))
	place := filepath.Join(dir, in.Place)
	must(t, os.MkdirAll(filepath.Dir(place), 0o700))
	if file != nil {
		must(t, os.WriteFile(place, file, 0o600))
	}
}

// "append(path, text) (one synced record, whole or not at all)".
func TestAppend_TornAtEveryByte(t *testing.T) {
	t.Parallel()
	const first, second = "first\n", "second\n"
	whole := first + second
	place := scopeDir(one) + "/log"
	for cut := len(first); cut <= len(whole); cut++ {
		for _, zeros := range []bool{false, true} { // the size may reach the disk before the bytes
			dir := t.TempDir()
			file := []byte(whole[:cut])
			if zeros {
				file = append([]byte(whole[:cut]), make([]byte, len(whole)-cut)...)
			}
			tear(t, dir, intent{place, int64(len(first)), int64(len(second)), sum(second), false}, file)
			want := first
			if cut == len(whole) {
				want = whole
			}
			f := newFiles(t, dir)
			if got := mustRead(t, f, one, "log"); got != want {
				t.Fatalf("cut at %d, zeros %v: %q, want %q", cut, zeros, got, want)
			}
			must(t, f.Append(t.Context(), one, "log", []byte("third\n")))
			if got := mustRead(t, newFiles(t, dir), one, "log"); got != want+"third\n" {
				t.Fatalf("cut at %d, zeros %v, then appended: %q", cut, zeros, got)
			}
		}
	}
}

func TestAppend_TornFirstRecord(t *testing.T) {
	t.Parallel()
	place := scopeDir(one) + "/log"
	in := intent{place, 0, 5, sum("whole"), true}
	for _, file := range [][]byte{nil, {}, []byte("who"), []byte("whale")} {
		dir := t.TempDir()
		tear(t, dir, in, file)
		if there, err := newFiles(t, dir).Exists(t.Context(), one, "log"); err != nil || there {
			t.Errorf("%q: file exists: %v, %v", file, there, err)
		}
	}
	dir := t.TempDir()
	tear(t, dir, in, []byte("whole"))
	if got := mustRead(t, newFiles(t, dir), one, "log"); got != "whole" {
		t.Errorf("a whole record became %q", got)
	}
}

// An intent that is torn itself, or is older than a later write, must change nothing.
func TestAppend_IntentThatDoesNotCount(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	f := newFiles(t, dir)
	must(t, f.Append(ctx, one, "log", []byte("0123456789")))
	must(t, f.Write(ctx, one, "log", []byte("short"))) // inside the old intent's range
	f = newFiles(t, dir)
	if got := mustRead(t, f, one, "log"); got != "short" {
		t.Fatalf("a write after an append became %q", got)
	}
	must(t, f.Append(ctx, one, "log", []byte("!")))
	if _, err := f.Delete(ctx, one, "log"); err != nil {
		t.Fatal(err)
	}
	must(t, f.Write(ctx, one, "log", []byte("anew, and longer")))
	must(t, os.WriteFile(filepath.Join(dir, f.lane(scopeDir(one)+"/log").intent), []byte(`{"place":"sessions/ses_1/log","offs`), 0o600))
	if got := mustRead(t, newFiles(t, dir), one, "log"); got != "anew, and longer" {
		t.Fatalf("after a torn intent: %q", got)
	}
}

func TestAppend_ManyWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newFiles(t, dir)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 20 {
				name := fmt.Sprintf("log%d", w%3)
				if err := f.Append(context.Background(), deployment, name, fmt.Appendf(nil, "%d-%d\n", w, i)); err != nil {
					t.Error(err)
				}
				b, err := f.Read(context.Background(), deployment, name)
				if err != nil || !strings.HasSuffix(string(b), "\n") {
					t.Errorf("read half a record: %q, %v", b, err)
				}
			}
		})
	}
	wg.Wait()
	lines := map[string]int{}
	for i := range 3 {
		for line := range strings.Lines(mustRead(t, newFiles(t, dir), deployment, fmt.Sprintf("log%d", i))) {
			lines[line]++
		}
	}
	if len(lines) != 160 {
		t.Fatalf("%d different records of 160", len(lines))
	}
}

func TestFiles_EndedContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := newFiles(t, t.TempDir())
	if err := f.Write(ctx, one, "x", nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func sum(s string) []byte {
	b := sha256.Sum256([]byte(s))
	return b[:]
}

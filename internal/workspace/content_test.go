package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestContent_PutGet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, text := range []string{"", "hello", "a\x00b\xff", strings.Repeat("long ", 1<<18)} {
		hash := b.put(t, text)
		got, err := b.c.Get(hash)
		if err != nil || string(got) != text {
			t.Fatalf("%d bytes read back as %d, %v", len(text), len(got), err)
		}
	}
	const known = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" // SHA-256 of hello
	if got := tree(t, filepath.Join(b.dir, "content")); got["2c/"+known] != "hello" {
		t.Fatalf("hello does not lie under its hash: %v", len(got))
	}
	b.open(t)
	if got, err := b.c.Get(known); err != nil || string(got) != "hello" {
		t.Fatalf("after a restart: %q, %v", got, err)
	}
}

func TestContent_PutAgainKeepsTheFile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	name := filepath.Join(b.dir, "content", contentName(b.put(t, "same")))
	old := time.Unix(1, 0)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	b.put(t, "same")
	if info, err := os.Stat(name); err != nil || !info.ModTime().Equal(old) {
		t.Fatalf("the file was written again: %v, %v", info, err)
	}
	if err := os.Truncate(name, 2); err != nil {
		t.Fatal(err)
	}
	if got, err := b.c.Get(b.put(t, "same")); err != nil || string(got) != "same" {
		t.Fatalf("a cut file was not mended: %q, %v", got, err)
	}
}

func TestContent_GetVerifies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hash := b.put(t, "right")
	if err := os.WriteFile(filepath.Join(b.dir, "content", contentName(hash)), []byte("wrong"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.c.Get(hash); !errors.Is(err, ErrCorrupt) {
		t.Fatalf("got %v, want ErrCorrupt", err)
	}
	for _, hash := range []string{"", "..", strings.Repeat("0", 64), strings.Repeat("A", 64), "../" + strings.Repeat("0", 61)} {
		if _, err := b.c.Get(hash); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Get(%q) = %v, want fs.ErrNotExist", hash, err)
		}
	}
}

func TestContent_CrashLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := os.WriteFile(filepath.Join(b.dir, "content", contentTmp, "torn"), []byte("to"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.open(t)
	if left := tree(t, filepath.Join(b.dir, "content")); len(left) > 0 {
		t.Fatalf("left %v", left)
	}
}

func TestContent_ManyWriters(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			text := bytes.Repeat([]byte{byte('a' + i%4)}, 1000)
			hash, err := b.c.Put(text)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := b.c.Get(hash); err != nil || !bytes.Equal(got, text) {
				t.Errorf("read back %d bytes, %v", len(got), err)
			}
		})
	}
	wg.Wait()
	if got := tree(t, filepath.Join(b.dir, "content")); len(got) != 4 {
		t.Fatalf("4 contents lie in %d files", len(got))
	}
}

package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBlob_ReadsWholeAndInParts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, text := range []string{"", "hello", strings.Repeat("long ", 1<<16)} {
		f, err := b.c.Open(b.put(t, text))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // again from the beginning
			if got, err := io.ReadAll(f); err != nil || string(got) != text || f.Size() != int64(len(text)) {
				t.Errorf("%d bytes read back as %d of %d, %v", len(text), len(got), f.Size(), err)
			}
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
		}
		at := int64(len(text) / 2)
		if _, err := f.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(f); err != nil || string(got) != text[at:] {
			t.Errorf("from %d on: %d bytes, %v", at, len(got), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Who reads damaged content whole never gets its end.
func TestBlob_DamagedContent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	text := strings.Repeat("right", 1<<15)
	hash := b.put(t, text)
	if err := os.WriteFile(filepath.Join(b.dir, "content", contentName(hash)), []byte("wrong"+text[5:]), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := b.c.Open(hash)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); !errors.Is(err, ErrCorrupt) || len(got) == len(text) {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
}

func TestContent_OpenUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, hash := range []string{"", "..", strings.Repeat("0", 64), "../" + strings.Repeat("0", 61)} {
		if _, err := b.c.Open(hash); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open(%q) = %v, want fs.ErrNotExist", hash, err)
		}
	}
}

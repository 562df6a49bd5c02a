package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// files are the contents of a directory by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameFiles(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// "unknown *format version* refuses to open with a clear message", files untouched.
func TestOpen_NewerFormat(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, dir string){
		"in the file": func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "format"), []byte("2\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"in the store": func(t *testing.T, dir string) {
			setStoredFormat(t, dir, "2")
			if err := os.Remove(filepath.Join(dir, "format")); err != nil {
				t.Fatal(err)
			}
		},
		"that is no number": func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "format"), []byte("soon"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			j, err := Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			mustAppend(t, j, Append{Stream: "ses_a", Events: texts("x")})
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			prepare(t, dir)
			before := files(t, dir)
			_, err = Open(dir, nil)
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), dir) {
				t.Errorf("opening gave %v", err)
			}
			if !sameFiles(files(t, dir), before) {
				t.Error("the refusal changed files")
			}
		})
	}
}

func setStoredFormat(t *testing.T, dir, version string) {
	t.Helper()
	db, err := pebble.Open(filepath.Join(dir, "journal"), &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: &storeLog{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Set([]byte{kindFormat}, []byte(version), pebble.Sync), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// The file beside the store is a copy: where it was lost it is written again.
func TestOpen_FormatFileIsWrittenAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 {
		j, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "format"))
		if err != nil || string(b) != "1\n" {
			t.Errorf("the file says %q, %v", b, err)
		}
		if err := os.Remove(filepath.Join(dir, "format")); err != nil {
			t.Fatal(err)
		}
	}
}

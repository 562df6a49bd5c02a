package arch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

func TestRepository_HouseRules(t *testing.T) {
	t.Parallel()
	files, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d files found below %s", len(files), root)
	}
	for _, rule := range Rules {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			for _, f := range files {
				report(t, rule.Check(f))
			}
		})
	}
	t.Run("package comments", func(t *testing.T) {
		t.Parallel()
		report(t, PackageDocs(files))
	})
	t.Run("links", func(t *testing.T) {
		t.Parallel()
		report(t, Links(files))
	})
}

func TestRepository_TopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !ignored(e.Name()) {
			names = append(names, e.Name())
		}
	}
	report(t, TopLevel(names))
}

// The README builds the command into the checkout: what .gitignore names is not read.
func TestLoad_LeavesOutWhatGitIgnores(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"bdk", "cpu.prof", "arch.test", ".bdk/LOCK", "cmd/bdk/main.go", "node_modules/x/x.js"} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("package main\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Load(dir)
	if err != nil || len(files) != 1 || files[0].Path != "cmd/bdk/main.go" {
		t.Errorf("%v, %v", files, err)
	}
}

// No file holds where this checkout lies.
func TestRepository_OwnPlace(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	here = strings.TrimSuffix(here, "/test/arch")
	files, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.Count(here, "/") > 1 && strings.Contains(f.Text, here) {
			t.Errorf("%s holds the path of this checkout; use a relative one", f.Path)
		}
	}
}

func report(t *testing.T, found []Finding) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}

// Each line is there once, and names lines.
func TestTable_NamesItsOwnLines(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range Table {
		if seen[p.Path] {
			t.Errorf("%s has two lines", p.Path)
		}
		seen[p.Path] = true
		for _, may := range p.May {
			if p.Path == "test" {
				break // harnesses see whole folders
			}
			if l := line(may); l == nil {
				t.Errorf("%s may import %s, which has no line", p.Path, may)
			}
		}
	}
}

// The table has no circle, so data moves one way.
func TestTable_HasNoCircle(t *testing.T) {
	t.Parallel()
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(path string, trail []string)
	visit = func(path string, trail []string) {
		if state[path] == visiting {
			t.Errorf("a circle: %s", strings.Join(append(trail, path), " → "))
		}
		if state[path] != 0 {
			return
		}
		state[path] = visiting
		for _, may := range line(path).May {
			if path != "test" {
				visit(line(may).Path, append(trail, path))
			}
		}
		state[path] = done
	}
	for _, p := range Table {
		visit(p.Path, nil)
	}
}

package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// "S14 corpus (each must be 400 and leave no file)".
var refused = [][]string{
	{"/etc/x"}, {"../x"}, {"a/../../x"}, {`a\..\x`}, {`C:\x`}, {"C:x"}, {`\\srv\s\x`}, {"//srv/x"},
	{"a//b"}, {"./a"}, {"a/."}, {""}, {" "}, {"a\u0000b"}, {"a\nb"}, {"a."}, {"a "},
	{"CON"}, {"nul.txt"}, {"aux/x"}, {"a:b"}, {"~/.ssh/x"}, {"%2e%2e/x"},
	{"é", "e\u0301"}, {"A.txt", "a.txt"}, {"a", "a/b"}, {"．．/x"}, {"ﬀ"},
	{strings.Repeat("n", 256)}, many(5000),
	{"AGENTS.md"}, {".git/hooks/pre-commit"}, {".cursor/hooks.json"},
}

// What the corpus implies and does not spell out.
var refusedToo = [][]string{
	{".."}, {"."}, {"a/"}, {"/"}, {"a/./b"}, {"a/b/.."}, {"a..", "b"}, {"b./a"}, {"b /a"},
	{"\t"}, {"a\u007fb"}, {"a\u0085b"}, {"a\u2028b"}, {"a\xffb"}, {"e\u0301"}, {"ﬁle"}, {"‥/x"}, {"a／b"}, {"a＼b"},
	{"%2E%2e"}, {"a%2fb"}, {"a%5Cb"}, {"a%00"}, {"%252e%252e/x"}, {".%2e/x"},
	{"com1"}, {"LPT9.log"}, {"COM¹"}, {"con .txt"}, {"conout$"}, {"d/PRN/x"},
	{"a/b", "a"}, {"x/y/z", "x/y"}, {"X/y", "x"}, {"a", "a"}, {"straße", "STRASSE"}, {"ﬀ.txt", "ff.txt"},
	{"a\u200bb", "ab"}, {"Docs/a", "docs/b"}, {"ａ.txt", "a.txt"}, {"I\u0307.txt", "i\u0307.txt"},
	{"agents.MD"}, {"AGENTS.md", "b"}, {".GIT/config"}, {"sub/.git/config"}, {".g\u200cit/config"}, {"GIT~1/config"}, {".git"}, {".Cursor/Hooks.json"},
	{strings.Repeat("long/", 205) + "x"},
	{"good", "../x", "other"},
}

var accepted = [][]string{
	{"a"}, {"a/b/c.txt"}, {"~"}, {"a~"}, {"~x/y"}, {".env"}, {"..a"}, {"a..b"}, {"...a"}, {"a b.txt"}, {" a"}, {"a\u00a0b.txt"},
	{"Проверка.md"}, {"作業/報告：一.md"}, {"নথি/ফাইল.txt"}, {"é.txt"}, {"😊.png"}, {"straße.txt"}, {"100%"}, {"50%25.txt"},
	{"console.log"}, {"com10"}, {"communication"}, {"nullable.go"}, {"a-CON"}, {".gitignore"}, {".github/workflows/ci.yml"}, {"git/x"},
	{"docs/AGENTS.md"}, {".cursor/rules/x.mdc"}, {".cursor/skills/a/SKILL.md"}, {"a/x", "a/y", "b"}, {"a.txt", "b.txt"},
	{"<x>", "a|b", `q"`, "s*", "w?"}, {strings.Repeat("n", 255)}, many(MaxFiles), {},
}

func many(n int) []string {
	paths := make([]string, n)
	for i := range paths {
		paths[i] = fmt.Sprintf("f%d", i)
	}
	return paths
}

func TestCheck_RefusesCorpus(t *testing.T) {
	t.Parallel()
	for _, paths := range append(refused, refusedToo...) {
		err := Check(paths)
		var pe *PathError
		if !errors.As(err, &pe) {
			t.Errorf("Check(%.200q) = %v, want a *PathError", paths, err)
			continue
		}
		if pe.Reason == "" || len(err.Error()) > 1500 {
			t.Errorf("Check(%.200q): poor text %q", paths, err)
		}
	}
}

func TestCheck_AcceptsPlainNames(t *testing.T) {
	t.Parallel()
	for _, paths := range accepted {
		if err := Check(paths); err != nil {
			t.Errorf("Check(%.200q) = %v, want nil", paths, err)
		}
	}
}

// "50 MB content" of the corpus.
func TestCheckFiles_BoundsContents(t *testing.T) {
	t.Parallel()
	half := make([]byte, MaxBytes/2)
	if err := CheckFiles([]NewFile{{"a", half}, {"b", half}}); err != nil {
		t.Fatalf("at the bound: %v", err)
	}
	err := CheckFiles([]NewFile{{"a", half}, {"b", half}, {"c", []byte("x")}})
	var pe *PathError
	if !errors.As(err, &pe) || pe.Path != "c" {
		t.Fatalf("over the bound: %v, want a *PathError for c", err)
	}
	if err := CheckFiles([]NewFile{{"../c", nil}}); err == nil {
		t.Fatal("CheckFiles took ../c")
	}
}

// "Each must be 400 and leave no file": what Check lets through is checked again,
// path by path, when the folder is filled, and nothing may land outside.
func TestDir_RefusedPathLeavesNoFile(t *testing.T) {
	t.Parallel()
	for _, paths := range append(refused, refusedToo...) {
		if CheckPath(paths[0]) == nil {
			continue // refused for its company, which is Check's to see
		}
		b := newBench(t)
		hash := b.put(t, "x")
		_, err := b.w.Dir("ses_1", func() (Seed, error) {
			return Seed{Files: []File{{Path: "fine.txt", SHA256: hash}, {Path: paths[0], SHA256: hash}}}, nil
		})
		if err == nil {
			t.Errorf("Dir took %q", paths[0])
		}
		if left := tree(t, filepath.Join(b.dir, "sessions")); len(left) > 0 {
			t.Errorf("%q left %v", paths[0], left)
		}
	}
}

// P45: "Workspace files never leave the session root for any input name."
func FuzzCheck(f *testing.F) {
	for _, set := range [][][]string{refused, refusedToo, accepted} {
		for _, paths := range set {
			if len(paths) > 0 {
				f.Add(paths[0], paths[len(paths)-1])
			}
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if Check([]string{a, b}) != nil {
			return
		}
		dir := t.TempDir()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := root.Mkdir("tmp", 0o700); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{a, b} {
			oracle(t, root, dir, p)
		}
	})
}

// oracle holds an accepted path against os.Root and package filepath.
func oracle(t *testing.T, root *os.Root, dir, p string) {
	t.Helper()
	if !filepath.IsLocal(p) || filepath.Clean(p) != p {
		t.Fatalf("%q was accepted and is not a clean local path", p)
	}
	inner := filepath.Join("in", p)
	if err := WriteFile(root, "tmp", inner, []byte(p)); err != nil {
		t.Fatalf("%q was accepted and cannot be written: %v", p, err)
	}
	info, err := os.Lstat(filepath.Join(dir, "in", p))
	if err != nil || !info.Mode().IsRegular() {
		t.Fatalf("%q does not lie where its text says: %v", p, err)
	}
	b, err := ReadFile(root, inner)
	if err != nil || string(b) != p {
		t.Fatalf("%q reads back %q, %v", p, b, err)
	}
}

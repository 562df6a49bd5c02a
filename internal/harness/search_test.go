package harness

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"
)

func TestGlob_Patterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, yes, no string }{
		{"*.go", "a.go .go", "a/b.go a.got"},
		{"**/*.go", "a.go a/b.go a/b/c.go", "a.md"},
		{"a/**", "a/b a/b/c", "a b/a"},
		{"a/**/c", "a/c a/b/c a/b/b/c", "a/bc c"},
		{"**", "a a/b", ""},
		{"a**b", "ab axb", "a/b"},
		{"*.{ts,tsx}", "a.ts a.tsx", "a.t a.ts,tsx"},
		{"{a,b/**/}c", "ac b/c b/x/c", "c"},
		{"a?c", "abc aüc", "ac a/c"},
		{"[a-c]x", "ax cx", "dx -x"},
		{"[!a-c]x", "dx", "ax /x"},
		{"[^a]", "b", "a /"},
		{`\*`, "*", "a"},
		{"a+(b)", "a+(b)", "aab"},
		{"[[]", "[", "a"},
		{"x\ny", "x\ny", "xy"},
	} {
		re, err := compile(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		for _, p := range fields(c.yes) {
			if !re.MatchString(p) {
				t.Errorf("%q does not match %q (%s)", c.pattern, p, re)
			}
		}
		for _, p := range fields(c.no) {
			if re.MatchString(p) {
				t.Errorf("%q matches %q (%s)", c.pattern, p, re)
			}
		}
	}
	for _, bad := range []string{"", "[", "[]", "{a", `\`, strings.Repeat("x", maxPattern+1), "\xff", "[a/b]"} {
		if _, err := compile(bad); err == nil {
			t.Errorf("%.20q was taken", bad)
		}
	}
}

func fields(s string) []string {
	if strings.Contains(s, "\n") {
		return []string{s}
	}
	return strings.Fields(s)
}

// A pattern without braces and ** means what package path says.
func FuzzGlob(f *testing.F) {
	for _, s := range []string{"*.go\x00a.go", "a/?\x00a/b", "[a-c]\x00b", `\*` + "\x00*", "a\x00a", "[z-a]\x00b", "[]a]\x00a"} {
		pattern, name, _ := strings.Cut(s, "\x00")
		f.Add(pattern, name)
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		re, err := compile(pattern)
		if err != nil || !utf8.ValidString(name) || strings.ContainsAny(pattern, "{}[]\\") || strings.Contains(pattern, "**") {
			return
		}
		if want, err := path.Match(pattern, name); err == nil && want != re.MatchString(name) {
			t.Errorf("%q on %q: %v, want %v (%s)", pattern, name, !want, want, re)
		}
	})
}

func TestGlob_Files(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	for _, name := range []string{"b.md", "a/a.md", "a/b/c.md", ".git/x.md", "node_modules/p/readme.md", ".hidden/h.md"} {
		r.file(name, "x")
	}
	r.want("glob", `{"pattern":"**/*.md"}`, ".hidden/h.md\na/a.md\na/b/c.md\nb.md")
	r.want("glob", `{"pattern":"*","path":"a/"}`, "a/a.md\na/b/")
	r.want("glob", `{"pattern":"node_modules/**/*.md"}`, "node_modules/p/readme.md")
	r.want("glob", `{"pattern":"*.md","path":".git"}`, ".git/x.md")
	r.want("glob", `{"pattern":"*.txt"}`, "[no path matches]")
	r.want("glob", `{"pattern":"*","path":"nope"}`, `error: searching "nope": there is no such file or folder`)
	r.want("glob", `{"pattern":"*","path":"b.md"}`, `error: searching "b.md": it is no folder`)
	for _, p := range []string{"../**", "/etc/*", "a/../../*", "./../*"} { // not "no path matches", which would say that there is nothing
		r.wantPart("glob", `{"pattern":"`+p+`"}`, "error: the pattern \""+strings.TrimPrefix(p, "./")+"\" leads out of the folder")
		r.wantPart("grep", `{"pattern":"x","glob":"`+p+`"}`, "error: the pattern \""+strings.TrimPrefix(p, "./")+"\" leads out of the folder")
	}
	r.want("glob", `{"pattern":"*..*"}`, "[no path matches]")
	for i := range maxListed + 5 {
		r.file(fmt.Sprintf("many/%05d", i), "")
	}
	text := r.do("glob", `{"pattern":"many/*"}`)
	if lines := strings.Split(text, "\n"); len(lines) != maxListed+1 || lines[maxListed] != "[there may be more; narrow the pattern or give a path]" {
		t.Errorf("%d lines, the last one is %q", len(lines), lines[len(lines)-1])
	}
	text = r.do("ls", `{"path":"many"}`)
	if lines := strings.Split(text, "\n"); len(lines) != maxListed+1 || lines[maxListed] != "[5 more; glob finds names by a pattern]" {
		t.Errorf("%d lines, the last one is %q", len(lines), lines[len(lines)-1])
	}
}

func TestGrep_Lines(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("a.go", "package a\r\nfunc A() {}\n")
	r.file("b/b.go", "package b\n")
	r.file("b/b.md", "a package")
	r.file("bin", "package\x00")
	r.want("grep", `{"pattern":"^package \\w$"}`, "a.go:1: package a\nb/b.go:1: package b")
	r.want("grep", `{"pattern":"package","glob":"*.md"}`, "b/b.md:1: a package")
	r.want("grep", `{"pattern":"package","glob":"b/*.go"}`, "b/b.go:1: package b")
	r.want("grep", `{"pattern":"PACKAGE","ignoreCase":true,"path":"b"}`, "b/b.go:1: package b\nb/b.md:1: a package")
	r.want("grep", `{"pattern":"package","path":"a.go"}`, "a.go:1: package a")
	r.want("grep", `{"pattern":"package","path":"bin"}`, `error: searching "bin": it is a binary file`)
	r.want("grep", `{"pattern":"nowhere"}`, "[no line matches]")
	r.wantPart("grep", `{"pattern":"("}`, "error: the pattern is no regular expression of RE2")
	r.wantPart("grep", `{"pattern":"(?=a)"}`, "error: the pattern is no regular expression of RE2")
	r.want("grep", `{"pattern":"x","path":"nope"}`, `error: searching "nope": there is no such file or folder`)
}

// A context that counts how often it is asked, and has ended when it was often enough.
type counting struct {
	context.Context
	left atomic.Int64
}

func (c *counting) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// C20: a tool that is stopped ends, in the middle of one long file too.
func TestTools_StoppedInALongFile(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("long", strings.Repeat("line\n", 100_000))
	for name, args := range map[string]string{"grep": `{"pattern":"nowhere"}`, "read": `{"path":"long","offset":99999}`} {
		for _, args := range []string{args, strings.Replace(args, `"nowhere"`, `"nowhere","path":"long"`, 1)} {
			ctx := &counting{Context: t.Context()}
			ctx.left.Store(1000)
			if _, err := r.result(ctx, name, args); err == nil {
				t.Errorf("%s %s went on", name, args)
			}
			if asked := 1000 - ctx.left.Load(); asked > 2000 {
				t.Errorf("%s %s went on for %d looks", name, args, asked)
			}
		}
	}
}

// A folder with very many names is listed in a moment: comparing each name with each
// other would take very long.
func TestTools_VeryManyNames(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	const n = maxEntries / 2
	for i := range n {
		must(t, os.WriteFile(filepath.Join(r.dir, fmt.Sprintf("%05d", i)), nil, 0o600))
	}
	r.wantPart("ls", `{}`, fmt.Sprintf("[%d more; glob finds names by a pattern]", n-maxListed))
	r.want("glob", `{"pattern":"*49999"}`, "49999")
	r.want("grep", `{"pattern":"x","glob":"*9999"}`, "[no line matches]")
}

// Folders that lie in one another without end are searched as deep as they can be named.
func TestTools_VeryDeepFolders(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	root, err := os.OpenRoot(r.dir)
	must(t, err)
	for range 3000 {
		must(t, root.Mkdir("d", 0o700))
		next, err := root.OpenRoot("d")
		must(t, err)
		must(t, root.Close())
		root = next
	}
	must(t, root.Close())
	r.want("glob", `{"pattern":"**/x"}`, "[no path matches]")
	must(t, os.RemoveAll(r.dir))
}

func TestGrep_Bounds(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("many", strings.Repeat("match\n", maxMatches+1))
	text := r.do("grep", `{"pattern":"match"}`)
	if lines := strings.Split(text, "\n"); len(lines) != maxMatches+1 || lines[maxMatches] != "[there may be more; narrow the pattern, or give a path or a glob]" {
		t.Errorf("%d lines, the last one is %q", len(lines), lines[len(lines)-1])
	}
	r = newRig(t, Options{})
	r.file("long", strings.Repeat("ü", 5000)+"needle"+strings.Repeat("😊", 5000)+"\nneedle after\n")
	text = r.do("grep", `{"pattern":"needle"}`)
	if !utf8.ValidString(text) || strings.Contains(text, "\uFFFD") || len(text) > 2*maxMatchLine || !strings.Contains(text, "üneedle😊") || !strings.HasSuffix(text, "\nlong:2: needle after") {
		t.Errorf("got %q", text)
	}
	r.file("huge", strings.Repeat("y", 3<<20)+"needle\nneedle\n")
	r.want("grep", `{"pattern":"needle","path":"huge"}`, "huge:2: needle")
}

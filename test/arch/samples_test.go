package arch

import (
	"fmt"
	"strings"
	"testing"
)

// A sample is a file that breaks a rule, and what the finding must say.
type sample struct {
	rule, path, text, want string
}

func lines(n int) string { return strings.Repeat("\n", n) }

var (
	todo = "TO" + "DO"
	stub = "st" + "ub"
)

var bad = []sample{
	{"imports", "events/x.go", `package events; import "github.com/rs/zerolog"`, "standard library only"},
	{"imports", "events/x.go", `package events; import "github.com/gobdk/bdk/actors"`, "events may not import actors"},
	{"imports", "actors/session/x.go", `package session; import "github.com/gobdk/bdk/events/journal"`, "may not import events/journal"},
	{"imports", "projections/x.go", `package projections; import "github.com/gobdk/bdk/actors"`, "may not import actors"},
	{"imports", "transport/x.go", `package transport; import "github.com/gobdk/bdk/internal/cli"`, "may not import internal/cli"},
	{"imports", "transport/x.go", `package transport; import "github.com/cockroachdb/pebble/v2"`, "imported by events/journal"},
	{"imports", "actors/x.go", `package actors; import "pgregory.net/rapid"`, "for tests alone"},
	{"imports", "cmd/bdk/main.go", `package main; import "github.com/gobdk/bdk/actors"`, "cmd may not import actors"},
	{"imports", "newcomer/x.go", `package newcomer`, "no line in the import table"},
	{"file size", "events/x_test.go", "package events\n" + lines(500), "has 501 lines"},
	{"function size", "events/x.go", "package events\nfunc f() {" + lines(60) + "}", "f has 61 lines"},
	{"unfinished work", "events/x.go", "package events\n// " + todo + ": more", todo},
	{"unfinished work", "docs/a.md", "This is not " + "implemented yet.", "implemented"},
	{"unfinished work", "events/x.go", "package events\nfunc f() { panic(\"" + stub + "\") }", stub},
	{"skipped tests", "events/x_test.go", `package events; func TestX(t *T) { t.Skip("no") }`, "Skip skips a test"},
	{"skipped tests", "events/x_test.go", `package events; func BenchmarkX(b *B) { b.SkipNow() }`, "SkipNow"},
	{"exported names", "events/x.go", `package events; func Do() {}`, "Do has no comment"},
	{"exported names", "events/x.go", "package events\n// Does a thing.\nfunc Do() {}", "Do has no comment"},
	{"exported names", "events/x.go", "package events\n// Doing is it.\nfunc Do() {}", "Do has no comment"},
	{"exported names", "events/x.go", `package events; type Thing struct{}`, "Thing has no comment"},
	{"exported names", "events/x.go", "package events\n// T is.\ntype T struct{}\nfunc (t *T) Do() {}", "Do has no comment"},
	{"exported names", "events/x.go", `package events; var Err = 1`, "Err has no comment"},
	{"exported names", "events/x.go", "package events\nconst (\n\tA = 1\n)", "A has no comment"},
	{"names", "events/x.go", `package events; func (t T) GetName() {}`, "without Get"},
	{"names", "events/x.go", `package events; func (this T) Name() {}`, "receiver this"},
	{"names", "events/x.go", `package events; type IReader interface{}`, "without I"},
	{"names", "internal/util/x.go", `package util`, "says nothing"},
	{"sleeps", "events/x_test.go", `package events; import "time"; func TestX() { time.Sleep(1) }`, "time.Sleep"},
	{"sleeps", "events/x_test.go", `package events; import later "time"; func TestX() { later.Sleep(1) }`, "time.Sleep"},
	{"process globals", "actors/x.go", `package actors; import "os"; var x = os.Getenv("X")`, "os.Getenv"},
	{"process globals", "actors/x.go", `package actors; import "os"; func f() { os.Exit(1) }`, "os.Exit"},
	{"process globals", "transport/x.go", `package transport; import "os"; var x = os.Args`, "os.Args"},
	{"process globals", "transport/x.go", `package transport; import "log"; func f() { log.Fatal() }`, "log.Fatal"},
	{"global log", "actors/x.go", `package actors; import "github.com/rs/zerolog/log"`, "global logger"},
	{"pure session", "actors/session/x.go", `package session; import "time"; var x = time.Now()`, "time.Now"},
	{"pure session", "actors/session/x.go", `package session; import "math/rand/v2"`, "math/rand/v2"},
	{"pure session", "actors/session/x.go", `package session; func f() { go f() }`, "goroutine"},
	{"error texts", "events/x.go", `package events; import "errors"; var e = errors.New("Something broke")`, "capital"},
	{"error texts", "events/x.go", `package events; import "fmt"; var e = fmt.Errorf("failed to read: %w", err)`, "failed to"},
	{"error texts", "events/x.go", `package events; import "errors"; var e = errors.New("it broke.")`, "full stop"},
	{"places", "README.md", "cd /home/" + "ann/bdk", "/home/ann"},
	{"places", "a/b.ts", `import "/root/` + `x/y"`, "/root/x"},
	{"places", "test/projects/a/package-lock.json", `"resolved": "http://10.0.0.1:4873/zod.tgz"`, "not the public registry"},
	{"places", "test/projects/a/.npmrc", "registry=http://mirror/", "chooses a package registry"},
	{"places", ".ci/run", "export GOPROXY=http://mirror", "chooses a package registry"},
}

// Each rule is broken on purpose: a rule that lets its sample pass holds nothing.
func TestRules_FindBadSamples(t *testing.T) {
	t.Parallel()
	broken := map[string]bool{}
	for i, s := range bad {
		broken[s.rule] = true
		t.Run(fmt.Sprintf("%d %s", i, s.rule), func(t *testing.T) {
			t.Parallel()
			found := check(t, s.rule, s.path, s.text)
			if len(found) != 1 || !strings.Contains(found[0].String(), s.want) {
				t.Errorf("%q in %s gives %v, want one finding with %q", s.text, s.path, found, s.want)
			}
		})
	}
	for _, r := range Rules {
		if !broken[r.Name] {
			t.Errorf("rule %q has no bad sample", r.Name)
		}
	}
}

func check(t *testing.T, rule, path, text string) []Finding {
	t.Helper()
	f, err := Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Rules {
		if r.Name == rule {
			return r.Check(f)
		}
	}
	t.Fatalf("no rule %q", rule)
	return nil
}

const good = `// Package events is what happened.
package events

import (
	"errors"
	"fmt"
	"time"
)

// ErrGone says that it is gone.
var ErrGone = errors.New("events: gone")

// Kinds of things.
const (
	KindA = "a"
	KindB = "b"
)

// A Thing happened at a time.
type Thing struct{ At time.Time }

// String is for people.
func (t *Thing) String() string { return fmt.Sprint(t.At) }

func (t *Thing) hidden() error { return fmt.Errorf("reading thing: %w", ErrGone) }
`

func TestRules_LetGoodSamplePass(t *testing.T) {
	t.Parallel()
	for _, r := range Rules {
		for _, path := range []string{"events/good.go", "events/good_test.go"} {
			if found := check(t, r.Name, path, good); len(found) > 0 {
				t.Errorf("rule %q: %v", r.Name, found)
			}
		}
		if found := check(t, r.Name, "README.md", "See docs/home/page and `bdk serve --dir .`."); len(found) > 0 {
			t.Errorf("rule %q: %v", r.Name, found)
		}
	}
}

func TestPackageDocs_Samples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"package events":                                      1,
		"// Events are facts.\npackage events":                1,
		"// Package events is what happened\npackage events":  1,
		"// Package events is what happened.\npackage events": 0,
		"// Command bdk hosts agents.\npackage main":          0,
		"package main": 1,
	} {
		f, err := Parse("events/x.go", text)
		if err != nil {
			t.Fatal(err)
		}
		if found := PackageDocs([]*File{f}); len(found) != want {
			t.Errorf("%q gives %v, want %d findings", text, found, want)
		}
	}
}

func TestTopLevel_Samples(t *testing.T) {
	t.Parallel()
	if found := TopLevel([]string{"README.md", "scratch.txt", "actors"}); len(found) != 1 || found[0].Path != "scratch.txt" {
		t.Errorf("got %v, want scratch.txt alone", found)
	}
}

func TestLinks_Samples(t *testing.T) {
	t.Parallel()
	page := &File{Path: "docs/a.md", Text: "[b](b.md) [up](../events/x.go) [top](#here) [web](https://example.com)\n[gone](c.md)"}
	files := []*File{page, {Path: "docs/b.md"}, {Path: "events/x.go"}}
	if found := Links(files); len(found) != 1 || found[0].Line != 2 || !strings.Contains(found[0].Text, "c.md") {
		t.Errorf("got %v, want c.md alone", found)
	}
}

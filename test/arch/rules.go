package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Rule is one house rule for one file.
type Rule struct {
	Name  string
	Check func(*File) []Finding
}

// Rules hold for every file. Those about Go let other files pass.
var Rules = []Rule{
	{"imports", Imports},
	{"file size", FileSize},
	{"function size", FunctionSize},
	{"unfinished work", Unfinished},
	{"skipped tests", Skips},
	{"exported names", ExportedDocs},
	{"names", Names},
	{"sleeps", Sleeps},
	{"process globals", ProcessGlobals},
	{"global log", GlobalLog},
	{"pure session", PureSession},
	{"error texts", ErrorTexts},
	{"places", Places},
}

// Bounds of a file and a function, in lines.
const (
	maxFile     = 500
	maxFunction = 60
)

// FileSize: a Go file has at most 500 lines, tests too.
func FileSize(f *File) []Finding {
	if n := strings.Count(f.Text, "\n"); f.Syntax != nil && n > maxFile {
		return []Finding{{f.Path, 0, fmt.Sprintf("has %d lines; split it by noun or verb (aim at 150, stop at %d)", n, maxFile)}}
	}
	return nil
}

// FunctionSize: a function has at most 60 lines, literals inside counted with it.
func FunctionSize(f *File) []Finding {
	var found []Finding
	for _, fn := range functions(f) {
		if n := f.line(fn.End()) - f.line(fn.Pos()) + 1; n > maxFunction {
			found = append(found, f.at(fn.Pos(), "%s has %d lines; give its parts names (stop at %d)", fn.Name.Name, n, maxFunction))
		}
	}
	return found
}

func functions(f *File) []*ast.FuncDecl {
	var fns []*ast.FuncDecl
	if f.Syntax == nil {
		return nil
	}
	for _, d := range f.Syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fns = append(fns, fn)
		}
	}
	return fns
}

// The words are put together here so that this file does not hold them.
var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b|(?i)not ` + `implemented|panic\("st` + `ub"\)`)

// Unfinished: no marks of work that is left, in code, docs or samples.
func Unfinished(f *File) []Finding {
	if base := path.Base(f.Path); base == "go.sum" || base == "package-lock.json" {
		return nil // hashes may spell anything
	}
	var found []Finding
	for i, text := range strings.Split(f.Text, "\n") {
		if m := unfinished.FindString(text); m != "" {
			found = append(found, Finding{f.Path, i + 1, fmt.Sprintf("%q: do it, refuse it with a plain error, or write it into ARCHITECTURE.md", m)})
		}
	}
	return found
}

// Skips: a test runs or is deleted.
func Skips(f *File) []Finding {
	var found []Finding
	if f.Syntax == nil {
		return nil
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) && receiverOfTests(sel.X) {
			found = append(found, f.at(call.Pos(), "%s skips a test: make it run everywhere, or take it out", sel.Sel.Name))
		}
		return true
	})
	return found
}

func receiverOfTests(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && slices.Contains([]string{"t", "b", "f", "tb", "rt", "tt"}, id.Name)
}

// SleepsAllowed are test files that wait for another process, where nothing can signal.
var SleepsAllowed = []string{
	"test/crash/",
	"test/bench/",
	"events/journal/failnth_test.go",
}

// Sleeps: tests wait for a signal, not for a time.
func Sleeps(f *File) []Finding {
	if f.Syntax == nil || !f.Test() && !f.Harness() || under(f.Path, SleepsAllowed...) {
		return nil
	}
	var found []Finding
	f.uses(func(pos token.Pos, pkg, name string) {
		if pkg == "time" && name == "Sleep" {
			found = append(found, f.at(pos, "time.Sleep: use testing/synctest or a channel; where a process must be polled, add the file to SleepsAllowed in test/arch/rules.go"))
		}
	})
	return found
}

// processFiles may touch the process that they run in. The journal's logger is among
// them because its store asks it to end the process when it cannot go on, and the
// host's environment because it is the default of an option.
var processFiles = []string{"cmd", "internal/cli", "actors/environ.go", "internal/failpoint/on.go", "events/journal/logger.go", "test"}

// ProcessGlobals: arguments, environment and exit belong to the command line.
func ProcessGlobals(f *File) []Finding {
	if f.Syntax == nil || f.Test() || under(f.Path, processFiles...) {
		return nil
	}
	globals := []string{"Getenv", "LookupEnv", "Environ", "Setenv", "Args", "Exit", "Stdin", "Stdout", "Stderr"}
	var found []Finding
	f.uses(func(pos token.Pos, pkg, name string) {
		if pkg == "os" && slices.Contains(globals, name) || pkg == "log" && name != "New" && name != "Logger" || pkg == "flag" {
			found = append(found, f.at(pos, "%s.%s: take it as an option; only cmd and internal/cli know the process", pkg, name))
		}
	})
	return found
}

// GlobalLog: a logger is passed in.
func GlobalLog(f *File) []Finding {
	if f.Syntax == nil {
		return nil
	}
	var found []Finding
	for _, spec := range f.Syntax.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == "github.com/rs/zerolog/log" || p == "log/slog" {
			found = append(found, f.at(spec.Pos(), "%s is a global logger: take a zerolog.Logger as an option", p))
		}
	}
	return found
}

// PureSession: what decides has no clock, no chance, no goroutines and no I/O.
func PureSession(f *File) []Finding {
	if f.Syntax == nil || f.Test() || !under(f.Path, "actors/session") {
		return nil
	}
	var found []Finding
	for _, spec := range f.Syntax.Imports {
		switch p, _ := strconv.Unquote(spec.Path.Value); p {
		case "os", "net", "net/http", "sync", "sync/atomic", "context", "math/rand", "math/rand/v2", "crypto/rand", "io", "io/fs", "runtime":
			found = append(found, f.at(spec.Pos(), "actors/session imports %s: let the input bring it, or make it an effect", p))
		}
	}
	f.uses(func(pos token.Pos, pkg, name string) {
		if pkg == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}, name) {
			found = append(found, f.at(pos, "time.%s in actors/session: the input carries the time", name))
		}
	})
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			found = append(found, f.at(g.Pos(), "a goroutine in actors/session: make it an effect"))
		}
		return true
	})
	return found
}

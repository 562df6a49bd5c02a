package pages_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/test/pages"
)

// given are what Go on a page may rely on: the host and what the page speaks of.
const given = "ctx context.Context, host *actors.Host, sessionID string, dir string, agents []*agent.Agent, models model.Resolver, tool, failedJobs, retryJob *agent.Tool"

// imported are the packages that it may name.
var imported = map[string]string{
	"actors": "actors", "agent": "actors/agent", "memory": "actors/memory", "github": "actors/github", "slack": "actors/slack",
	"model": "actors/model", "events": "events", "journal": "events/journal", "projections": "projections", "transport": "transport",
	"context": "", "errors": "", "fmt": "", "os": "", "time": "",
}

// "code blocks checked by tests": Go on a page that is from no example compiles.
func TestBlocks_GoCompiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	for _, file := range append(all(t), "../../README.md") {
		for _, b := range pages.Blocks(read(t, file)) {
			if b.Language != "go" || b.From == "from" {
				continue
			}
			name := fmt.Sprintf("%s_%d.go", strings.TrimSuffix(filepath.Base(file), ".md"), b.Line)
			made := filepath.Join(dir, name)
			if err := os.WriteFile(made, []byte(program(t, name, b.Text)), 0o644); err != nil {
				t.Fatal(err)
			}
			at, err := filepath.Abs(filepath.Join("fragments", name))
			if err != nil {
				t.Fatal(err)
			}
			overlay["Replace"][at] = made
		}
	}
	if n := len(overlay["Replace"]); n < 8 {
		t.Fatalf("%d pieces of Go were found", n)
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", "-overlay", filepath.Join(dir, "overlay.json"), "./fragments").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// program makes a file of a piece of Go: a function that has what is given, and that uses
// every variable which the piece declares.
func program(t *testing.T, name, text string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, "package p\nfunc _() error {\n"+text+"\nreturn nil }", parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package p\n\nimport (\n")
	for _, root := range roots(f) {
		if path := imported[root]; path == "" {
			fmt.Fprintf(&b, "\t%q\n", root)
		} else {
			fmt.Fprintf(&b, "\t%q\n", "github.com/gobdk/bdk/"+path)
		}
	}
	fmt.Fprintf(&b, ")\n\nfunc _(%s) error {\n{\n//line %s:1\n%s\n", given, name, text)
	for _, statement := range f.Decls[0].(*ast.FuncDecl).Body.List {
		if a, ok := statement.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, v := range a.Lhs {
				fmt.Fprintf(&b, "_ = %s\n", v.(*ast.Ident).Name)
			}
		}
	}
	return b.String() + "}\nreturn nil\n}\n"
}

// roots are the packages that a file names, those of what is given among them.
func roots(f *ast.File) []string {
	found := []string{"actors", "agent", "context", "model"}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				if _, ok := imported[x.Name]; ok {
					found = append(found, x.Name)
				}
			}
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

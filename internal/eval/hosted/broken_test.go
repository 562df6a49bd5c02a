package hosted

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// Every code of a failed turn is on one side of the table: what is broken fails a case
// whatever it asserts.
func TestBroken_EveryCode(t *testing.T) {
	t.Parallel()
	want := map[string]bool{
		"model_error": true, "instructions_error": true, "internal": true, "resume_limit": true, "stopped": true, "interrupted": true, "forked": true,
		"content_filter": false, "context_overflow": false, "max_steps": false, "budget_exceeded": false, "timeout": false,
		"max_output": false, "repeated_failure": false, "result_rejected": false,
	}
	f, err := parser.ParseFile(token.NewFileSet(), "../../../events/payload.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Fail") {
			return true
		}
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		is, known := want[code]
		if !known {
			t.Errorf("%s is in no row: decide, and write it into the table of broken", code)
		}
		if broken(code) != is {
			t.Errorf("broken(%s) is %v", code, !is)
		}
		delete(want, code)
		return true
	})
	if len(want) > 0 {
		t.Errorf("no code of events: %v", want)
	}
}

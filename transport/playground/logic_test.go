package playground

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"modernc.org/quickjs"
)

// A logic is the modules of web/ that touch no page, in an engine of their own.
type logic struct {
	t  *testing.T
	vm *quickjs.VM
}

// newLogic bundles modules, named as "views/trace/axis"; what they export is there by its name.
func newLogic(t *testing.T, modules ...string) *logic {
	t.Helper()
	var entry strings.Builder
	for _, m := range modules {
		entry.WriteString("export * from " + encode(t, "./"+m+".js") + ";\n")
	}
	web, err := filepath.Abs("web")
	if err != nil {
		t.Fatal(err)
	}
	r := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: entry.String(), ResolveDir: web, Sourcefile: "logic.ts", Loader: api.LoaderTS},
		Bundle: true, Write: false, Format: api.FormatIIFE, GlobalName: "logic", Target: api.ES2022, LogLevel: api.LogLevelSilent,
	})
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors[0].Text)
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := vm.Close(); err != nil {
			t.Error(err)
		}
	})
	l := &logic{t, vm}
	l.run(string(r.OutputFiles[0].Contents) + ";Object.assign(globalThis, logic)")
	return l
}

// run evaluates a script.
func (l *logic) run(script string) {
	l.t.Helper()
	if _, err := l.vm.Eval(script, quickjs.EvalGlobal); err != nil {
		l.t.Fatal(err)
	}
}

// json is what an expression gives.
func (l *logic) json(expression string) string {
	l.t.Helper()
	got, err := l.vm.Eval("JSON.stringify("+expression+") ?? 'undefined'", quickjs.EvalGlobal)
	if err != nil {
		l.t.Fatalf("%s: %v", expression, err)
	}
	return got.(string)
}

// want holds what an expression gives against JSON.
func (l *logic) want(expression, want string) {
	l.t.Helper()
	if got := l.json(expression); got != want {
		l.t.Errorf("%s is\n\t%s, want\n\t%s", expression, got, want)
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

package script

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
	"modernc.org/quickjs"
)

// sources are the JavaScript parts of the runtime: js/runtime is in every VM,
// js/node and js/platform are what a project's imports are answered with.
//
//go:embed all:js
var sources embed.FS

// preludeLine is the line on which the prelude starts. The engine names every
// script alike, so the line tells which one a stack frame is in.
const preludeLine = 1_000_000

// prelude is the bytecode of js/runtime, compiled once for the whole process.
var prelude = sync.OnceValues(func() ([]byte, error) {
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: `import "bdk:runtime/main.js"`, Sourcefile: "prelude"},
		Bundle: true, Format: api.FormatIIFE, Platform: api.PlatformNeutral, Target: api.ES2023,
		MinifySyntax: true, MinifyWhitespace: true, LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{sourcesPlugin},
	})
	if len(built.Errors) > 0 {
		return nil, fmt.Errorf("building the prelude: %s", built.Errors[0].Text)
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("compiling the prelude: %w", err)
	}
	defer vm.Close()
	code, err := vm.Compile(strings.Repeat("\n", preludeLine)+string(built.OutputFiles[0].Contents), quickjs.EvalGlobal)
	if err != nil {
		return nil, fmt.Errorf("compiling the prelude: %w", err)
	}
	return code, nil
})

// sourcesPlugin answers "bdk:<path under js>" and relative imports among them.
var sourcesPlugin = api.Plugin{Name: "bdk-sources", Setup: func(b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: `^bdk:`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "bdk:"), Namespace: "bdk"}, nil
	})
	b.OnResolve(api.OnResolveOptions{Filter: `^\.`, Namespace: "bdk"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: path.Join(path.Dir(a.Importer), a.Path), Namespace: "bdk"}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "bdk"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := fs.ReadFile(sources, path.Join("js", a.Path))
		if err != nil {
			return api.OnLoadResult{}, fmt.Errorf("reading the runtime's %s: %w", a.Path, err)
		}
		contents := string(text)
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderJS}, nil
	})
}}

package script

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"modernc.org/quickjs"
)

// A bundle is all modules of a project as one script, each evaluated on its own.
type bundle struct {
	code string
	maps *sourceMap
	// loaded has a row for each module; those that do not bundle have their Err.
	loaded []Loaded
	// bytecode is the code compiled, nil until a VM did it.
	bytecode []byte
}

// built is what esbuild gives, and what the cache keeps.
type built struct {
	Code   []byte
	Map    []byte
	Inputs []string // absolute paths of the files that went in
}

// bundleProject bundles what can be bundled. A module that cannot has its
// error, and the rest is built without it.
func bundleProject(o *Options) (*bundle, error) {
	b := &bundle{loaded: make([]Loaded, len(o.Modules))}
	for i, m := range o.Modules {
		b.loaded[i] = Loaded{ID: m.ID, File: m.File, Kind: "none"}
	}
	cache := newCache(o)
	out, hit := cache.read()
	if !hit {
		var whole bool
		var err error
		if out, whole, err = b.build(o); err != nil {
			return nil, err
		}
		if whole {
			cache.write(out)
		}
	}
	b.code = string(out.Code)
	b.maps = &sourceMap{dir: o.Dir, data: out.Map}
	return b, nil
}

// rebuild leaves out the modules whose code the engine refuses to compile, which
// the bundler did not see (a regular expression that is none, say).
func (b *bundle) rebuild(o *Options, compile func(code string) ([]byte, error)) error {
	var part []int
	for i := range o.Modules {
		if b.loaded[i].Err == nil {
			part = append(part, i)
		}
	}
	good := sift(part, func(part []int) func(i int) {
		out, errs := buildModules(o, pick(o.Modules, part))
		if errs != nil {
			return func(i int) { b.loaded[i].Err = explain(o, errs[0]) }
		}
		if _, err := compile(string(out.Code)); err != nil {
			return func(i int) { b.loaded[i].Err = uncompiled(o, o.Modules[i], out, err) }
		}
		return nil
	})
	out, errs := buildModules(o, pick(o.Modules, good))
	if errs != nil {
		return explain(o, errs[0])
	}
	b.code = string(out.Code)
	b.maps.data = out.Map
	return nil
}

// uncompiled finds the place of what the engine could not compile.
func uncompiled(o *Options, m Module, out *built, err error) *Error {
	maps := &sourceMap{dir: o.Dir, data: out.Map}
	e := &Error{Name: "SyntaxError", Message: err.Error(), File: maps.relative(m.File)}
	var q *quickjs.Error
	if errors.As(err, &q) {
		e.Message = q.Message
		if file, line, col, ok := maps.source(q.LineNumber-1, max(q.ColumnNumber-1, 0)); ok {
			e.File, e.Line, e.Column = file, line, col
		}
	}
	return e
}

// build bundles all modules; when that fails, it finds the guilty ones and
// bundles the others. What they import tells most; halving finds the rest. whole
// says that none was left out.
func (b *bundle) build(o *Options) (out *built, whole bool, err error) {
	out, errs := buildModules(o, o.Modules)
	if errs == nil {
		return out, true, nil
	}
	all := make([]int, 0, len(o.Modules))
	guilty, _ := blame(o, errs)
	for i := range o.Modules {
		if fault, found := guilty[i]; found {
			b.loaded[i].Err = explain(o, fault)
			continue
		}
		all = append(all, i)
	}
	most := 0 // modules in out
	good := sift(all, func(part []int) func(i int) {
		made, errs := buildModules(o, pick(o.Modules, part))
		if errs == nil {
			out, most = made, len(part)
			return nil
		}
		return func(i int) { b.loaded[i].Err = explain(o, errs[0]) }
	})
	switch {
	case len(good) == len(o.Modules):
		return nil, false, explain(o, errs[0])
	case len(good) == most && most > 0:
		return out, false, nil
	}
	out, errs = buildModules(o, pick(o.Modules, good))
	if errs != nil {
		return nil, false, explain(o, errs[0])
	}
	return out, false, nil
}

// sift gives the modules, by their places, in which try finds no fault. It tries
// halves of what has one, so that a large project with one bad file is not built
// file by file; a module alone gets the blame.
func sift(part []int, try func(part []int) (blame func(i int))) (good []int) {
	blame := try(part)
	switch {
	case blame == nil:
		return part
	case len(part) > 1:
		middle := len(part) / 2
		return append(sift(part[:middle:middle], try), sift(part[middle:], try)...)
	}
	for _, i := range part {
		blame(i)
	}
	return nil
}

func pick(modules []Module, part []int) []Module {
	picked := make([]Module, len(part))
	for n, i := range part {
		picked[n] = modules[i]
	}
	return picked
}

// buildModules runs esbuild over the modules.
func buildModules(o *Options, modules []Module) (*built, []api.Message) {
	r := runBuild(o, modules)
	if errs := buildErrors(r); len(errs) > 0 {
		return nil, errs
	}
	out := &built{Inputs: inputsOf(o.Dir, r.Metafile)}
	for _, f := range r.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			out.Map = f.Contents
		} else {
			out.Code = f.Contents
		}
	}
	return out, nil
}

// runBuild bundles modules; the plugins of first are asked before ours.
func runBuild(o *Options, modules []Module, first ...api.Plugin) api.BuildResult {
	if fault := roadblock(o, modules); fault != nil {
		return api.BuildResult{Errors: []api.Message{*fault}}
	}
	return api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: entry(o, modules), ResolveDir: o.Dir, Sourcefile: "<entry>", Loader: api.LoaderJS},
		Bundle: true, Metafile: true, Outfile: filepath.Join(o.Dir, "bundle.js"), AbsWorkingDir: o.Dir,
		Format: api.FormatESModule, Platform: api.PlatformNeutral, Target: api.ES2024,
		MainFields: []string{"module", "main"}, Conditions: []string{"node"},
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		MinifyWhitespace: true, // minified syntax would cost functions and classes their names
		Define:           metaDefines, Loader: map[string]api.Loader{".md": api.LoaderText},
		LogLevel: api.LogLevelSilent, Plugins: append(first, projectPlugin(o), sourcesPlugin),
	})
}

// buildErrors are what a build found wrong, in the order of the sources.
func buildErrors(r api.BuildResult) []api.Message {
	return byPlace(append(r.Errors, undefinedNames(r.Warnings)...))
}

// undefinedNames are the warnings of names that an entry of the package does not
// have, asked for as bdk.name after import * as bdk: they would be undefined.
func undefinedNames(warnings []api.Message) (errs []api.Message) {
	for _, w := range warnings {
		if w.ID == "import-is-undefined" && undefinedName.MatchString(w.Text) {
			errs = append(errs, w)
		}
	}
	return errs
}

// entry loads each module lazily, so that one that throws leaves the others alone.
func entry(o *Options, modules []Module) string {
	var s strings.Builder
	s.WriteString("__bdk.entries.load([\n")
	for _, m := range modules {
		fmt.Fprintf(&s, "[%q, () => import(%q)],\n", m.ID, o.specifier(m))
	}
	s.WriteString("]);\n")
	return s.String()
}

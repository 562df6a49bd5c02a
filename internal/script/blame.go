package script

import (
	"encoding/json"
	"path/filepath"
	"sort"

	"github.com/evanw/esbuild/pkg/api"
)

// blameRounds is how often blame builds: files that do not parse or resolve hide
// names that are not exported.
const blameRounds = 4

// blame finds the modules that reach a file with a fault, by a build in which
// such files are empty, since only one that succeeds tells who imports whom. Its
// cost does not grow with the number of modules. It gives the first fault on each
// guilty module's way, by the module's place in o.Modules; ok is false when it
// cannot say, for a fault that has no file, or when nobody reaches one.
func blame(o *Options, errs []api.Message) (guilty map[int]api.Message, ok bool) {
	faults := map[string]api.Message{}
	for range blameRounds {
		if !addFaults(faults, errs) {
			return nil, false
		}
		r := runBuild(o, o.Modules, brokenPlugin(o, faults))
		if errs = buildErrors(r); len(errs) > 0 {
			continue
		}
		imports, err := importsOf(r.Metafile)
		if err != nil {
			return nil, false
		}
		guilty = map[int]api.Message{}
		for i, m := range o.Modules {
			rel, err := filepath.Rel(o.Dir, m.File)
			if err != nil {
				return nil, false
			}
			if fault, found := firstFault(imports, faults, filepath.ToSlash(rel)+o.suffix(m), map[string]bool{}); found {
				guilty[i] = fault
			}
		}
		return guilty, len(guilty) > 0
	}
	return nil, false
}

// addFaults keeps the first fault of each file, and says whether all have a file
// and one of them is new.
func addFaults(faults map[string]api.Message, errs []api.Message) bool {
	grown := false
	for _, e := range errs {
		if e.Location == nil || e.Location.File == "<entry>" || e.Location.Namespace != "" && e.Location.Namespace != "file" {
			return false
		}
		old, known := faults[e.Location.File]
		if !known || before(e.Location, old.Location) {
			faults[e.Location.File] = e
		}
		grown = grown || !known
	}
	return grown
}

func before(a, b *api.Location) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}

// firstFault walks the imports of a file in their order, as evaluation would.
func firstFault(imports map[string][]string, faults map[string]api.Message, file string, seen map[string]bool) (api.Message, bool) {
	if fault, broken := faults[file]; broken {
		return fault, true
	}
	seen[file] = true
	for _, next := range imports[file] {
		if seen[next] {
			continue
		}
		if fault, found := firstFault(imports, faults, next, seen); found {
			return fault, true
		}
	}
	return api.Message{}, false
}

// importsOf reads who imports whom, in the order of the source.
func importsOf(metafile string) (map[string][]string, error) {
	var m struct {
		Inputs map[string]struct {
			Imports []struct {
				Path string `json:"path"`
			} `json:"imports"`
		} `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &m); err != nil {
		return nil, err
	}
	imports := make(map[string][]string, len(m.Inputs))
	for file, in := range m.Inputs {
		for _, i := range in.Imports {
			imports[file] = append(imports[file], i.Path)
		}
	}
	return imports, nil
}

// brokenPlugin gives the files with a fault no text but exports of any name, so
// that what imports them builds.
func brokenPlugin(o *Options, faults map[string]api.Message) api.Plugin {
	broken := map[string]bool{}
	for file := range faults {
		broken[filepath.Join(o.Dir, filepath.FromSlash(withoutMount(file)))] = true
	}
	text, anything := "export * from \"bdk-broken:any\";\nexport default undefined;", "module.exports = {};"
	return api.Plugin{Name: "bdk-broken", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^bdk-broken:`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: a.Path, Namespace: "bdk-broken"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "bdk-broken"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			return api.OnLoadResult{Contents: &anything, Loader: api.LoaderJS}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			if !broken[a.Path] {
				return api.OnLoadResult{}, nil
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}
}

// byPlace sorts what one build says, which comes as its goroutines found it.
func byPlace(errs []api.Message) []api.Message {
	sort.SliceStable(errs, func(i, j int) bool {
		a, b := errs[i].Location, errs[j].Location
		switch {
		case a == nil || b == nil:
			return a != nil && b == nil
		case a.File != b.File:
			return a.File < b.File
		}
		return before(a, b)
	})
	return errs
}

package script

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/gobdk/bdk/internal/plainfile"
)

var (
	noExport = regexp.MustCompile(`^No matching export in "bdk:([^"]+)" for import "([^"]+)"`)
	// undefinedName is what noExport is where the whole of an entry was imported.
	undefinedName = regexp.MustCompile(`^Import "([^"]+)" will always be undefined because there is no matching export in "bdk:(platform/[^"]+)"`)
	unresolved    = regexp.MustCompile(`^Could not resolve "([^"]+)"`)
	noLoader      = regexp.MustCompile(`^No loader is configured for "([^"]+)" files: (.*)$`)
	quoted        = regexp.MustCompile(`from\s*["']([^"']+)["']`)
	packageName   = regexp.MustCompile(`^(@[^/]+/[^/]+|[^./@][^/]*)`)
)

// explain turns a message of the bundler into an error that says what to do.
func explain(o *Options, m api.Message) *Error {
	e := &Error{Name: "SyntaxError", Message: m.Text}
	if m.Location != nil {
		maps := &sourceMap{dir: o.Dir}
		e.File, e.Line, e.Column = maps.relative(m.Location.File), m.Location.Line, m.Location.Column+1
		if m.Location.File == "<entry>" {
			e.File, e.Line, e.Column = "", 0, 0
		}
	}
	switch {
	case noExport.MatchString(m.Text):
		explainExport(e, noExport.FindStringSubmatch(m.Text), m.Location)
	case undefinedName.MatchString(m.Text):
		f := undefinedName.FindStringSubmatch(m.Text)
		explainExport(e, []string{"", f[2], f[1]}, nil)
	case unresolved.MatchString(m.Text):
		explainMissing(o, e, unresolved.FindStringSubmatch(m.Text)[1], m)
	case noLoader.MatchString(m.Text):
		f := noLoader.FindStringSubmatch(m.Text)
		e.Name = "Error"
		e.Message = fmt.Sprintf("files of type %s cannot be imported (%s)", f[1], f[2])
		e.Fix = "read the file with node:fs; native add-ons and WebAssembly do not run here"
	case m.PluginName != "":
		e.Name = "Error"
	}
	return e
}

// explainExport lists the names that an entry has.
func explainExport(e *Error, m []string, place *api.Location) {
	specifier := nodeSpecifier(m[1])
	if p, ok := strings.CutPrefix(m[1], "platform/"); ok {
		specifier = strings.TrimSuffix("@cursor/bdk/"+strings.TrimSuffix(p, ".js"), "/index")
	}
	if place != nil { // the package under the name that the author uses
		if q := quoted.FindStringSubmatch(place.LineText); q != nil && packageNames.MatchString(q[1]) {
			specifier = q[1]
		}
	}
	names := exportsOf(m[1])
	e.Message = fmt.Sprintf("%s has no export %q; it has: %s", specifier, m[2], strings.Join(names, ", "))
	e.Fix = "import one of the names that it has"
	if elsewhere := EntryOf(m[2]); elsewhere != "" && strings.HasPrefix(m[1], "platform/") {
		e.Message = fmt.Sprintf("%s has no export %q, which is in %s", specifier, m[2], elsewhere)
		e.Fix = fmt.Sprintf("import { %s } from %q", m[2], elsewhere)
	}
	if m[2] == "default" {
		e.Message = fmt.Sprintf("%s has no default export; it has: %s", specifier, strings.Join(names, ", "))
	}
}

// EntryOf is the entry of the package that exports a name, such as "@cursor/bdk/tools",
// the one of its own where the main entry has it too; empty: none does.
func EntryOf(name string) string { return homes()[name] }

var homes = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, entry := range platformEntries() {
		file := strings.TrimPrefix(strings.TrimPrefix(entry, "@cursor/bdk"), "/")
		for _, name := range exportsOf("platform/" + orElse(file, "index") + ".js") {
			m[name] = entry
		}
	}
	return m
})

// explainMissing tells a package that is not installed from a file that is not there.
func explainMissing(o *Options, e *Error, specifier string, m api.Message) {
	e.Name = "Error"
	if strings.HasPrefix(specifier, ".") || filepath.IsAbs(specifier) {
		e.Message = fmt.Sprintf("cannot find %q, which %s imports", specifier, orElse(e.File, "the project"))
		e.Fix = "mend the path, or add the file"
		if e.File == "" {
			e.Message = fmt.Sprintf("cannot read %s", specifier)
		}
		return
	}
	name := packageName.FindString(specifier)
	e.Message = fmt.Sprintf("the package %q, which %s imports, is not installed", orElse(name, specifier), orElse(e.File, "the project"))
	e.Fix = "run npm install " + name
	if declared(o.Dir, name) {
		e.Fix = "run npm install in " + o.Dir
	}
	for _, note := range m.Notes {
		if installed(o.Dir, name) && note.Text != "" {
			e.Message = fmt.Sprintf("cannot resolve %q, which %s imports: %s", specifier, orElse(e.File, "the project"), note.Text)
			e.Fix = ""
			return
		}
	}
}

// declared says whether package.json names the package.
func declared(dir, name string) bool {
	text, err := plainfile.Read(filepath.Join(dir, "package.json"))
	if err != nil {
		return false
	}
	var p struct {
		Dependencies    map[string]string `json:"dependencies"`
		DevDependencies map[string]string `json:"devDependencies"`
	}
	if json.Unmarshal(text, &p) != nil {
		return false
	}
	return p.Dependencies[name] != "" || p.DevDependencies[name] != ""
}

func installed(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(name)))
	return err == nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

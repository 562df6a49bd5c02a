package cli

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/plainfile"
)

// declarations are the types of what a project imports, for editors and tsc.
//
//go:embed all:types
var declarations embed.FS

// typesDir is where a project has them.
const typesDir = "types/bdk"

// globalsFile has the globals that TypeScript does not know by itself.
const globalsFile = typesDir + "/globals.d.ts"

// nodeGlobals takes its place where the project has Node's own.
const nodeGlobals = `// Globals and modules of Node: this project has @types/node. bdk has those that
// its documentation names.

/// <reference types="node" />
`

// typeFiles gives the declarations; node says that the project has @types/node.
func typeFiles(node bool) ([]newFile, error) {
	var files []newFile
	err := fs.WalkDir(declarations, "types", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := declarations.ReadFile(p)
		if p == globalsFile && node {
			text = []byte(nodeGlobals)
		}
		files = append(files, newFile{p, string(text)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the declarations: %w", err)
	}
	return files, nil
}

// writeTypes writes the declarations into each project, and makes its
// tsconfig.json find them.
func (a *app) writeTypes(agents []*agent.Agent) error {
	for _, ag := range agents {
		changed, err := a.writeTypesOf(ag.Dir)
		if err != nil {
			return &coded{ExitFailed, fmt.Errorf("writing types: %w", err)}
		}
		what := "are as they should be"
		if len(changed) > 0 {
			what = "were written: " + strings.Join(changed, ", ")
		}
		a.say("%s: types %s", ag.Slug, what)
	}
	return nil
}

// writeTypesOf names what it changed: the folder of the declarations, tsconfig.json.
func (a *app) writeTypesOf(dir string) (changed []string, err error) {
	files, err := typeFiles(hasNodeTypes(dir))
	if err != nil {
		return nil, err
	}
	written := 0
	for _, f := range files {
		file := filepath.Join(dir, filepath.FromSlash(f.path))
		if before, err := os.ReadFile(file); err == nil && string(before) == f.content {
			continue
		}
		if err := replaceFile(file, f.content); err != nil {
			return nil, err
		}
		written++
	}
	if written > 0 {
		changed = append(changed, fmt.Sprintf("%s (%s)", typesDir, plural(written, "file")))
	}
	config := filepath.Join(dir, "tsconfig.json")
	text, err := plainfile.Read(config)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = templates.ReadFile("templates/common/tsconfig.json")
		if err == nil {
			err = writeNew(config, string(text))
		}
		changed = append(changed, "tsconfig.json")
	}
	if err != nil {
		return nil, err
	}
	next, notes, err := mapPackages(string(text), packageNames(dir))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; add to compilerOptions.paths yourself: \"@cursor/bdk\": [\"./%s/index.d.ts\"], \"@cursor/bdk/*\": [\"./%s/*.d.ts\"]", config, err, typesDir, typesDir)
	}
	for _, note := range notes {
		a.say("%s: %s", config, note)
	}
	if next == string(text) {
		return changed, nil
	}
	if !slices.Contains(changed, "tsconfig.json") {
		changed = append(changed, "tsconfig.json")
	}
	return changed, replaceFile(config, next)
}

// replaceFile writes a whole file, or leaves the one before.
func replaceFile(file, content string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	mode := fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	_, err = temp.WriteString(content)
	err = errors.Join(err, temp.Chmod(mode), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}

// hasNodeTypes says whether tsc would find Node's own types from the project.
func hasNodeTypes(dir string) bool {
	for d := dir; ; d = filepath.Dir(d) {
		if info, err := os.Stat(filepath.Join(d, "node_modules", "@types", "node")); err == nil && info.IsDir() {
			return true
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	text, err := plainfile.Read(filepath.Join(dir, "package.json"))
	var manifest struct {
		Dependencies, DevDependencies map[string]json.RawMessage
	}
	if err != nil || json.Unmarshal(text, &manifest) != nil {
		return false
	}
	return manifest.Dependencies["@types/node"] != nil || manifest.DevDependencies["@types/node"] != nil
}

// otherNames are those that the package had before.
var otherNames = []string{"@cursor/july", "@grok/agent-sdk"}

// packageNames are the names of the package that the project's files import.
func packageNames(dir string) []string {
	names := []string{"@cursor/bdk"}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not imported from either
		case d.IsDir() && p != dir && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(d.Name(), ".ts") || len(names) > len(otherNames):
			return nil
		}
		text, _ := plainfile.Read(p) // what is no plain file imports nothing
		for _, name := range otherNames {
			if !slices.Contains(names, name) && (strings.Contains(string(text), `"`+name) || strings.Contains(string(text), `'`+name)) {
				names = append(names, name)
			}
		}
		return nil
	})
	return names
}

package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A File is one file of the module. Syntax is nil when it is not Go.
type File struct {
	// Path is relative to the module, with slashes.
	Path   string
	Text   string
	Syntax *ast.File

	fset *token.FileSet
}

// A Finding is a rule that does not hold somewhere.
type Finding struct {
	Path string
	Line int // 0: the file as a whole
	Text string
}

// String is "path:line: text", which editors can follow.
func (f Finding) String() string {
	if f.Line == 0 {
		return f.Path + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Text)
}

// Parse makes a File of a text.
func Parse(name, text string) (*File, error) {
	f := &File{Path: name, Text: text, fset: token.NewFileSet()}
	if !strings.HasSuffix(name, ".go") {
		return f, nil
	}
	var err error
	f.Syntax, err = parser.ParseFile(f.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parsing: %w", err)
	}
	return f, nil
}

// ignored says whether a path is none of the repository's: git's own, or kept out by .gitignore.
func ignored(rel string) bool {
	name := path.Base(rel)
	return rel == "bdk" || slices.Contains([]string{".git", ".bdk", "node_modules"}, name) ||
		slices.Contains([]string{".test", ".prof"}, path.Ext(name))
}

// Load reads every file below the module's folder that is not ignored.
func Load(root string) ([]*File, error) {
	var files []*File
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		skip := ignored(filepath.ToSlash(rel))
		if skip && d.IsDir() {
			return filepath.SkipDir
		}
		if skip || !d.Type().IsRegular() {
			return nil // .git is a file in a worktree
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f, err := Parse(filepath.ToSlash(rel), string(b))
		files = append(files, f)
		return err
	})
	return files, err
}

// Dir is the folder of the file, "." at the top.
func (f *File) Dir() string { return path.Dir(f.Path) }

// Test says whether the file is compiled for tests alone.
func (f *File) Test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// Harness says whether the file belongs to test/, where programs drive other programs.
func (f *File) Harness() bool { return strings.HasPrefix(f.Path, "test/") }

// Data says whether the file lies in a testdata folder, which no build looks into.
func (f *File) Data() bool { return strings.Contains("/"+f.Path, "/testdata/") }

func (f *File) line(p token.Pos) int { return f.fset.Position(p).Line }

func (f *File) at(p token.Pos, format string, args ...any) Finding {
	return Finding{f.Path, f.line(p), fmt.Sprintf(format, args...)}
}

// under says whether a file's path is one of the prefixes or lies below one.
func under(p string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		return p == prefix || strings.HasPrefix(p, strings.TrimSuffix(prefix, "/")+"/")
	})
}

// uses visits every pkg.Name of the file; pkg is the import path.
func (f *File) uses(visit func(pos token.Pos, pkg, name string)) {
	names := f.importNames()
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if ok && names[x.Name] != "" {
			visit(sel.Pos(), names[x.Name], sel.Sel.Name)
		}
		return true
	})
}

// importNames maps the names in the file to import paths.
func (f *File) importNames() map[string]string {
	names := map[string]string{}
	for _, spec := range f.Syntax.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(p)
		if strings.HasPrefix(name, "v") && len(name) < 4 && strings.Contains(p, "/") {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

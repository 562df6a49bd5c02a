package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// PackageDocs: each package has one sentence for a stranger, beginning with its name.
func PackageDocs(files []*File) []Finding {
	docs := map[string]string{}
	first := map[string]*File{}
	for _, f := range files {
		if f.Syntax == nil || f.Test() || f.Data() {
			continue
		}
		if first[f.Dir()] == nil {
			first[f.Dir()] = f
		}
		if f.Syntax.Doc != nil && docs[f.Dir()] == "" {
			docs[f.Dir()] = f.Syntax.Doc.Text()
		}
	}
	var found []Finding
	for dir, f := range first {
		if !goodPackageDoc(f.Syntax.Name.Name, docs[dir]) {
			found = append(found, Finding{f.Path, 1, fmt.Sprintf("package %s needs a comment: %q and what it is for, in a sentence that ends with a full stop", dir, "// "+packageLead(f.Syntax.Name.Name)+" …")})
		}
	}
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.Path, b.Path) })
	return found
}

func packageLead(name string) string {
	if name == "main" {
		return "Command"
	}
	return "Package " + name
}

func goodPackageDoc(name, doc string) bool {
	return strings.HasPrefix(doc, packageLead(name)+" ") && strings.Contains(doc, ".")
}

// ExportedDocs: every exported name has a comment that is led by it.
func ExportedDocs(f *File) []Finding {
	if f.Syntax == nil || f.Test() || f.Data() || f.Syntax.Name.Name == "main" {
		return nil
	}
	var found []Finding
	var before *ast.FuncDecl // the last one with a comment of its own
	for _, d := range f.Syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				before = d
			}
			if d.Name.IsExported() && exportedReceiver(d) && !leads(d.Name.Name, d.Doc) && !shares(d, before) {
				found = append(found, f.undocumented(d.Pos(), d.Name.Name))
			}
		case *ast.GenDecl:
			found = append(found, f.undocumentedIn(d)...)
		}
	}
	return found
}

// shares holds for methods of one name that follow each other under one comment.
func shares(d, before *ast.FuncDecl) bool {
	return d.Doc == nil && before != nil && before.Name.Name == d.Name.Name && leads(d.Name.Name, before.Doc)
}

func (f *File) undocumented(pos token.Pos, name string) Finding {
	return f.at(pos, "%s has no comment that begins with its name: say what a caller may rely on (units, defaults, ownership, goroutine, errors)", name)
}

// undocumentedIn looks at types, and at constants and variables, where the comment of a
// group serves all in it.
func (f *File) undocumentedIn(d *ast.GenDecl) []Finding {
	var found []Finding
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && !leads(s.Name.Name, s.Doc) && !leads(s.Name.Name, d.Doc) {
				found = append(found, f.undocumented(s.Pos(), s.Name.Name))
			}
		case *ast.ValueSpec:
			name := exportedOf(s.Names)
			single := !d.Lparen.IsValid()
			if name == "" || s.Comment != nil || leads(name, s.Doc) || single && leads(name, d.Doc) || !single && d.Doc != nil {
				continue
			}
			found = append(found, f.undocumented(s.Pos(), name))
		}
	}
	return found
}

func exportedOf(names []*ast.Ident) string {
	for _, n := range names {
		if n.IsExported() {
			return n.Name
		}
	}
	return ""
}

// leads accepts "Name …" and "A Name …".
func leads(name string, doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	text := doc.Text()
	for _, article := range []string{"", "A ", "An ", "The "} {
		rest, ok := strings.CutPrefix(text, article+name)
		if ok && (rest == "" || !unicode.IsLetter(rune(rest[0])) && !unicode.IsDigit(rune(rest[0]))) {
			return true
		}
	}
	return false
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

var (
	accessor   = regexp.MustCompile(`^Get[A-Z]`)
	hungarian  = regexp.MustCompile(`^I[A-Z][a-z]`)
	testName   = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]`)
	emptyNames = []string{"util", "utils", "common", "helpers", "misc", "base", "shared"}
)

// Names: no Get… accessors, no I… interfaces, no packages without a meaning; long
// receivers are not ours either.
func Names(f *File) []Finding {
	if f.Syntax == nil || f.Data() {
		return nil
	}
	var found []Finding
	if slices.Contains(emptyNames, f.Syntax.Name.Name) {
		found = append(found, f.at(f.Syntax.Name.Pos(), "package %s says nothing: name it by what it does", f.Syntax.Name.Name))
	}
	for _, fn := range functions(f) {
		if accessor.MatchString(fn.Name.Name) && !testName.MatchString(fn.Name.Name) {
			found = append(found, f.at(fn.Pos(), "%s: an accessor is named by what it gives, without Get", fn.Name.Name))
		}
		if r := receiver(fn); len(r) > 2 {
			found = append(found, f.at(fn.Pos(), "receiver %s of %s: one or two letters, the same in every method", r, fn.Name.Name))
		}
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		t, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if _, ok := t.Type.(*ast.InterfaceType); ok && hungarian.MatchString(t.Name.Name) {
			found = append(found, f.at(t.Pos(), "interface %s: name it by what it does, without I", t.Name.Name))
		}
		return true
	})
	return found
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 || len(fn.Recv.List[0].Names) == 0 {
		return ""
	}
	return fn.Recv.List[0].Names[0].Name
}

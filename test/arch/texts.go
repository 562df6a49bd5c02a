package arch

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrorTexts: an error begins in lower case, says what was being done, and does not
// end like a sentence.
func ErrorTexts(f *File) []Finding {
	if f.Syntax == nil || f.Test() || f.Data() {
		return nil
	}
	var found []Finding
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !makesError(call.Fun) || len(call.Args) == 0 {
			return true
		}
		lit, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if why := badErrorText(text); err == nil && why != "" {
			found = append(found, f.at(lit.Pos(), "error text %q %s", text, why))
		}
		return true
	})
	return found
}

func makesError(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && (x.Name == "errors" && sel.Sel.Name == "New" || x.Name == "fmt" && sel.Sel.Name == "Errorf")
}

func badErrorText(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[n:])
	switch {
	case strings.Contains(strings.ToLower(text), "failed to "):
		return "says \"failed to\": write \"doing x: …\""
	case unicode.IsUpper(first) && unicode.IsLower(second):
		return "begins with a capital: errors are put into other sentences"
	case strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ".."):
		return "ends with a full stop: errors are put into other sentences"
	}
	return ""
}

// topLevel are the entries that the repository may have at its top.
var topLevel = []string{
	".ci", ".gitattributes", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md",
	"actors", "cmd", "events", "go.mod", "go.sum", "internal", "projections", "test", "transport",
}

// TopLevel: the top of the repository stays a page that a reader can take in.
func TopLevel(names []string) []Finding {
	var found []Finding
	for _, name := range names {
		if !slices.Contains(topLevel, name) {
			found = append(found, Finding{name, 0, "is not one of the top-level entries: put it below one of them, or add it to test/arch/texts.go"})
		}
	}
	return found
}

var mdLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links: what a page of ours links to inside the repository is there.
func Links(files []*File) []Finding {
	there := map[string]bool{".": true}
	for _, f := range files {
		for p := f.Path; p != "."; p = path.Dir(p) {
			there[p] = true
		}
	}
	var found []Finding
	for _, f := range files {
		if path.Ext(f.Path) != ".md" || f.Harness() || f.Data() {
			continue
		}
		for i, text := range strings.Split(f.Text, "\n") {
			for _, m := range mdLink.FindAllStringSubmatch(text, -1) {
				target, _, _ := strings.Cut(m[1], "#")
				if target == "" || strings.Contains(target, ":") || there[path.Join(f.Dir(), target)] {
					continue
				}
				found = append(found, Finding{f.Path, i + 1, "links to " + target + ", which is not there"})
			}
		}
	}
	return found
}

var (
	machinePath = regexp.MustCompile(`(^|[\s"'` + "`" + `(=:,])(/(home|Users|root|work)/[A-Za-z0-9._-]+|[A-Z]:\\Users\\)`)
	lockHost    = regexp.MustCompile(`"resolved":\s*"([^"]+)"`)
	npmPublic   = "https://registry.npmjs.org/"
	registrySet = regexp.MustCompile(`\b(GOPROXY|GONOSUMDB|GOINSECURE|NPM_CONFIG_REGISTRY|npm_config_registry|PIP_INDEX_URL)=|^\s*registry\s*=|--registry[= ]`)
)

// Places: no file speaks of the machine that it was written on, or sends others to a
// package registry of its own.
func Places(f *File) []Finding {
	if under(f.Path, "test/arch") || !utf8.ValidString(f.Text) {
		return nil
	}
	var found []Finding
	for i, text := range strings.Split(f.Text, "\n") {
		if why := badPlace(f, text); why != "" {
			found = append(found, Finding{f.Path, i + 1, why})
		}
	}
	return found
}

func badPlace(f *File, text string) string {
	if m := machinePath.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s is a place on somebody's machine: use a relative path or a made-up one below /srv", m[2])
	}
	if m := lockHost.FindStringSubmatch(text); m != nil && path.Base(f.Path) == "package-lock.json" && !strings.HasPrefix(m[1], npmPublic) {
		return fmt.Sprintf("%s is not the public registry: install again with %s, or leave out \"resolved\" (npm's omit-lockfile-registry-resolved)", m[1], npmPublic)
	}
	if m := registrySet.FindString(text); m != "" {
		return fmt.Sprintf("%q chooses a package registry: leave that to the user's own settings", m)
	}
	return ""
}

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leads are the ways in which the sources of transport name pages of the documentation. Each
// has the page first, and then the heading; found is how often it stands there at least.
var leads = []struct {
	way     string
	pattern *regexp.Regexp
	found   int
}{
	{"words that lead to a page", regexp.MustCompile(`\bguide\("([^"#]+)(?:#([^"]+))?", `), 4},
	{"what there is where there is nothing", regexp.MustCompile(`\["([^"#]+)(?:#([^"]+))?", "[^"]+"\]\)`), 10},
	{"a part that an agent could have", regexp.MustCompile(`\bpart\("([^"#]+)(?:#([^"]+))?", [a-z.]+, `), 9},
}

// "read the docs page that explains what it saw": each page that the sources of the
// playground and of the host's own pages name is there, and so is its heading. Where links
// stand in a page, and that they are answered, is tested in a browser (test/browser).
func TestLinks_OfTheHostsPagesLead(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for _, p := range allPages(t) {
		pages[p.Name] = string(p.Body)
	}
	found := make([]int, len(leads))
	for path, source := range sourcesOfPages(t) {
		for i, l := range leads {
			for _, m := range l.pattern.FindAllStringSubmatch(source, -1) {
				found[i]++
				name, heading := strings.ToLower(m[1]), m[2]
				if !slices.Contains(Pages(), name) || heading != "" && !strings.Contains(pages[name], ` id="`+heading+`"`) {
					t.Errorf("%s: %s, %s, leads to no page or to no heading", path, l.way, m[0])
				}
			}
		}
		if at := strings.Index(source, "/docs/"); at >= 0 && strings.HasSuffix(path, ".ts") {
			t.Errorf("%s has an address of its own: guide and nothing know whether there is documentation", path)
		}
	}
	for i, l := range leads {
		if found[i] < l.found {
			t.Errorf("%s: there are %d, want at least %d", l.way, found[i], l.found)
		}
	}
}

// sourcesOfPages are the sources of the playground, and of package transport, by their paths.
func sourcesOfPages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, glob := range []string{"*.go", "playground/web/*.ts", "playground/web/*/*.ts", "playground/web/*/*/*.ts"} {
		files, err := filepath.Glob("../" + glob)
		if err != nil || len(files) == 0 {
			t.Fatal(glob, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") {
				all[strings.TrimPrefix(file, "../playground/web/")] = string(source)
			}
		}
	}
	return all
}

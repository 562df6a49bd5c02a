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
	{"an address", regexp.MustCompile("[\"'`]/docs/([a-z]+)(?:#([a-z0-9-]+))?[\"'`]"), 4},
	{"what there is where there is nothing", regexp.MustCompile(`\["([^"#]+)(?:#([^"]+))?", "[^"]+"\]\)`), 10},
	{"a part that an agent could have", regexp.MustCompile(`\bpart\("([^"#]+)(?:#([^"]+))?", [a-z.]+, `), 9},
}

// made is an address that is put together: where that is done, one of the leads has its pages.
var made = map[string]string{"frame.ts": "/docs/${doc[0]}", "views/agent.ts": "/docs/${p.doc}"}

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
		for _, at := range regexp.MustCompile(`/docs/\$\{[^}]*\}`).FindAllString(source, -1) {
			if at != made[path] {
				t.Errorf("%s makes the address %s: say in leads how to find its pages, and in made that they are found", path, at)
			}
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

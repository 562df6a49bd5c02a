package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// "read the docs page that explains what it saw": the pages to which the playground, and
// the index of agents, lead are there, and so are their headings.
func TestLinks_OfThePlaygroundLead(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for _, p := range allPages(t) {
		pages[p.Name] = string(p.Body)
	}
	link := regexp.MustCompile("[\"'`]/docs/([a-z]+)(?:#([a-z0-9-]+))?[\"'`]")
	found := 0
	err := filepath.WalkDir("../playground/web", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range link.FindAllStringSubmatch(string(source), -1) {
			found++
			if !slices.Contains(Pages(), m[1]) || m[2] != "" && !strings.Contains(pages[m[1]], ` id="`+m[2]+`"`) {
				t.Errorf("%s leads to %s, which is not there", path, m[0])
			}
		}
		return err
	})
	if err != nil || found < 3 {
		t.Error(err, found)
	}
}

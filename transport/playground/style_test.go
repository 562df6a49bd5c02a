package playground

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	comments = regexp.MustCompile(`(?s)/\*.*?\*/`)
	selector = regexp.MustCompile(`([^{};]+)\{`)
	inside   = regexp.MustCompile(`\([^()]*\)`)
	alone    = regexp.MustCompile(`^\.([\w-]+)(::?[\w-]+)*$`)
	class    = regexp.MustCompile(`\.([\w-]+)`)
)

// All views have one page, and their styles hold for all of it: a class that one file gives
// its look no other file gives one, bare or with other classes of the same element. What
// several views need stands in base.css, and they may add to it.
func TestStyle_AClassHasOneFile(t *testing.T) {
	files, err := fs.Glob(web, "web/style/*.css")
	if err != nil || len(files) < 10 {
		t.Fatalf("there are %d files: %v", len(files), err)
	}
	bare, named := map[string][]string{}, map[string][]string{}
	add := func(m map[string][]string, name, file string) {
		if !slices.Contains(m[name], file) {
			m[name] = append(m[name], file)
		}
	}
	for _, file := range files {
		text, err := fs.ReadFile(web, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range selector.FindAllStringSubmatch(comments.ReplaceAllString(string(text), ""), -1) {
			for one := range strings.SplitSeq(inside.ReplaceAllString(m[1], ""), ",") {
				one = strings.TrimSpace(one)
				if strings.HasPrefix(one, "@") || strings.ContainsAny(one, " >+~") {
					continue
				}
				if m := alone.FindStringSubmatch(one); m != nil {
					add(bare, m[1], path.Base(file))
				}
				for _, m := range class.FindAllStringSubmatch(one, -1) {
					add(named, m[1], path.Base(file))
				}
			}
		}
	}
	for name, by := range bare {
		files := named[name]
		if slices.Equal(by, []string{"base.css"}) {
			files = by
		}
		if len(files) > 1 {
			t.Errorf(".%s has a look of its own in %s: call one of them otherwise, or say it once in base.css", name, strings.Join(files, " and "))
		}
	}
}

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A look is a window and a scheme.
type look struct {
	width, height int64
	scheme        string
}

func (l look) String() string { return fmt.Sprintf("%s-%d", l.scheme, l.width) }

var (
	// looks are those that people have, and that screenshots show.
	looks = []look{{wide, high, "light"}, {phone, high, "dark"}, {wide, high, "dark"}, {phone, high, "light"}}
	// between are other windows, in which things have their places: a tablet, a large
	// screen, and a desk at 200 %.
	between = []look{{768, 1024, "light"}, {1920, 1080, "light"}, {wide / 2, high / 2, "light"}}
)

// rules are the checks that hold on every surface, layout those of places alone.
var (
	rules  = []string{"cut", "clipped", "overlaps", "crossed", "names", "structure", "contrast", "edges", "scales", "targets", "still"}
	layout = []string{"cut", "clipped", "overlaps", "crossed", "targets"}
)

// "Screenshots of all surfaces in light and dark, wide and phone: nothing overlaps or is
// cut off, one spacing scale, one type scale, text contrast at least 4.5 (checked)", and
// "axe-style checks (labels, contrast, focus)".
func TestSurfaces(t *testing.T) {
	t.Parallel()
	c := newCoast(t)
	for i, s := range slice(c.states()) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.expect(`ERR_ABORTED|the request of  failed: net::ERR_CACHE_MISS|/attic/v1/dev/evals\S* was answered 404|/docs/zzz was answered 404|art_0{26} was answered 404|/schedules/call_the_pilot\S+ was answered 500|/channels/watch/count was answered 400|the server responded with a status of (400|404|500)`)
			b.held(s, i)
			if !strings.HasPrefix(s.name, "docs") {
				b.leads()
			}
		})
	}
}

// slice is all of the states with -full, and otherwise the first two of each view.
func slice(all []surface) []surface {
	if *full {
		return all
	}
	seen := map[string]int{}
	return slices.DeleteFunc(all, func(s surface) bool {
		view, _, _ := strings.Cut(s.name, "-")
		seen[view]++
		return seen[view] > 2
	})
}

// looks are all of them with -full, and otherwise one, another for each surface.
func (s surface) looks(nth int) []look {
	if *full {
		return looks
	}
	return looks[nth%len(looks):][:1]
}

// show opens a surface in a look and brings it into its state.
func (b *tab) show(s surface, l look) {
	b.t.Helper()
	b.resize(l.width, l.height, l.scheme)
	b.open("about:blank")
	b.open(s.url)
	b.until(s.ready)
	if s.do != nil {
		s.do(b)
	}
	b.settle()
}

// judge holds what the page shows against rules.
func (b *tab) judge(l look, rules []string, found map[string]bool) {
	b.t.Helper()
	for _, text := range b.wrong(rules) {
		if !found[text] {
			b.t.Errorf("%s: %s", l, text)
		}
		found[text] = true
	}
}

// wrong is what rules find in what the page shows.
func (b *tab) wrong(rules []string) []string {
	b.t.Helper()
	type finding struct{ Rule, Text string }
	var all []string
	for _, f := range value[[]finding](b, `%s.flatMap((rule) => checks[rule]().map((text) => ({ rule, text })))`, rules) {
		all = append(all, f.Rule+": "+f.Text)
	}
	return all
}

// hold writes a screenshot of what the page shows and holds it against the rules.
func (b *tab) hold(name string) {
	b.t.Helper()
	b.snap(name)
	for _, text := range b.wrong(rules) {
		b.t.Errorf("%s: %s", name, text)
	}
}

// settle waits until the page has been as it is for a moment: nothing is asked for
// and nothing moves.
func (b *tab) settle() {
	b.t.Helper()
	b.until(`t.calm()`)
}

package browser

import (
	"fmt"
	"strings"
	"testing"
)

// A surface is a page that people look at.
type surface struct {
	name, url string
	// ready holds when it shows what it has.
	ready string
}

// world is a host with something on each surface, and the surfaces.
func world(t *testing.T) (*host, []surface) {
	t.Helper()
	h := sample(t, "pr-reviewer")
	done := h.talk("review 7")
	waits := h.talk("merge 7")
	all := []surface{
		{"index", h.origin + "/", `document.body.innerText.length > 20`},
		{"docs", h.origin + "/docs", `document.querySelector("main h1")`},
		{"docs-page", h.origin + "/docs/playground", `document.querySelector("main h1")`},
		{"chat", h.page("chat/" + done), `document.body.innerText.includes("Verdict: good")`},
		{"chat-approval", h.page("chat/" + waits), `!t.control("Approve").disabled`},
		{"trace-session", h.page("trace/" + done), `document.body.innerText.includes("inspect_pr")`},
		{"trace", h.page("trace"), `document.querySelector(".pick")`},
		{"raw-session", h.page("raw/" + done), `document.body.innerText.includes("turn.completed")`},
	}
	for _, name := range views(t, h) {
		all = append(all, surface{"view-" + name, h.page(name), `document.querySelector("main h1, main h2, main .empty, main .hello")`})
	}
	return h, all
}

// views gives the names of the views in the page's bar.
func views(t *testing.T, h *host) []string {
	t.Helper()
	b := newTab(t)
	b.open(h.page("chat"))
	b.until(`document.querySelectorAll("nav[aria-label=Views] a").length > 3`)
	var names []string
	for _, href := range value[[]string](b, `[...document.querySelectorAll("nav[aria-label=Views] a")].map((a) => a.getAttribute("href"))`) {
		names = append(names, strings.TrimPrefix(href, "#/"))
	}
	return names
}

// rules are the checks that hold on every surface.
var rules = []string{"cut", "overlaps", "names", "structure", "contrast", "scales", "targets"}

// "Screenshots of all surfaces in light and dark, wide and phone: nothing overlaps or is
// cut off, one spacing scale, one type scale, text contrast at least 4.5 (checked)", and
// "axe-style checks (labels, contrast, focus)".
func TestSurfaces_InEverySizeAndScheme(t *testing.T) {
	_, all := world(t)
	looks := []struct {
		width  int64
		scheme string
	}{{wide, "light"}, {phone, "dark"}, {wide, "dark"}, {phone, "light"}}
	if !*full {
		looks = looks[:2] // both sizes and both schemes, once each
	}
	b := newTab(t)
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			b := b.within(t)
			found := map[string]bool{} // once, in whichever look it is seen first
			for _, l := range looks {
				b.look(l.width, l.scheme)
				b.open("about:blank")
				b.open(s.url)
				b.until(s.ready)
				b.settle()
				b.snap(fmt.Sprintf("%s-%s-%d", s.name, l.scheme, l.width))
				for _, text := range b.wrong() {
					if !found[text] {
						t.Errorf("%d px, %s: %s", l.width, l.scheme, text)
					}
					found[text] = true
				}
			}
			b.walk()
			b.report()
		})
	}
}

// On a phone what starts the evals is in the window, and a run that stands in a narrow list
// says what its numbers are.
func TestEvals_OnNarrowPages(t *testing.T) {
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.look(phone, "light")
	b.open(h.page("evals"))
	b.until(`t.control("Run all 6 cases")?.getBoundingClientRect().bottom <= innerHeight`)
	b.settle()
	b.hold("evals-narrow")
	b.click("Run all 6 cases")
	b.sees("Last run")
	b.look(900, "light")
	b.open(h.page("runs/evals"))
	b.until(`/\b6 passed\b[^]*\b0 failed\b/.test(document.querySelector("main").innerText)`)
	b.settle()
	b.hold("runs-evals-900")
	b.look(phone, "light")
	b.settle()
	b.hold("runs-evals-narrow")
}

// wrong is what the rules find in what the page shows.
func (b *tab) wrong() []string {
	b.t.Helper()
	var all []string
	for _, rule := range rules {
		for _, text := range value[[]string](b, `checks[%s]()`, rule) {
			all = append(all, rule+": "+text)
		}
	}
	return all
}

// hold writes a screenshot of what the page shows and holds it against the rules.
func (b *tab) hold(name string) {
	b.t.Helper()
	b.snap(name)
	for _, text := range b.wrong() {
		b.t.Errorf("%s: %s", name, text)
	}
}

// walk goes through a surface with the Tab key: the focus is always seen, goes
// in the order of the page, and comes out at the end.
func (b *tab) walk() {
	b.t.Helper()
	b.look(wide, "light")
	b.settle()
	value[bool](b, `(document.activeElement?.blur(), getSelection()?.removeAllRanges(), scrollTo(0, 0), true)`)
	type stop struct {
		What    string `json:"what"`
		Visible bool   `json:"visible"`
		Place   int    `json:"place"`
	}
	last := stop{Place: -1}
	seen := 0
	for range 40 {
		b.types("\t")
		at := value[*stop](b, `checks.focus()`)
		if at == nil || at.Place < last.Place && seen > 3 {
			break // out of the page, or around
		}
		if !at.Visible {
			b.t.Errorf("focus: nobody sees that it is on %s", at.What)
		}
		if at.Place < last.Place {
			b.t.Errorf("focus: goes back from %s to %s", last.What, at.What)
		}
		last, seen = *at, seen+1
	}
	if seen < 2 {
		b.t.Errorf("focus: the Tab key found %d controls", seen)
	}
}

// settle waits until the page has been as it is for a moment: nothing is asked for
// and nothing moves.
func (b *tab) settle() {
	b.t.Helper()
	b.until(`t.calm()`)
}

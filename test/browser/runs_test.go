package browser

import "testing"

// Who searches the runs and goes elsewhere at once stays there: what the search would have
// done a moment later is not done.
func TestRuns_ASearchEndsWithItsView(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.page("runs"))
	b.write("Search titles and ids", "lam")
	const searchAndGo = `(() => {
		const set = setTimeout, clear = clearTimeout, later = globalThis.later = new Set();
		globalThis.ran = 0;
		globalThis.clearTimeout = (id) => (later.delete(id), clear(id));
		globalThis.setTimeout = (f, ms) => {
			const id = set(() => (globalThis.ran++, f(), later.delete(id)), ms);
			later.add(id);
			return id;
		};
		document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
		globalThis.setTimeout = set;
		const waits = later.size;
		t.control("Costs").click();
		return waits;
	})()`
	if n := value[int](b, searchAndGo); n != 1 {
		t.Fatalf("a search waits %d times, want once", n)
	}
	b.until(`later.size === 0`)
	if n, at := value[int](b, `ran`), value[string](b, `location.hash`); n != 0 || at != "#/costs" {
		t.Errorf("the search was done %d times, and the page is at %s", n, at)
	}
}

// White space around what is searched for means nothing, in the field and in an address.
func TestRuns_SpaceAroundASearch(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.talk("hello")
	b := newTab(t)
	for view, field := range map[string]string{"runs": "Search titles and ids", "runs/evals": "Search runs by id, case or tag", "artifacts": "Search titles, keys and file names"} {
		b.open("about:blank")
		b.open(h.page(view + "?q=%20no%20such%20"))
		b.until(`document.querySelector(".nothing")`)
		b.rewrite("nor this ", `t.control(%s)`, field)
		b.until(`location.hash.endsWith("q=nor+this")`)
		b.settle()
		if got := value[string](b, `t.control(%s).value`, field); got != "nor this " {
			t.Errorf("%s: %q is in the field", view, got)
		}
	}
}

package browser

import "testing"

// Who searches the runs and goes elsewhere at once stays there.
func TestRuns_ASearchEndsWithItsView(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.page("runs"))
	b.write("Search titles and ids", "lam")
	value[bool](b, `(() => {
		const set = setTimeout, clear = clearTimeout;
		window.waiting = new Set();
		window.setTimeout = (f, ms) => { const id = set(() => (waiting.delete(id), f()), ms); if (ms === 200) waiting.add(id); return id; };
		window.clearTimeout = (id) => (waiting.delete(id), clear(id));
		document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
		return true;
	})()`)
	if n := value[int](b, `(t.control("Costs").click(), waiting.size)`); n > 1 {
		t.Fatalf("%d searches wait", n)
	}
	b.until(`document.querySelector("main h1").innerText === "Costs"`)
	if at, n := value[string](b, `location.hash`), value[int](b, `waiting.size`); at != "#/costs" || n != 0 {
		t.Errorf("the page went to %s, and %d searches wait", at, n)
	}
}

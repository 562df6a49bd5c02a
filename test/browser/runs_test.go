package browser

import "testing"

// Who searches the runs and goes elsewhere at once stays there.
func TestRuns_ASearchEndsWithItsView(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.page("runs"))
	b.write("Search titles and ids", "lam")
	value[bool](b, `(document.activeElement.dispatchEvent(new Event("input", { bubbles: true })), t.control("Costs").click(), true)`)
	value[bool](b, `new Promise((done) => setTimeout(() => done(true), 500))`)
	if at := value[string](b, `location.hash`); at != "#/costs" {
		t.Errorf("the page went to %s", at)
	}
}

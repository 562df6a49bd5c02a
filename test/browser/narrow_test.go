package browser

import "testing"

// On a phone what starts the evals is in the window, and a run that stands in a narrow list
// says what its numbers are.
func TestEvals_OnNarrowPages(t *testing.T) {
	t.Parallel()
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

package browser

import "testing"

func TestFirst(t *testing.T) {
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.page("chat"))
	b.write("Message", "merge 7")
	b.enter()
	b.click("Approve")
	b.sees("Merged #7")
	b.snap("first")
}

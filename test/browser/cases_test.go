package browser

import "testing"

// "List and run filesystem evals from the browser", with live progress: 200 cases, of which
// five fail, are watched, opened, compared and led to their sessions, also on a phone.
func TestEvals_TwoHundredCases(t *testing.T) {
	t.Parallel()
	h := quay(t)
	b := newTab(t)
	b.open(h.page("evals"))
	b.sees("200 cases · 4 at once")
	b.settle()
	b.few("the cases")
	b.click("Run all 200 cases")
	b.until(`/\b[1-9]\d* of 200\b/.test(document.querySelector(".evals-live").innerText)`) // it moves while it goes
	b.snap("evals-going")
	b.until(`/195 passed[^]*5 failed/.test(document.querySelector(".evals-live").innerText)`)
	b.settle()
	b.snap("evals-done")
	b.press(`document.querySelector(".evals-live a")`)
	b.until(`document.querySelectorAll(".result").length > 10`)
	b.settle()
	b.few("the results")
	b.press(`t.controls().find((c) => /^. failed|^failed/.test(t.name(c)))`)
	b.until(`document.querySelectorAll(".result").length === 5`)
	b.press(`document.querySelector(".result")`)
	b.sees("is not charted")
	b.until(`document.querySelector(".assertions")`)
	b.settle()
	b.hold("evals-case")
	b.click("Session in Chat")
	b.until(`location.hash.startsWith("#/chat/ses_")`)
	b.sees("4.2 metres at low tide")

	// A second run of some, compared with the first.
	b.open(h.page("evals"))
	b.write("Filter the cases", "berth-04")
	b.click("Choose all shown")
	b.click("Run 10 chosen")
	b.until(`/9 passed[^]*1 failed/.test(document.querySelector(".evals-live").innerText)`)
	b.press(`document.querySelector(".evals-live a")`)
	b.until(`document.querySelectorAll(".eval-head select option").length === 2`)
	value[bool](b, `(() => { const s = document.querySelector(".eval-head select"); s.selectedIndex = 1; s.dispatchEvent(new Event("change")); return true })()`)
	b.until(`document.querySelector(".result.pair")`)
	b.settle()
	b.hold("evals-compare")
	b.look(phone, "dark")
	b.settle()
	b.hold("evals-compare-phone")
	b.open(h.page("runs/evals"))
	b.until(`document.querySelectorAll(".run-evals:not(.run-head)").length === 2`)
	b.settle()
	b.hold("evals-runs-phone")
}

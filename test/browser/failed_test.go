package browser

import (
	"testing"
)

// Whoever looks for what went wrong sees it in each list, and can say it again from there.
func TestFailedTurn_IsSeenAndWrittenAgain(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	id := h.ask("POST", "/v1/session", map[string]any{"message": "refuse to look", "title": "Night watch"})["sessionId"].(string)
	b := newTab(t)
	b.open(h.page("runs"))
	b.until(`document.querySelector(".run .chip.bad")?.innerText === "turn failed" && document.querySelector(".run-name").innerText.includes("the glass is blind (status 400) · ses_")`)
	b.settle()
	b.hold("failed-runs")

	b.open(h.page("trace/" + id))
	b.until(`[...document.querySelectorAll(".tr.is-failed .tr-note")].map((el) => el.innerText).filter(Boolean).join() === "the glass is blind (status 400)"`)

	b.open(h.page("chat/" + id))
	b.until(`document.querySelector(".session-head .chip.bad")?.innerText === "turn failed" && document.querySelector(".session.on .bad")?.innerText === "turn failed"`)
	b.tabTo("Write it again")
	b.enter()
	b.until(`document.activeElement.id === "message" && document.activeElement.value === "refuse to look" && t.control("Write it again").disabled`)
	b.settle()
	b.hold("failed-again")
	value[bool](b, `(document.activeElement.value = "look again", document.activeElement.dispatchEvent(new Event("input")), true)`)
	b.enter()
	b.until(`document.querySelector(".session-head .chip").innerText === "idle" && document.querySelectorAll(".message").length === 2 && !t.control("Write it again")`)
}

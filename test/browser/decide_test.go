package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// waitsFor gives the ids of the calls that wait in a session.
func (h *host) waitsFor(id string) []string {
	h.t.Helper()
	var ids []string
	for _, a := range h.ask("GET", "/v1/session/"+id+"/approvals", nil)["approvals"].([]any) {
		ids = append(ids, a.(map[string]any)["callId"].(string))
	}
	return ids
}

// S19: no press lands on a card that took another's place: a call that is decided elsewhere
// leaves its card where it is, with the verdict, until somebody asks for the next one.
func TestApproval_NoCardTakesAnothersPlace(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	id := h.talk("ask the first one")
	b := newTab(t)
	b.open(h.page("chat/" + id))
	b.until(`t.control("Approve") && !t.control("Approve").disabled`)
	if n := value[int](b, `document.querySelector(".transcript").innerText.split("waits for you").length - 1`); n != 2 {
		t.Errorf("that two calls wait is said %d times", n)
	}
	at := value[[]float64](b, `t.aim(() => t.control("Approve"))`)
	h.ask("POST", "/v1/session/"+id+"/approvals/"+h.waitsFor(id)[0], map[string]any{"decision": "deny"})
	b.sees("It was denied")
	b.settle()
	b.hold("verdict")
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	b.settle()
	if left := h.waitsFor(id); len(left) != 1 {
		t.Fatalf("a press on the card of a decided call left %d calls", len(left))
	}
	if value[bool](b, `!document.querySelector(".approval pre").innerText.includes("the first one")`) {
		t.Error("another card took the place of the first")
	}
	b.tabTo("Next approval")
	b.enter()
	b.until(`document.activeElement.innerText.includes("the other one") && document.activeElement.tagName === "PRE"`)
	b.until(`!t.control("Approve").disabled`)
	b.tabTo("Deny")
	b.enter()
	b.sees("You denied it")
	b.until(`t.name(document.activeElement) === "Close"`)
	b.enter()
	b.until(`!document.querySelector(".approval") && document.activeElement.id === "message"`)
	b.sees("Both are decided")
}

// The list beside a conversation has its state from the log that is open, and waits for no
// answer of the host.
func TestSide_KnowsTheOpenSession(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.talk("merge 7")
	b := newTab(t)
	b.open(h.page("trace/" + id))
	b.click("Decide in the chat")
	b.until(`document.querySelector(".session.on").innerText.includes("needs you") && !t.control("Approve").disabled`)
	value[bool](b, `((ask) => (globalThis.fetch = (url, ...more) => String(url).includes("/v1/sessions") ? new Promise(() => {}) : ask(url, ...more), true))(fetch)`)
	b.click("Approve")
	b.sees("Merged #7")
	b.until(`!document.querySelector(".session.on").innerText.includes("needs you") && document.querySelector(".session-head .chip").innerText === "idle"`)
}

// Who sends goes on writing: the focus stays in the composer, from the first message on, and
// whoever pastes much sees its beginning, and all of it when they ask.
func TestComposer_KeepsTheFocus(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	b := newTab(t)
	b.open(h.page("chat"))
	b.write("Message", "one")
	b.enter()
	b.until(`location.hash.startsWith("#/chat/ses_") && document.activeElement.id === "message" && document.querySelector(".reply")?.innerText === "one"`)
	b.types("two")
	b.enter()
	b.until(`[...document.querySelectorAll(".reply")].at(-1)?.innerText === "two" && document.activeElement.id === "message" && document.activeElement.value === ""`)
	value[bool](b, `(document.activeElement.value = "much ".repeat(900) + "the end", document.activeElement.dispatchEvent(new Event("input")), true)`)
	b.click("Send")
	b.until(`[...document.querySelectorAll(".reply")].at(-1)?.innerText.endsWith("the end") && document.activeElement.id === "message"`)
	b.until(`[...document.querySelectorAll(".message")].at(-1).innerText.includes("Show all 4,507 characters")`)
	b.click("Show all 4,507 characters")
	b.until(`[...document.querySelectorAll(".message .words")].at(-1).innerText.endsWith("the end")`)
}

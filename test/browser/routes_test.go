package browser

import "testing"

// "Custom channel routes without path parameters become composer commands … with /help
// and autocomplete", and a command's answer is shown as text.
func TestCommands_AreCompletedAndCalled(t *testing.T) {
	h := prepare(t, "testdata/mirror")
	h.start()
	b := newTab(t)
	b.open(h.page("chat"))
	b.write("Message", "/help")
	b.enter()
	b.sees("/repeat <text>")
	b.write("Message", "/rep")
	b.press(`[...document.querySelectorAll("[role=option]")].find((el) => el.innerText.includes("repeat"))`)
	b.until(`document.querySelector("#message").value === "/repeat "`)
	b.types(hostile[0])
	b.enter()
	b.sees(`"said": "<img src=x onerror`)
	b.harmless("a command's answer")
	b.hold("command")
	b.write("Message", "/begin hello from a command")
	b.enter()
	b.until(`location.hash.startsWith("#/chat/ses_")`)
	b.until(`document.querySelector(".transcript").innerText.split("hello from a command").length === 3`)
}

// "Try … The modal remembers your last body per endpoint, copies curl, and opens a session
// when the route creates one".
func TestTry_RemembersAndOpens(t *testing.T) {
	h := prepare(t, "testdata/mirror")
	h.start()
	b := newTab(t)
	b.open(h.page("agent"))
	try := func() {
		t.Helper()
		b.press(`t.controls().find((el) => /^Try .*repeat/.test(t.name(el)))`)
		b.until(`document.querySelector("dialog[open]")`)
	}
	try()
	b.click("Body")
	value[bool](b, `(document.activeElement.select(), true)`)
	b.types(`{"text": "kept"}`)
	b.press(`document.querySelector("dialog button[type=submit]")`)
	b.sees(`"said": "kept"`)
	b.settle()
	b.hold("try")
	b.press(`document.querySelector("dialog button[aria-label=Close]")`)
	b.until(`!document.querySelector("dialog[open]")`)
	try()
	b.until(`document.querySelector("dialog textarea").value.includes("kept")`)
	b.press(`document.querySelector("dialog button[aria-label=Close]")`)
	b.press(`t.controls().find((el) => /^Try .*begin/.test(t.name(el)))`)
	b.click("Body")
	value[bool](b, `(document.activeElement.select(), true)`)
	b.types(`{"text": "begun by a route"}`)
	b.press(`document.querySelector("dialog button[type=submit]")`)
	b.until(`location.hash.startsWith("#/chat/ses_")`)
	b.sees("begun by a route")
}

// Who searches the runs and goes elsewhere at once stays there.
func TestRuns_ASearchEndsWithItsView(t *testing.T) {
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

package browser

import (
	"strings"
	"testing"
)

// For every sample that has channels, each route: as a command, in the modal, and what is
// said where something is wrong.
func TestRoutes_OfEverySample(t *testing.T) {
	t.Parallel()
	h, all := desks(t)
	t.Run("each", func(t *testing.T) {
		for _, d := range all {
			t.Run(d.slug, func(t *testing.T) {
				t.Parallel()
				b := newTab(t)
				b.expect(`was answered (4\d\d|500)|the server responded with a status of (4\d\d|500)`)
				b.commands(d)
				b.modals(d)
			})
		}
	})
	b := newTab(t)
	b.expect(`was answered (400|409|500)|the server responded with a status of (400|409|500)`)
	t.Run("harbour-desk by hand", func(t *testing.T) { b.within(t).repairs(h) })
	t.Run("wrong commands", func(t *testing.T) { b.within(t).mistyped(h) })
	t.Run("wrong bodies", func(t *testing.T) { b.within(t).refused(h) })
	t.Run("no host", func(t *testing.T) { b.within(t).unheard(h) })
}

// A person opens a ticket, sees what waits, and has it made: each command does what its
// route does.
func (b *tab) repairs(h *host) {
	b.t.Helper()
	b.open(h.origin + "/harbour-desk/playground#/chat")
	b.says(`/report ticketId=T-9 subject="A \"long\" crane" message='it hangs = low, d\'accord'`)
	b.until(`location.hash.startsWith("#/chat/ses_") && document.querySelector("h1").innerText.includes('T-9: A "long" crane')`)
	b.sees("it hangs = low, d'accord")
	b.sees("Queued as R-")
	b.says("/pending")
	b.until(`document.querySelector("pre[aria-label=Answer]")?.innerText.includes("it hangs = low")`)
	id := value[string](b, `JSON.parse(document.querySelector("pre[aria-label=Answer]").innerText).pending.find((r) => r.ticketId === "T-9").id`)
	b.says("/approve repairId=" + id + " warden=ada")
	b.sees("Approved: ")
	b.says("/followup ticketId=T-9 message=\"It smokes.\"")
	b.sees("It smokes.")
	b.says("/approve repairId=" + id + " warden=ada")
	b.until(`document.querySelector("[aria-label=Answer] .chip")?.innerText === "409" && document.querySelector("[aria-label=Answer]").innerText.includes("no such repair waits")`)
}

// says writes into the composer, in the place of what is there, and presses Enter.
func (b *tab) says(text string) {
	b.t.Helper()
	b.rewrite(text, `t.control("Message")`)
	b.enter()
}

// What is wrong with a command is said before anything is sent, and what is written stays.
func (b *tab) mistyped(h *host) {
	b.t.Helper()
	b.open(h.origin + "/switchboard/playground#/chat")
	asked := len(holding(b.asked(), "/switchboard/v1/channels/"))
	for _, x := range [][2]string{
		{"/order", "count, kind: are required. /order count=… kind=…"},
		{"/order kind=lamp", "count: is required"},
		{"/order count=two kind=lamp", "count: must be an integer"},
		{"/order count=2 count=3 kind=lamp", "count: is given twice"},
		{"/order count=2 kind=lamp place={", "place: must be an object in JSON"},
		{"/order count=2 kind=lamp size=3", "size: there is no such field; there are count, "},
		{"/order lamp", "cannot read lamp: write name=value, and a value with spaces in quotes"},
		{"/ring now", "several commands are named ring: /desk/ring, /night-desk/ring"},
		{"/dsek hello", "There is no command /dsek; did you mean /desk?"},
	} {
		b.says(x[0])
		b.until(`document.querySelector("#composer-says").innerText.includes(%s) && document.querySelector("#message").value === %s`, x[1], x[0])
	}
	if now := len(holding(b.asked(), "/switchboard/v1/channels/")); now != asked {
		b.t.Errorf("%d requests were sent for commands that are none", now-asked)
	}
	b.says("/order count=1 kind=lamp")
	b.until(`document.querySelector(".issues")?.innerText.includes("count")`)
	b.hold("command-issues")
	b.says("/desk " + hostile[0])
	b.until(`document.querySelector("pre[aria-label=Answer]")?.innerText.includes("<img src=x onerror")`)
	b.harmless("a command's answer")
	b.hold("command")
	b.says("/dsek hello")
	b.sees("Press Enter again to send this to the agent")
	b.enter()
	b.sees("You said: /dsek hello")
}

// "Errors (4xx with issues, 5xx)" of a route are its answer, and show what is wrong where.
func (b *tab) refused(h *host) {
	b.t.Helper()
	b.open(h.origin + "/switchboard/playground#/agent")
	b.opens("POST", "/order")
	b.rewrite(`{"count": `, inField, "Body")
	b.press(button, "Send")
	b.until(dialog + `.querySelector("[role=alert]").innerText.startsWith("The body is no JSON")`)
	b.rewrite(`{"count": "x", "loud": "yes", "kind": 7, "place": {"floors": [1, "up"]}}`, inField, "Body")
	b.press(button, "Send")
	b.until(said + `?.querySelector(".chip").innerText === "400"`)
	text := value[string](b, said+`.querySelector(".issues").innerText.replace(/\s+/g, " ")`)
	for _, at := range []string{"count ", "loud ", "place.room ", "place.floors"} {
		if !strings.Contains(text, at) {
			b.t.Errorf("the issues say nothing of %s: %s", at, text)
		}
	}
	b.settle()
	b.hold("try-issues")
	b.press(button, "Start over")
	b.until(`JSON.parse(`+inField+`.value).kind === "lamp"`, "Body")
	b.press(button, "Close")
	b.opens("POST", "/break")
	b.press(button, "Send")
	b.until(said + `?.querySelector(".chip").innerText === "500"`)
	if text := b.answer("dialog[open] [aria-label=Answer]"); !strings.Contains(text, "handler_failed") || strings.Contains(text, "the wire is cut") {
		b.t.Errorf("a handler that throws is shown as %s", text)
	}
	b.press(button, "Close")
	b.opens("PATCH", "/items/:id/:part")
	b.rewrite("..", inField, "id")
	b.rewrite("x", inField, "part")
	b.press(button, "Send")
	b.until(dialog + `.querySelector("[role=alert]").innerText.includes("id: a part of the path cannot be . or ..")`)
	b.press(button, "Close")
}

// opens opens the modal of a route of the desk.
func (b *tab) opens(method, path string) {
	b.t.Helper()
	b.until(`!` + dialog)
	b.click("Try " + method + " /v1/channels/desk" + path)
	b.until(dialog)
}

// A host that does not answer is said to, and nothing that was written is lost.
func (b *tab) unheard(h *host) {
	b.t.Helper()
	b.expect(`ERR_`)
	b.opens("GET", "/nothing")
	h.kill()
	b.press(button, "Send")
	b.until(dialog + `.querySelector("[role=alert]").innerText.includes("The host did not answer")`)
	b.press(button, "Close")
	b.click("Chat")
	b.says("/desk hello")
	b.until(`document.querySelector("#composer-says").innerText.includes("nobody knows whether the route was called") && document.querySelector("#message").value === "/desk hello"`)
	h.start()
	b.says("/desk hello")
	b.until(`document.querySelector("pre[aria-label=Answer]")?.innerText.includes("hello")`)
}

package browser

import (
	"strings"
	"testing"
)

// "Open sessions in Chat, Trace, or Raw": the three have one header, in one place, which says
// what the session is called, and leads from each to the others.
func TestHeader_IsOneInThreeViews(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.talk("review 7")
	h.ask("PATCH", "/v1/session/"+id, map[string]any{"title": "The lamp"})
	b := newTab(t)
	for _, width := range []int64{wide, phone} {
		b.look(width, "light")
		b.open("about:blank")
		b.open(h.page("chat/" + id))
		var boxes []string
		for _, view := range []string{"Chat", "Trace", "Raw"} {
			if view != "Chat" {
				b.click(view)
			}
			b.until(`location.hash.startsWith(%s) && document.querySelector("main h1")?.innerText === "The lamp" && document.querySelector(".session-head .chip")?.innerText === "idle"`, "#/"+strings.ToLower(view)+"/"+id)
			b.until(`document.querySelector(".segments [aria-current=page]").innerText === %s && document.querySelectorAll(".segments [aria-current]").length === 1`, view)
			b.settle()
			boxes = append(boxes, value[string](b, `JSON.stringify([".session-head", ".segments", "main h1"].map((s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.left, r.top, r.height]; }))`))
			b.hold("header-" + strings.ToLower(view))
		}
		if boxes[0] != boxes[1] || boxes[1] != boxes[2] {
			t.Errorf("at %d px the header moves: %q", width, boxes)
		}
	}
}

// A session has one name: its title, or else what was said in it last; a chat that is begun
// here is called by its first message.
func TestHeader_OneNameEverywhere(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	untitled := h.talk("review 7")
	last := strings.Join(strings.Fields(h.ask("GET", "/v1/session/"+untitled, nil)["session"].(map[string]any)["lastMessage"].(string)), " ")
	b := newTab(t)
	for view, name := range map[string]string{"chat/" + untitled: "main h1", "trace/" + untitled: "main h1", "raw/" + untitled: "main h1", "chat": ".session", "trace": ".pick a", "runs": ".run-name a"} {
		b.open(h.page(view))
		b.until(`document.querySelector(%s)?.innerText.startsWith(%s)`, name, last)
	}
	b.open(h.page("chat"))
	b.write("Message", "hello you")
	b.enter()
	b.until(`location.hash.startsWith("#/chat/ses_")`)
	b.sees("I look after the pull requests")
	b.until(`document.querySelector("main h1").innerText === "hello you" && document.querySelector(".session.on").innerText.startsWith("hello you")`)
}

// "Title edit" with the keyboard: Enter keeps, Escape leaves as it was, and the focus stays
// where it was, also in the next view; the list beside the chat has the new name at once.
func TestHeader_RenamesWithTheKeyboard(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.talk("review 7")
	b := newTab(t)
	b.open(h.page("chat/" + id))
	b.until(`t.control("Rename")`)
	b.until(`document.querySelector(".session.on")`)
	b.tabTo("Rename")
	b.enter()
	b.until(`t.name(document.activeElement) === "Title"`)
	b.types("not kept")
	b.types("\x1b")
	b.until(`t.name(document.activeElement) === "Rename" && !document.querySelector("main h1").innerText.includes("not kept")`)
	b.enter()
	b.until(`t.name(document.activeElement) === "Title"`)
	b.types("The lamp")
	b.enter()
	b.until(`t.name(document.activeElement) === "Rename" && document.querySelector("main h1").innerText === "The lamp"`)
	b.until(`document.querySelector(".session.on").innerText.startsWith("The lamp")`)
	b.tabTo("Trace")
	b.enter()
	b.until(`location.hash.startsWith("#/trace/") && t.name(document.activeElement) === "Trace" && document.title === "The lamp – PR reviewer"`)
	if got := h.ask("GET", "/v1/session/"+id, nil)["session"].(map[string]any)["title"]; got != "The lamp" {
		t.Errorf("the host calls it %q", got)
	}
}

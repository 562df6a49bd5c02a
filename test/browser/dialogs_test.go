package browser

import "testing"

// "Keyboard … use": Escape closes what lies over the page, and the focus is where it was. The
// search of the docs it leaves as well, as "/" goes to it.
func TestEscape_ClosesAndGoesBack(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	id := h.talk("tell something")
	for _, over := range []struct {
		name, url string
		// from opens it, and open holds while it is open. back names what has the focus then.
		from       func(b *tab)
		back, open string
	}{
		{"a dialog", h.page("agent"), func(b *tab) { b.tabTo("Try "); b.enter() }, `document.activeElement === t.control("Try ")`, `document.querySelector("dialog[open]")?.contains(document.activeElement)`},
		{"the commands", h.page("chat"), func(b *tab) { b.write("Message", "/re") }, `document.activeElement.id === "message" && document.activeElement.value === "/re"`, `t.shown(document.querySelector("[role=option]"))`},
		{"the details of a span", h.page("trace/" + id), func(b *tab) {
			b.press(`[...document.querySelectorAll(".tr")].find((row) => row.innerText.includes("echo"))`)
		}, `document.activeElement.role === "treegrid" && document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).innerText.includes("echo")`, `document.querySelector("aside.pane")`},
		{"the hits of a search", h.origin + "/docs", func(b *tab) { b.press(`document.querySelector("[role=search] input")`); b.types("approval") }, `document.activeElement === document.body`, `t.shown(document.querySelector("[role=search] [role=option]"))`},
	} {
		t.Run(over.name, func(t *testing.T) {
			b := newTab(t)
			b.open(over.url)
			b.until(`document.querySelector("main h1, main .hello")`)
			b.settle()
			over.from(b)
			b.until(over.open)
			b.escape()
			b.until(`!(` + over.open + `)`)
			b.until(over.back)
		})
	}
}

// On a narrow page what stands under the commands, or under the hits of a search, is not
// covered by them once the focus is there.
func TestLists_CloseBehindTheFocus(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	b := newTab(t)
	b.look(phone, "light")
	b.open(h.page("chat"))
	b.write("Message", "/")
	b.until(`t.shown(document.querySelector("[role=option]"))`)
	b.backTab()
	b.until(`document.activeElement.id !== "message" && !t.shown(document.querySelector("[role=option]"))`)
	b.open(h.origin + "/docs/playground")
	b.press(`document.querySelector("[role=search] input")`)
	b.types("approval")
	b.until(`t.shown(document.querySelector("[role=search] [role=option]"))`)
	b.types("\t") // a list that scrolls is a stop as well
	if value[bool](b, `document.querySelector("[role=search]").contains(document.activeElement)`) {
		b.types("\t")
	}
	b.until(`!t.shown(document.querySelector("[role=search] [role=option]"))`)
}

// What comes by itself is said aloud: "aria-live" where a view follows a stream.
func TestStreams_AreSaidAloud(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.talk("review 7")
	run := h.ask("POST", "/v1/dev/evals/runs", map[string]any{})["run"].(map[string]any)["runId"].(string)
	b := newTab(t)
	for view, region := range map[string]string{"chat/" + id: "log", "trace/" + id: "status", "raw/" + id: "status", "logs": "status", "evals/" + run: "status"} {
		b.open(h.page(view))
		b.until(`[...document.querySelectorAll("main [role]")].some((el) => el.role === %s && el.textContent.trim() !== "")`, region)
	}
}

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// What a person does with a session, by clicks and keys.
func TestSession_ByHand(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/switchboard")
	h.start()
	b, other := newTab(t), newTab(t)
	b.open(h.page("chat"))
	t.Run("started otherwise", func(t *testing.T) { b.within(t).startsOtherwise() })
	t.Run("stopped", func(t *testing.T) { b.within(t).stops(h) })
	t.Run("renamed", func(t *testing.T) { b.within(t).renames(other.within(t), h) })
	t.Run("forked", func(t *testing.T) { b.within(t).forksAndGoesOn(h) })
	t.Run("followed", func(t *testing.T) { b.within(t).followsRaw(other.within(t), h) })
}

// "Dry-run and asOf switches": tools see that time, writes are answered in their place, and
// the next session is an ordinary one.
func (b *tab) startsOtherwise() {
	b.t.Helper()
	b.click("Dry run")
	value[bool](b, `(t.control("As of").focus(), true)`) // on its first part, where Tab would come to
	for _, part := range []string{"01312026", "\t", "093015", "AM"} {
		b.types(part)
	}
	b.until(`t.control("As of").value === "2026-01-31T09:30:15"`)
	at := value[string](b, `new Date("2026-01-31T09:30:15").toISOString()`)
	b.says("note this")
	b.sees(" at " + at)
	if n := value[int](b, `[...document.querySelectorAll(".call .chip")].filter((c) => c.innerText === "stubbed").length`); n != 1 {
		b.t.Errorf("%d calls are shown as stubbed, want the one that writes", n)
	}
	b.until(`["dry run", "as of " + %s.slice(0, 16)].every((x) => document.querySelector("main header").innerText.includes(x))`, at)
	b.click("New chat")
	b.until(`!t.control("Dry run").checked && t.control("As of").value === ""`)
	b.says("note that")
	b.sees("Noted 1 at ") // the dry run wrote nothing
	b.until(`!document.querySelector("main header").innerText.includes("dry run")`)
}

// A turn is stopped in the middle, and another is by the next message.
func (b *tab) stops(h *host) {
	b.t.Helper()
	b.click("New chat")
	b.says("wait ada")
	b.sees("Waiting for ada.")
	b.click("Stop")
	b.until(`[...document.querySelectorAll(".turn-end")].at(-1).innerText.includes("stopped") && !t.control("Stop")`)
	b.says("wait bob")
	b.sees("Waiting for bob.")
	b.rewrite("hello", `t.control("Message")`)
	b.click("Interrupt and send")
	b.sees("You said: hello")
	b.until(`[...document.querySelectorAll(".turn-end")].filter((e) => e.innerText.includes("stopped")).length === 2 && !t.control("Stop")`)
	log := strings.Join(h.read(b.session(), func(line string) bool { return strings.Contains(line, "You said: hello") }), "\n")
	if m, f := strings.Count(log, `"type":"message.received"`), strings.Count(log, `"status":"cancelled"`); m != 3 || f != 2 {
		b.t.Errorf("the log has %d messages and %d turns that were stopped", m, f)
	}
	if strings.Contains(log, "is here.") {
		b.t.Error("a turn that was stopped went on")
	}
}

// session is the id of the session that the tab shows.
func (b *tab) session() string {
	b.t.Helper()
	return value[string](b, `location.hash.split("?")[0].split("/").pop()`)
}

// "Several tabs agree": a new title is seen in the other tab, above and in the list.
func (b *tab) renames(other *tab, h *host) {
	b.t.Helper()
	other.open(h.page("chat/" + b.session()))
	other.until(`document.querySelector("main h1").innerText.includes("wait ada")`)
	b.click("Rename")
	b.rewrite("Ada's <b>call</b>", `t.control("Title")`)
	b.enter()
	for _, tab := range []*tab{b, other} {
		tab.until(`document.querySelector("main h1").innerText === "Ada's <b>call</b>" && document.querySelector("#sessions").innerText.includes("Ada's <b>call</b>")`)
	}
	b.click("Rename")
	b.rewrite("thought better of", `t.control("Title")`)
	b.types(kb.Escape)
	b.until(`document.querySelector("main h1").innerText === "Ada's <b>call</b>"`)
}

// "Fork from a point": the fork has what was before it, and both go on by themselves.
func (b *tab) forksAndGoesOn(h *host) {
	b.t.Helper()
	b.click("New chat")
	for _, text := range []string{"one", "two", "three"} {
		b.says(text)
		b.sees("You said: " + text)
		b.until(`!t.control("Stop")`)
	}
	first := b.session()
	b.views("Raw")
	b.press(`[...document.querySelectorAll(".event-line")].filter((el) => el.innerText.includes("turn.completed"))[1]`)
	b.click("The session as it was here")
	b.until(`location.hash.startsWith("#/trace/")`)
	b.click("Fork from here")
	b.until(`location.hash.startsWith("#/chat/ses_") && !location.hash.includes(%s)`, first)
	second := b.session()
	b.sees("You said: two")
	b.until(`document.querySelector("main header").innerText.includes("fork")`)
	b.says("four")
	b.sees("You said: four")
	b.until(`!t.control("Stop")`)
	b.press(`document.querySelector("#sessions a[href$='" + %s + "']")`, first)
	b.sees("You said: three")
	b.says("five")
	b.sees("You said: five")
	b.until(`!t.control("Stop")`)
	for id, want := range map[string]string{first: "one two three five", second: "one two four"} {
		b.press(`document.querySelector("#sessions a[href$='" + %s + "']")`, id)
		b.until(`[...document.querySelectorAll(".message .words")].map((el) => el.innerText).join(" ") === %s`, want)
	}
}

// views goes to another view of the session by its link.
func (b *tab) views(title string) {
	b.t.Helper()
	b.press(`[...document.querySelectorAll("nav[aria-label='This session'] a")].find((el) => el.innerText === %s)`, title)
	b.until(`location.hash.startsWith("#/" + %s.toLowerCase() + "/")`, title)
}

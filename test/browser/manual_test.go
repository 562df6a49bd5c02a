package browser

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gobdk/bdk/transport/docs"
)

// Every page of the documentation keeps the rules, on a desk and on a phone, in light and dark.
func TestManual_InEverySizeAndScheme(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	pages := []string{"", "/http", "/events", "/approvals", "/quickstart", "/embedding"}
	if *full {
		pages = []string{""}
		for _, name := range docs.Pages() {
			pages = append(pages, "/"+name)
		}
	}
	b := newTab(t)
	for i, at := range pages {
		for j, width := range []int64{phone, wide} {
			scheme := []string{"light", "dark"}[(i+j)%2]
			b.look(width, scheme)
			b.open(h.origin + "/docs" + at)
			b.until(`document.querySelector("main h1") && document.querySelector("#find")`)
			b.settle()
			b.hold(fmt.Sprintf("docs%s-%s-%d", slashless(at), scheme, width))
		}
	}
}

func slashless(at string) string {
	if at == "" {
		return ""
	}
	return "-" + at[1:]
}

const (
	hits    = `[...document.querySelectorAll("#hits [role=option]")]`
	theNote = `document.querySelector(".hits .none")`
)

// The search is used with the keyboard alone: "/" goes to it, arrows choose, Enter goes
// there, Escape leaves.
func TestManual_SearchByKeyboard(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.origin + "/docs/tools")
	b.until(`document.querySelector("#find")`)
	b.slash()
	b.types("how do I stop a turn")
	b.until(hits + `.length > 1`)
	b.settle()
	b.hold("docs-search")
	b.until(`document.querySelector("#hits [aria-selected=true]").id === document.activeElement.getAttribute("aria-activedescendant")`)
	b.types(kb.ArrowDown)
	b.until(hits + `[1].getAttribute("aria-selected") === "true"`)
	b.types(kb.ArrowUp)
	b.until(hits + `[0].getAttribute("aria-selected") === "true"`)
	b.enter()
	b.until(`location.pathname === "/docs/sessions" && location.hash === "#interrupts-and-stops"`)
	b.until(`document.querySelector("#interrupts-and-stops").getBoundingClientRect().top < innerHeight / 2`)
	b.slash()
	b.types("cron")
	b.until(hits + `.length > 0`)
	b.types(kb.Escape)
	b.until(`document.querySelector(".hits").hidden && document.activeElement.id !== "find"`)
}

// slash presses the key as a keyboard does, and waits until one can write into the field.
func (b *tab) slash() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		p := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/", UnmodifiedText: "/", WindowsVirtualKeyCode: 191}
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, p)
		return err
	}))
	b.until(`document.activeElement.id === "find" && !document.activeElement.value.includes("/")`)
}

// A misspelt word, a word that is nowhere, and an address that is none are told, with a way on.
func TestManual_LosesNobody(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.look(phone, "dark")
	b.open(h.origin + "/docs")
	b.until(`document.querySelector("#find")`)
	b.press(`document.querySelector("#find")`)
	b.types("scedules")
	b.until(theNote + `.innerText.includes("This is for “schedules”") && ` + hits + `[0].innerText.startsWith("Schedules")`)
	b.settle()
	b.hold("docs-misspelt")
	b.types(kb.Escape)
	b.slash() // what is there is selected, so that typing replaces it
	b.types("xyzzyplugh")
	b.until(theNote + `.innerText.includes("Nothing has “xyzzyplugh”") && ` + hits + `.length === 0`)
	b.settle()
	b.hold("docs-nothing")

	b.expect(`404`)
	b.open(h.origin + "/docs/v2/approving.html")
	b.until(`document.querySelector(".missing a[href='/docs/approvals']")`)
	b.settle()
	b.hold("docs-missing")
	b.press(`document.querySelector(".missing a[href='/docs/approvals']")`)
	b.until(`location.pathname === "/docs/approvals"`)
}

// A search that could not be loaded says so, and works when the host is back.
func TestManual_SearchComesBack(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.origin + "/docs/tools")
	b.until(`document.querySelector("#find")`)
	b.expect(`net::ERR_`) // whatever the page asks a host that is gone for
	h.kill()
	b.press(`document.querySelector("#find")`)
	b.types("cron")
	b.until(theNote + `.innerText.includes("could not be loaded")`)
	b.settle()
	b.snap("docs-lost")
	h.start()
	b.enter()
	b.until(hits + `[0].innerText.startsWith("Schedules")`)
}

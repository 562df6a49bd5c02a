package browser

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

const (
	lastEvent = `Math.max(...[...document.querySelectorAll(".event-index")].filter((el) => { const r = el.getBoundingClientRect(), box = document.querySelector(".raw-list").getBoundingClientRect(); return r.top >= box.top && r.bottom <= box.bottom + 1 }).map((el) => Number(el.textContent)))`
	counted   = `Number((/([\d,]+) events/.exec(document.body.innerText) ?? [])[1]?.replaceAll(",", ""))`
)

// "Raw: inspect the selected session's event stream": events come while it is open, and it
// follows them or stands, as it is told; what is looked for is found; the download is the log.
func (b *tab) followsRaw(other *tab, h *host) {
	b.t.Helper()
	b.click("New chat")
	for range 3 {
		b.says("hello")
		b.until(`t.control("Message").value === "" && !t.control("Stop")`)
	}
	id := b.session()
	other.open(h.page("raw/" + id))
	other.until(counted + ` > 20 && ` + lastEvent + ` === ` + counted + ` - 1`)
	before := value[int](other, counted)
	b.says("a thing to look for")
	other.until(counted+` > %s && `+lastEvent+` === `+counted+` - 1`, before)
	other.until(`[...document.querySelectorAll(".event-line")].at(-1).innerText.includes("session.waiting")`)

	other.click("Follow")
	other.write("Jump to event", "3")
	other.click("Jump")
	other.until(`document.querySelector("#event-3 pre")?.innerText.includes('"index": 3')`)
	before = value[int](other, counted)
	b.says("one more")
	other.until(counted+` > %s + 5`, before)
	other.settle()
	if !value[bool](other, `Boolean(document.querySelector("#event-3 pre"))`) {
		other.t.Error("the events that came moved away what was looked at")
	}
	other.finds()
	other.downloads(h, id)
}

// finds narrows the events by a text and by a type, and follows again.
func (b *tab) finds() {
	b.t.Helper()
	b.write("Text in the event", "a thing TO look")
	b.until(`/^[1-9] of \d+ events/m.test(document.body.innerText) && [...document.querySelectorAll(".event-line")].every((el) => el.innerText.includes("a thing to look for"))`)
	b.types("\t") // to the types
	b.types("message.r")
	b.until(`t.control("Type").value === "message.received" && /^1 of \d+ events/m.test(document.body.innerText)`)
	b.rewrite("", `t.control("Text in the event")`)
	b.until(`/^5 of \d+ events/m.test(document.body.innerText)`)
	b.types("\t")
	b.types("All")
	b.click("Follow")
	b.until(lastEvent + ` === ` + counted + ` - 1`)
}

// downloads saves the log, which is what the host has.
func (b *tab) downloads(h *host, id string) {
	b.t.Helper()
	dir := b.t.TempDir()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.CallBrowser(ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID, DownloadPath: dir})
		return err
	}))
	b.click("Download")
	reply, err := http.Get(h.url + "/v1/session/" + id + "/events")
	if err != nil {
		b.t.Fatal(err)
	}
	defer reply.Body.Close()
	want, err := io.ReadAll(reply.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	var got []byte
	for deadline := time.Now().Add(limit); time.Now().Before(deadline) && string(got) != string(want); {
		b.settle()
		got, _ = os.ReadFile(filepath.Join(dir, id+".ndjson"))
	}
	if string(got) != string(want) || strings.Count(string(got), "\n") < 20 {
		b.t.Errorf("the download has %d bytes, the log %d", len(got), len(want))
	}
}

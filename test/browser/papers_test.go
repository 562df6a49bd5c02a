package browser

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// Artifacts "with previews": each kind is opened from the list, shows what it is, and none
// can run, load or lead anywhere. S18: what is made by others is text.
func TestArtifacts_EveryPreviewIsClickedThrough(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.file()
	b := newTab(t)
	b.open(h.page("artifacts"))
	for _, p := range papers {
		b.press(`[...document.querySelectorAll(".made-row .run-name a")].find((a) => a.textContent === %s)`, p.title)
		if p.shows == "img" {
			b.until(`document.querySelector(".made-image img")?.naturalWidth === 1`)
		} else {
			b.until(`document.querySelector(".made-main")?.innerText.includes(%s)`, p.shows)
		}
		b.until(`t.control("Download")`)
		b.settle()
		b.harmless(p.title)
		b.hold("artifact-" + p.fileName[max(0, len(p.fileName)-7):])
		b.press(`document.querySelector(".view-above a")`)
		b.until(`document.querySelectorAll(".made-row").length > 5`)
	}
	b.press(`[...document.querySelectorAll(".made-row .run-name a")].find((a) => a.textContent === "Berth A")`)
	b.sees("It is a record alone")
	b.sees(`"metres": 4.2`)

	// Kinds, words and sessions narrow the list; a row leads to its session.
	b.open(h.page("artifacts?kind=berth"))
	b.until(`document.querySelectorAll(".made-row .run-name").length === 1`)
	b.click("Artifacts")
	b.until(`document.querySelectorAll(".made-row .run-name").length > 5`)
	b.write("Search titles, keys and file names", "survey.md")
	b.until(`document.querySelectorAll(".made-row .run-name").length === 1 && document.querySelector("main").innerText.includes("A survey")`)
	b.types("x")
	b.sees("No artifact fits.")
	b.open(h.page("artifacts"))
	b.settle()
	b.hold("artifacts-list")
	b.press(`document.querySelector(".made-link")`)
	b.until(`location.hash.startsWith("#/chat/ses_")`)
}

// "Windowed lists: under 2,000 DOM nodes, counted by a test": a thousand artifacts, which
// are as many as the host gives.
func TestArtifacts_AThousandAreFewNodes(t *testing.T) {
	t.Parallel()
	h := quay(t)
	turn := h.turn(h.talk(`/call make_paper {"kind":"paper","key":"one","title":"Paper one"}`))
	at := slices.IndexFunc(turn, func(e events.Event) bool { return e.Type == "artifact.tagged" })
	if at < 0 {
		t.Fatal("nothing was tagged")
	}
	id := newSession(t, time.Now())
	all := slices.Clone(turn[:at])
	for n := range 1200 {
		d := *turn[at].Data.(*events.ArtifactTagged)
		d.Artifact.SessionID, d.Artifact.ID, d.Artifact.Key = id, fmt.Sprintf("art_%026d", n), fmt.Sprint("paper-", n)
		d.Artifact.Title = fmt.Sprint("Paper ", n)
		all = append(all, events.New(turn[at].TurnID, turn[at].At, &d))
	}
	h.remember(past{id: id, like: append(all, turn[at+1:]...)})
	b := newTab(t)
	b.open(h.page("artifacts"))
	b.until(`document.querySelectorAll(".made-row").length > 5`)
	b.until(`(() => { const l = document.querySelector(".made-list"); l.scrollTop = l.scrollHeight; return document.querySelector("main").innerText.includes("1,000 newest artifacts") && l.scrollTop + l.clientHeight > 40000 })()`)
	b.settle()
	b.few("artifacts")
	b.snap("artifacts-thousand")
}

package browser

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gobdk/bdk/events"
)

// "10,000 events stay smooth (windowed lists: under 2,000 DOM nodes, counted by a test)",
// and a session opens at its end.
func TestLong_FewNodes(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.remember(past{like: manyTimes(h.turn(h.talk("review 7")), 10_000)})[0]
	for view, end := range map[string]string{
		"chat":  `/message \d{3}/.test(document.querySelector(".transcript").innerText) && (() => { const w = document.querySelector(".windowed"); return w.scrollHeight - w.scrollTop - w.clientHeight < 60 })()`,
		"trace": `document.querySelectorAll(".tr").length > 5 && (() => { const l = document.querySelector(".chart-rows"); return l.scrollHeight > 2 * l.clientHeight && l.scrollHeight - l.scrollTop - l.clientHeight < 60 })()`,
		"raw":   `[...document.querySelectorAll(".event-index")].some((el) => Number(el.textContent) >= 10000 - 1)`,
	} {
		t.Run(view, func(t *testing.T) {
			b := newTab(t)
			b.open(h.page(view + "/" + id))
			b.until(end)
			b.settle()
			b.snap("long-" + view)
			if view != "chat" { // the last row says which it is of all
				b.until(`Math.max(...[...document.querySelectorAll("[aria-rowindex]")].map((el) => Number(el.getAttribute("aria-rowindex")))) === Number(document.querySelector("[aria-rowcount]").getAttribute("aria-rowcount"))`)
			}
			if n := value[int](b, `document.querySelectorAll("*").length`); n >= 2000 {
				t.Errorf("%d nodes", n)
			}
		})
	}
}

// manyTimes repeats a turn in its session until that has so many events.
func manyTimes(turn []events.Event, least int) []events.Event {
	all := slices.Clone(turn)
	for n := 1; len(all) < least; n++ {
		for _, e := range turn {
			if e.Type == "session.started" {
				continue
			}
			if e.TurnID != "" {
				e.TurnID = fmt.Sprintf("turn_%026d", n)
			}
			if e.Type == "message.received" {
				e.Data = &events.MessageReceived{Text: fmt.Sprintf("message %d", n), From: "user"}
			}
			all = append(all, e)
		}
	}
	return all
}

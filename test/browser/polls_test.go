package browser

import (
	"slices"
	"strings"
	"testing"
)

// polls lets the view that is open ask again, at once and not after seconds, until it was
// answered so often by what has path in its address.
func (b *tab) polls(path string, times int) {
	b.t.Helper()
	value[bool](b, `(async () => {
		const real = fetch;
		let answers = 0;
		globalThis.fetch = async (...all) => {
			const reply = await real(...all);
			if (String(all[0]).includes(%s)) answers++;
			return reply;
		};
		for (const wanted = %s; answers < wanted; await new Promise((done) => setTimeout(done, 40))) document.dispatchEvent(new Event("visibilitychange"));
		globalThis.fetch = real;
		await new Promise((done) => setTimeout(done, 100));
		return true;
	})()`, path, times)
}

// A schedule leads to its runs however many sessions are newer and whatever they are called;
// older ones are asked for once after a firing.
func TestSchedules_RunsOlderThanTheNewest(t *testing.T) {
	t.Parallel()
	h := quay(t)
	id := h.ask("POST", "/v1/dev/schedules/rounds", map[string]any{})["sessionIds"].([]any)[0].(string)
	h.read(id, func(line string) bool { return typeOf(t, line) == "session.completed" })
	h.ask("PATCH", "/v1/session/"+id, map[string]any{"title": "What was seen"})
	h.remember(h.talk("hello"), season(60))

	b := newTab(t)
	b.open(h.page("schedules"))
	b.until(`document.querySelector("tbody [data-name='Last runs'] a")?.getAttribute("href") === %s`, "#/chat/"+id)
	b.polls("/v1/sessions?limit=200", 3)
	var of []string
	for _, r := range b.asked() {
		if _, query, ok := strings.Cut(r, "/v1/sessions?"); ok && strings.Contains(query, "schedule=") {
			of = append(of, query)
		}
	}
	if !slices.Equal(of, []string{"limit=3&schedule=rounds"}) {
		t.Errorf("the page asked for %q", of)
	}
}

// What opened is not known is not said to be nothing.
func TestSchedules_RunsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.ask("POST", "/v1/dev/schedules/rounds", map[string]any{})
	b := newTab(t)
	b.open(h.page("runs"))
	b.sees("Runs")
	value[bool](b, `(globalThis.honest = fetch, globalThis.fetch = (...all) => (String(all[0]).includes("/v1/sessions") ? Promise.reject(new Error("no answer")) : honest(...all)), true)`)
	b.open(h.page("schedules"))
	b.until(`[...document.querySelectorAll("tbody [data-name='Last runs']")].map((x) => x.innerText).join() === "…,…"`)
	b.sees("no answer")
	value[bool](b, `(globalThis.fetch = honest, true)`)
	b.polls("/v1/sessions?limit=200", 1)
	b.until(`document.querySelectorAll("tbody [data-name='Last runs'] a").length === 1 && document.querySelectorAll("tbody [data-name='Last runs']")[1].innerText === "–"`)
}

// Rows of a search that failed at first do not come to stand among those of the one before.
func TestRuns_ASearchThatFailsMixesNothing(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.remember(h.talk("hello"), season(60))
	b := newTab(t)
	b.open(h.page("runs"))
	b.sees("50 and older sessions")
	b.click("Show older ones")
	b.sees("100 and older sessions")
	value[bool](b, `(globalThis.honest = fetch, globalThis.fetch = (...all) => (String(all[0]).includes("q=paper") ? Promise.reject(new Error("no answer")) : honest(...all)), true)`)
	b.write("Search titles and ids", "paper")
	b.sees("no answer")
	value[bool](b, `(globalThis.fetch = honest, true)`)
	b.polls("q=paper", 1)
	b.sees("50 and older sessions")
	b.until(`[...document.querySelectorAll(".run-name > a")].every((a) => a.innerText.includes("paper"))`)
	b.polls("q=paper", 1)
	b.sees("50 and older sessions")
}

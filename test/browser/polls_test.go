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
	h.remember(season(h.turn(h.talk("hello")), 60)...)

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
	h.remember(season(h.turn(h.talk("hello")), 60)...)
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

// Who stands on a link or a button stays there while the page asks again, and nothing that was
// said is said again.
func TestPolls_KeepTheFocus(t *testing.T) {
	t.Parallel()
	h := quay(t)
	b := newTab(t)
	b.rests(h, "runs", "main .nothing a[href='#/chat']", "/v1/sessions")
	b.rests(h, "runs?status=failed", "main .nothing-title", "/v1/sessions")
	b.rests(h, "runs/evals", "main .nothing a[href='#/evals']", "/v1/dev/evals/runs")
	b.rests(h, "artifacts", "main .nothing a", "/v1/artifacts")
	b.rests(h, "logs?", ".view-tools input[type=search]", "/v1/logs")
	h.ask("POST", "/v1/dev/schedules/rounds", map[string]any{})
	b.rests(h, "schedules", "tbody [data-name='Last runs'] a", "/v1/dev/reminders")
	h.file()
	b.rests(h, "artifacts?q=", "main .made-list a", "/v1/artifacts")
	b.open("about:blank")
	h.remember(season(h.turn(h.talk("hello")), 30)...)
	b.rests(h, "runs", "main .runs-foot button", "/v1/sessions")

	// A row that others overtake keeps it as well.
	top := value[string](b, `document.querySelector(".run-name a").getAttribute("href")`)
	value[bool](b, `(document.querySelector(".run-name a").focus(), globalThis.kept = document.activeElement, true)`)
	fourth := value[string](b, `document.querySelectorAll(".run-name a")[3].getAttribute("href").split("/").pop()`)
	h.ask("PATCH", "/v1/session/"+fourth, map[string]any{"title": "The newest now"})
	b.polls("/v1/sessions", 1)
	b.until(`document.querySelector(".run-name a").innerText === "The newest now"`)
	if at := value[string](b, `document.activeElement === kept ? kept.getAttribute("href") : document.activeElement.tagName`); at != top {
		t.Errorf("the focus is on %s, want %s", at, top)
	}
	// And so does the button that asks for older ones.
	value[bool](b, `(document.querySelector("main .runs-foot button").focus(), globalThis.kept = document.activeElement, true)`)
	b.enter()
	b.sees("100 and older sessions")
	if !value[bool](b, `document.activeElement === kept`) {
		t.Error("who asked for older sessions lost the focus")
	}
}

// rests opens a view, puts the focus on what a selector finds, and lets two polls pass.
func (b *tab) rests(h *host, view, selector, path string) {
	b.t.Helper()
	b.open(h.page(view))
	b.until(`document.querySelector(%s)`, selector)
	b.settle()
	value[bool](b, `(() => {
		const el = document.querySelector(%s);
		if (el.tabIndex < 0) el.tabIndex = -1;
		el.focus();
		globalThis.kept = el;
		globalThis.said = [];
		const of = (n) => (n.nodeType === 1 ? n : n.parentElement)?.closest("[role=status]") ?? n.querySelector?.("[role=status]");
		globalThis.watching?.disconnect();
		globalThis.watching = new MutationObserver((all) => all.forEach((m) => [m.target, ...m.addedNodes].map(of).filter((x) => x && x.closest("main")).forEach((x) => said.push(x.innerText))));
		watching.observe(document.body, { childList: true, subtree: true, characterData: true });
		return true;
	})()`, selector)
	b.polls(path, 2)
	if !value[bool](b, `kept.isConnected && document.activeElement === kept`) {
		b.t.Errorf("%s: a poll takes the focus from %s", view, selector)
	}
	if said := value[[]string](b, `said`); len(said) > 0 {
		b.t.Errorf("%s: a poll says again %q", view, said)
	}
}

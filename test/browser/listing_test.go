package browser

import "testing"

// "Browse the sessions you own …. Search by title or identifier; open sessions in Chat,
// Trace, or Raw", "find yesterday's session", and long lists stay "under 2,000 DOM nodes".
func TestRuns_DaysSearchAndOlderOnes(t *testing.T) {
	t.Parallel()
	h := quay(t)
	ids := h.remember(season(h.turn(h.talk("hello")), 150)...)
	h.talk("How deep is berth Z9")
	b := newTab(t)
	b.open(h.page("runs"))
	b.until(`[...document.querySelectorAll(".run-day")].map((d) => d.innerText).join().startsWith("Today,Yesterday,")`)
	b.settle()
	b.hold("runs-days")

	// A row is found by what it shows as its name, and by its id.
	b.write("Search titles and ids", "berth z9: 4.2 m")
	b.until(`document.querySelectorAll(".run-links").length === 1 && document.querySelector(".run-name a").innerText.includes("Berth Z9")`)
	clearField(b)
	b.types(ids[3][4:])
	b.until(`document.querySelectorAll(".run-links").length === 1 && document.querySelector("main").innerText.includes(%s)`, ids[3])
	b.press(`document.querySelector(".run-links a[href^='#/raw/']")`)
	b.until(`location.hash === %s`, "#/raw/"+ids[3])

	b.open(h.page("runs?q=nobody-said-this"))
	b.sees("No session fits.")
	b.settle()
	b.hold("runs-none")

	b.open(h.page("runs"))
	b.until(`document.querySelectorAll(".run-links").length > 5`)
	oldest := ids[0]
	b.until(`(() => { const l = document.querySelector(".runs-list"); l.scrollTop = l.scrollHeight; return l.innerText.includes(%s) })()`, oldest)
	b.settle()
	b.few("runs")
	b.snap("runs-older")
}

func clearField(b *tab) {
	b.t.Helper()
	value[bool](b, `(document.activeElement.select(), true)`)
}

// few holds where a view has under 2,000 nodes.
func (b *tab) few(what string) {
	b.t.Helper()
	if n := value[int](b, `document.querySelectorAll("*").length`); n >= 2000 {
		b.t.Errorf("%s: %d nodes", what, n)
	}
}

// "Cost charts over sessions": money by day and model, and a sentence where there is none.
func TestCosts_PricedAndFree(t *testing.T) {
	t.Parallel()
	h := quay(t)
	first := h.talk("hello")
	b := newTab(t)
	b.open(h.page("costs"))
	b.sees("These sessions cost nothing")
	b.sees("The sessions with the most tokens")
	if value[bool](b, `[...document.querySelectorAll("h2")].some((x) => x.innerText === "Cost by day")`) {
		t.Error("there is an empty chart of costs")
	}
	b.settle()
	b.hold("costs-free")

	h.remember(season(h.turn(first), 40)...)
	b.open("about:blank")
	b.open(h.page("costs"))
	b.sees("Cost by day")
	b.until(`document.querySelectorAll("figure svg rect.use-in").length > 8`)
	for _, name := range []string{"anthropic/claude-sonnet-4-5", "openai/gpt-5-mini", "anthropic/claude-haiku-4-5", "The dearest sessions", "By channel"} {
		b.sees(name)
	}
	of := func() int {
		return value[int](b, `document.querySelectorAll("figure:first-of-type svg g.bar-group").length`)
	}
	if n := of(); n != 14 {
		t.Errorf("there are %d days, want 14", n)
	}
	b.click("Time")
	value[bool](b, `(document.activeElement.value = "30", document.activeElement.dispatchEvent(new Event("change")), true)`)
	b.until(`document.querySelectorAll("figure:first-of-type svg g.bar-group").length === 30`)
	b.settle()
	b.hold("costs-priced")
	b.look(phone, "dark")
	b.settle()
	b.hold("costs-phone")
}

// "Recent server log lines", by level and by words.
func TestLogs_LevelsAndWords(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.talk("hello")
	b := newTab(t)
	b.open(h.page("agent"))
	b.sees("it cannot be opened")
	b.open(h.page("logs"))
	b.until(`document.querySelectorAll(".log-line").length >= 3`)
	b.settle()
	b.hold("logs-all")
	value[bool](b, `(() => { const s = t.control("Level"); s.value = "warn"; s.dispatchEvent(new Event("change")); return true })()`)
	b.until(`[...document.querySelectorAll(".log-level")].length > 0 && [...document.querySelectorAll(".log-level")].every((l) => /warn|error/.test(l.innerText))`)
	b.write("Text in the line", "weather")
	b.until(`document.querySelectorAll(".log-line").length > 0 && document.querySelector("main").innerText.includes(" of ")`)
	b.press(`document.querySelector(".log-line")`)
	b.sees("Copy line")
	b.write("Text in the line", "nobody logs this")
	b.sees("No line fits.")
}

// "/ lists them all", with what an agent is made of and how it is called.
func TestIndex_IsAFrontDoor(t *testing.T) {
	t.Parallel()
	h := quay(t)
	b := newTab(t)
	for _, l := range []struct {
		width  int64
		scheme string
	}{{wide, "light"}, {phone, "dark"}} {
		b.look(l.width, l.scheme)
		b.open(h.origin + "/")
		for _, text := range []string{"Quay desk", "Keeps the papers of a small harbour", "scripted · 3 tools · 2 skills · 2 subagents · 1 connection · 2 schedules", "curl -N " + h.url + "/v1/session"} {
			b.sees(text)
		}
		b.settle()
		b.hold("front-door-" + l.scheme)
	}
	b.click("Open the playground")
	b.until(`location.pathname === "/quay/playground"`)
}

// Views of lists and figures have one head: the same edge, height and letters. Where they
// lead into the documentation, they lead to something.
func TestViews_HaveOneHead(t *testing.T) {
	t.Parallel()
	h := quay(t)
	b := newTab(t)
	var seen []string
	for _, v := range []string{"runs", "runs/evals", "evals", "artifacts", "schedules", "agent", "costs", "logs"} {
		b.open(h.page(v))
		b.until(`document.querySelector(".view-head h1")`)
		b.settle()
		seen = append(seen, value[string](b, `(() => { const h = document.querySelector(".view-head h1"), r = h.getBoundingClientRect(), head = h.parentElement.getBoundingClientRect(); return [r.left, r.top, head.height, getComputedStyle(h).fontSize].map(String).join(" ") })()`))
		if last := seen[len(seen)-1]; last != seen[0] {
			t.Errorf("%s begins at %q, and runs at %q", v, last, seen[0])
		}
		b.leads()
	}
}

// Schedules: "run now" says what it ran, the runs are led to, and a reminder can be fired.
func TestSchedules_RunNowAndReminders(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.talk("remind me of the ferry in 2")
	b := newTab(t)
	b.open(h.page("schedules"))
	b.sees("Ask about the ferry.")
	b.click("Run rounds now")
	b.sees("It ran:")
	b.until(`document.querySelector("tbody [data-name='Last runs'] a")`)
	b.settle()
	b.hold("schedules-ran")
	b.press(`document.querySelector("tbody [data-name='Last runs'] a")`)
	b.sees("The quay is quiet.")
	b.open(h.page("schedules"))
	b.click("Fire: Ask about the ferry.")
	b.sees("Fired: Ask about the ferry.")
	b.sees("No session has one.")
	b.click("See it in its session")
	b.sees("Noted: Ask about the ferry.")
}

// Without --dev schedules say when they fire next, and nobody fires them by hand.
func TestSchedules_SayWhenTheyFire(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/quay", "--allow-anonymous")
	h.start()
	b := newTab(t)
	b.expect(`/v1/dev/reminders|404`)
	b.open(h.page("schedules"))
	b.sees("They fire by themselves, at their times.")
	b.until(`/in \d+ min|within a minute|now/.test(document.querySelector("tbody [data-name=Next]").innerText)`)
	if value[bool](b, `t.controls().some((c) => /^Run /.test(t.name(c)))`) {
		t.Error("there is a button to fire by hand")
	}
	b.settle()
	b.hold("schedules-served")
}

// "Inspect the discovered tools, skills, subagents, MCP connections, channels, and hooks".
func TestAgent_ShowsEveryPart(t *testing.T) {
	t.Parallel()
	h := quay(t)
	b := newTab(t)
	b.open(h.page("agent"))
	for _, text := range []string{
		"Keeps the papers of a small harbour", "needs approval", "Use before you say how deep the water is.", "Looks at soundings and says how deep a berth is.",
		"The weather at sea.", "it cannot be opened", "Asks for a berth", "artifact.tagged", "0 6 * * 1-5", "A drawing of a berth.", "Extensions",
	} {
		b.sees(text)
	}
	for _, part := range []string{"Tools 3", "Skills 2", "Subagents 2", "Connections 1", "Channels 2", "Hooks 1", "Schedules 2", "Artifacts 3"} {
		b.until(`t.control(%s)`, part)
	}
	b.click("Hooks 1")
	b.until(`document.querySelector("#part-Hooks").getBoundingClientRect().top < innerHeight`)
	b.settle()
	b.hold("agent-hooks")
}

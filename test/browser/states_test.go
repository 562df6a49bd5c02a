package browser

import "strings"

// A surface is what people look at: a page, in a state that they bring it into.
type surface struct {
	name, url string
	// ready holds when the page shows what it has.
	ready string
	// do brings the page into the state; nil: it is in it.
	do func(b *tab)
}

// states are all surfaces of a coast.
func (c *coast) states() []surface {
	all := c.conversations()
	for _, more := range [][]surface{c.timelines(), c.lists(), c.records(), c.parts(), c.pages(), c.empty()} {
		all = append(all, more...)
	}
	return all
}

// conversations are the states of the chat.
func (c *coast) conversations() []surface {
	const whole = `document.querySelector(".transcript")?.innerText.includes("The light burned every night")`
	return []surface{
		{"chat-new", c.page("chat"), `document.querySelector(".hello")`, nil},
		{"chat-draft", c.page("chat"), `document.querySelector(".hello")`, func(b *tab) {
			b.press(`document.querySelector(".options input[type=checkbox]")`)
			b.write("Message", "A draft that is not sent yet")
		}},
		{"chat-end", c.page("chat/" + c.every), whole, nil},
		{"chat-top", c.page("chat/" + c.every), whole, func(b *tab) {
			b.top()
			b.unfold(".reasoning > .fold", 0)
			b.unfold(".call > .fold", 0)
		}},
		{"chat-subagent", c.page("chat/" + c.every), whole, func(b *tab) {
			b.top()
			b.unfoldNamed("look at Skerry")
			b.until(`document.querySelector(".depth-1 .call > .fold")`)
			b.unfold(".depth-1 .call > .fold", 0)
		}},
		{"chat-error", c.page("chat/" + c.every), whole, func(b *tab) { b.unfoldNamed("hail_ship") }},
		{"chat-long-output", c.page("chat/" + c.survey), `document.querySelector(".call")`, func(b *tab) { b.unfold(".call > .fold", 0) }},
		{"chat-stubbed", c.page("chat/" + c.dry), `document.querySelectorAll(".call").length > 1`, func(b *tab) { b.unfold(".call > .fold", 0) }},
		{"chat-failed", c.page("chat/" + c.broken), `document.querySelector(".failure")`, nil},
		{"chat-long-words", c.page("chat/" + c.long), `document.querySelector(".reply")`, nil},
		{"chat-approval", c.page("chat/" + c.parked), `!t.control("Approve").disabled`, nil},
		{"chat-slash", c.page("chat"), `document.querySelector(".hello")`, func(b *tab) { b.write("Message", "/"); b.until(`document.querySelector("[role=option]")`) }},
		{"chat-command", c.page("chat/" + c.survey), `document.querySelector(".call")`, func(b *tab) {
			b.write("Message", "/tide station=Skerry")
			b.enter()
			b.sees("centimetres")
		}},
		{"chat-refused", c.page("chat"), `document.querySelector(".hello")`, func(b *tab) {
			b.write("Message", "/count from=Monday")
			b.enter()
			b.until(`document.querySelector(".bad-text, .issues")`)
		}},
		{"chat-help", c.page("chat"), `document.querySelector(".hello")`, func(b *tab) { b.write("Message", "/help"); b.enter(); b.until(`document.querySelector(".help")`) }},
	}
}

// top scrolls the conversation to its first message.
func (b *tab) top() {
	b.t.Helper()
	b.until(`(() => { const w = document.querySelector(".windowed"); w.scrollTop = 0; return w.scrollTop === 0 && document.querySelector(".message")?.getBoundingClientRect().top > 0 })()`)
	b.settle()
}

// unfold presses the n-th of what a selector finds, and waits until it is open.
func (b *tab) unfold(selector string, n int) {
	b.t.Helper()
	b.press(`document.querySelectorAll(%s)[%s]`, selector, n)
	b.until(`document.querySelectorAll(%s)[%s].getAttribute("aria-expanded") === "true"`, selector, n)
}

// unfoldNamed presses the newest call of a name.
func (b *tab) unfoldNamed(name string) {
	b.t.Helper()
	b.press(`[...document.querySelectorAll(".call > .fold")].findLast((el) => el.innerText.includes(%s))`, name)
	b.until(`[...document.querySelectorAll(".call > .fold")].findLast((el) => el.innerText.includes(%s)).getAttribute("aria-expanded") === "true"`, name)
}

// timelines are the states of Trace and Raw.
func (c *coast) timelines() []surface {
	rows := func(word string) string {
		return `[...document.querySelectorAll(".tr")].some((row) => row.innerText.includes("` + word + `"))`
	}
	row := func(word string) func(b *tab) {
		return func(b *tab) {
			b.press(`[...document.querySelectorAll(".tr")].find((row) => row.innerText.includes(%s))`, word)
			b.until(`document.querySelector("aside.pane")`)
		}
	}
	pane := func(name string) func(b *tab) {
		return func(b *tab) { b.click(name); b.until(`document.querySelector("aside.pane")`) }
	}
	events := `document.querySelectorAll(".event").length > 5`
	return []surface{
		{"trace", c.page("trace/" + c.every), rows("observer"), nil},
		{"trace-span", c.page("trace/" + c.every), rows("observer"), func(b *tab) { b.press(`document.querySelector(".trace-sums button")`); row("hail_ship")(b) }},
		{"trace-state", c.page("trace/" + c.every + "?at=14"), `document.querySelector("aside.pane")`, nil},
		{"trace-cost", c.page("trace/" + c.every), rows("observer"), pane("Cost")},
		{"trace-approval", c.page("trace/" + c.parked), rows("trim_lamp"), nil},
		{"trace-failed", c.page("trace/" + c.broken), `document.querySelector(".tr")`, nil},
		{"trace-pick", c.page("trace"), `document.querySelector(".pick")`, nil},
		{"raw", c.page("raw/" + c.every), events, nil},
		{"raw-event", c.page("raw/" + c.every), events, func(b *tab) {
			b.press(`[...document.querySelectorAll(".event-line")].find((el) => el.innerText.includes("actions.requested"))`)
			b.until(`document.querySelector(".event-body pre")`)
		}},
		{"raw-none", c.page("raw/" + c.every), events, func(b *tab) {
			b.write("Text in the event", "zzz")
			b.until(`!document.querySelector(".event")`)
		}},
	}
}

// lists are the sessions, the runs of evals, and the log.
func (c *coast) lists() []surface {
	return []surface{
		{"runs", c.page("runs"), `document.querySelectorAll(".run").length > 5`, nil},
		{"runs-found", c.page("runs?q=lamp"), `document.querySelectorAll(".run").length > 2`, nil},
		{"runs-none", c.page("runs?q=zzz"), `document.body.innerText.includes("No session fits")`, nil},
		{"runs-evals", c.page("runs/evals"), `document.querySelectorAll(".run").length > 2`, nil},
		{"evals", c.page("evals"), `document.querySelector(".case")`, nil},
		{"evals-case", c.page("evals"), `document.querySelector(".case")`, func(b *tab) {
			b.press(`[...document.querySelectorAll(".case-name")].find((el) => el.innerText.includes("knots"))`)
			b.until(`document.querySelector(".evals-about")`)
		}},
		{"evals-run", c.page("evals/" + c.run), `document.querySelectorAll(".result").length > 5`, nil},
		{"evals-failed", c.page("evals/" + c.run + "?case=coast%2Fknots"), `document.querySelector(".assertion")`, nil},
		{"evals-called", c.page("evals/" + c.run + "?case=coast%2Fobserver"), `document.querySelector(".eval-pane .call")`, func(b *tab) { b.unfold(".eval-pane .call .fold", 0) }},
		{"logs", c.page("logs"), `document.querySelectorAll(".log").length > 10`, nil},
		{"logs-line", c.page("logs"), `document.querySelectorAll(".log").length > 10`, func(b *tab) {
			b.write("Text in the line", "the tool threw")
			b.press(`[...document.querySelectorAll(".log-line")].at(-1)`)
			b.until(`document.querySelector(".event-body pre")`)
		}},
		{"logs-none", c.page("logs"), `document.querySelectorAll(".log").length > 10`, func(b *tab) {
			b.write("Text in the line", "zzz")
			b.sees("No line fits")
		}},
	}
}

// records are what was made, what is planned, and what was spent.
func (c *coast) records() []surface {
	made := func(title string) string {
		for whole, id := range c.made {
			if strings.HasPrefix(whole, title) {
				return c.page("artifacts/" + id)
			}
		}
		c.t.Fatalf("there is no artifact %q", title)
		return ""
	}
	shown := `document.querySelector(".facts")`
	return []surface{
		{"artifacts", c.page("artifacts"), `document.querySelectorAll(".made-row").length > 5`, nil},
		{"artifact-table", made("Wind at every"), shown + ` && document.querySelector(".made-text")`, nil},
		{"artifact-markdown", made("Notes of"), shown + ` && document.body.innerText.includes("burned")`, nil},
		{"artifact-image", made("Chart"), shown + ` && document.querySelector(".made-image img")?.naturalWidth === 96`, nil},
		{"artifact-drawing", made("A drawing"), shown + ` && document.body.innerText.includes("circle")`, nil},
		{"artifact-record", made("Verdict"), shown, nil},
		{"artifact-bytes", made("Звук"), shown, nil},
		{"artifact-gone", c.page("artifacts/art_00000000000000000000000000"), `document.body.innerText.includes("There is no such artifact")`, nil},
		{"schedules", c.page("schedules"), `document.body.innerText.includes("Look at the horn")`, nil},
		{"schedules-fired", c.page("schedules"), `t.control("Run sweep now")`, func(b *tab) {
			b.click("Run sweep now")
			b.sees("It ran")
			b.click("Run call_the_pilot")
			b.sees("the pilot's number")
		}},
		{"costs", c.page("costs"), `document.querySelector(".tile")`, nil},
		{"costs-end", c.page("costs"), `document.querySelector(".tile")`, func(b *tab) { b.end() }},
	}
}

// end scrolls the view to its end.
func (b *tab) end() {
	b.t.Helper()
	value[bool](b, `(document.querySelector("#main").scrollTop = 1e6, true)`)
	b.settle()
}

// parts are the states of the agent's own page.
func (c *coast) parts() []surface {
	whole := `document.querySelectorAll(".part").length > 3`
	try := func(word string) func(b *tab) {
		return func(b *tab) {
			b.press(`t.controls().find((el) => t.name(el).startsWith("Try ") && t.name(el).includes(%s))`, word)
			b.until(`document.querySelector("dialog[open]")`)
		}
	}
	return []surface{
		{"agent", c.page("agent"), whole, nil},
		{"agent-tool", c.page("agent"), whole, func(b *tab) { b.unfold(".part .fold", 0) }},
		{"agent-end", c.page("agent"), whole, func(b *tab) { b.end() }},
		{"try-body", c.page("agent"), whole, try("/count")},
		{"try-path", c.page("agent"), whole, try(":gauge")},
		{"try-answer", c.page("agent"), whole, func(b *tab) {
			try("/tide")(b)
			b.write("Query", "Skerry")
			b.press(`document.querySelector("dialog button[type=submit]")`)
			b.until(`document.querySelector(".try-answer")`)
		}},
	}
}

// pages are those around the playground.
func (c *coast) pages() []surface {
	ready := `document.querySelector("main h1") && document.querySelector("[role=search] input")`
	find := func(words, until string) func(b *tab) {
		return func(b *tab) {
			b.press(`document.querySelector("[role=search] input")`)
			b.types(words)
			b.until(until)
		}
	}
	return []surface{
		{"index", c.origin + "/", `document.body.innerText.includes("attic")`, nil},
		{"docs", c.origin + "/docs", ready, nil},
		{"docs-page", c.origin + "/docs/http", ready, nil},
		{"docs-code", c.origin + "/docs/tools#options", ready, nil},
		{"docs-found", c.origin + "/docs/playground", ready, find("approval", `document.querySelector("[role=search] [role=option]")`)},
		{"docs-none", c.origin + "/docs/playground", ready, find("zzzz", `document.querySelector("[role=search]").innerText.includes("Nothing has")`)},
		{"docs-missing", c.origin + "/docs/zzz", ready, nil},
	}
}

// empty are the views of an agent in which nothing ever happened.
func (c *coast) empty() []surface {
	var all []surface
	for _, view := range []string{"chat", "runs", "runs/evals", "evals", "artifacts", "schedules", "agent", "costs", "trace"} {
		all = append(all, surface{"empty-" + strings.ReplaceAll(view, "/", "-"), c.attic(view), `document.querySelector("main h1, main .empty, main .hello")`, nil})
	}
	return all
}

package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// "A timeline (waterfall) of turn, steps, tools, subagents with durations, tokens and cost":
// what took hours is told from what worked, and what failed is a click away.
func TestTrace_OfATurnWithEverything(t *testing.T) {
	t.Parallel()
	h, ids := told(t, review(t))
	b := newTab(t)
	b.open(h.page("trace/" + ids[0]))
	b.until(`document.querySelector(".trace-sums").innerText.includes("1 failure")`)
	b.until(`/waited 3 h 12 min/.test(document.querySelector(".trace-sums").innerText) && document.querySelector(".trace-sums").innerText.includes("$0.03")`)
	b.until(`document.querySelector(".gap-label").innerText === "3h 12m"`)

	b.press(`document.querySelector(".trace-sums button")`)
	b.until(rowsAre(`notify`))
	b.press(rowOf("notify"))
	b.until(`document.querySelector("aside.pane").innerText.includes("slack: 503 service unavailable")`)
	b.click("Look from here")
	b.until(`location.hash.includes("at=") && document.querySelector(".trace-sums").innerText.startsWith("at event")`)
	b.rewrite("grep", `t.control("Find rows")`)
	b.until(rowsAre(`security`, `grep`))
	b.rewrite("nobody", `t.control("Find rows")`)
	b.until(spans + `.length === 0`)
	b.rewrite("", `t.control("Find rows")`)
	b.click("Now")
	b.until(`!location.hash.includes("at=") && document.querySelector(".trace-sums").innerText.includes("waited")`)
}

// spans are the rows that the timeline shows.
const spans = `[...document.querySelectorAll(".chart-rows .tr[aria-level]")]`

// rowOf finds the row of a span.
func rowOf(name string) string {
	return fmt.Sprintf(spans+`.find((r) => r.innerText.includes(%q))`, name)
}

// rowsAre holds when a turn's row is shown, and below it one for each of these, in order.
func rowsAre(names ...string) string {
	return fmt.Sprintf(`((rows, names) => rows.length === names.length + 1 && names.every((n, i) => rows[i + 1].innerText.includes(n)))(%s, %q.split(" "))`, spans, strings.Join(names, " "))
}

// The time between turns takes no place, and of many turns the newest is open.
func TestTrace_OfManyTurns(t *testing.T) {
	t.Parallel()
	many := newTale(t, "Many turns")
	for n := range 30 {
		id := fmt.Sprint("k", n)
		many.ask(time.Duration(n*n)*time.Minute, fmt.Sprintf("question %d.", n)).step(1, time.Second, "", many.call(id, "look", map[string]any{"n": n})).result(200*time.Millisecond, id, "look", n).step(2, 800*time.Millisecond, "The answer.").done(0.002)
	}
	h, ids := told(t, many)
	b := newTab(t)
	b.look(phone, "light")
	b.open(h.page("trace/" + ids[0]))
	b.until(rowOf("question 29.") + `?.getAttribute("aria-expanded") === "true"`)
	b.until(rowOf("question 28.") + `?.getAttribute("aria-expanded") === "false"`)
	b.until(`document.querySelectorAll(".gap").length > 5`)
	b.press(`document.querySelector("input[type=range]")`) // the finger is in the middle of it
	b.until(`/at=\d+/.test(location.hash)`)
	at := value[int](b, `Number(/at=(\d+)/.exec(location.hash)[1])`)
	if last := len(many.all) - 1; at < last/3 || at > last*2/3 {
		t.Errorf("the middle of the scrubber is event %d of %d", at, last)
	}
	b.until(`!` + rowOf("question 29."))
}

// A turn of 500 steps: few nodes, and what failed in it is found.
func TestTrace_OfManySteps(t *testing.T) {
	t.Parallel()
	long := newTale(t, "500 steps").ask(0, "Work through all 500")
	for n := range 500 {
		id := fmt.Sprint("k", n)
		long.step(n+1, 400*time.Millisecond, fmt.Sprintf("Now number %d.", n), long.call(id, "look", map[string]any{"n": n}))
		if n%90 == 89 {
			long.fails(300*time.Millisecond, id, "look", "tool_error", fmt.Sprintf("there is no number %d", n))
		} else {
			long.result(300*time.Millisecond, id, "look", n)
		}
	}
	long.step(501, time.Second, "Done.").done(1.23)
	h, ids := told(t, long)
	b := newTab(t)
	b.open(h.page("trace/" + ids[0]))
	b.until(`document.querySelector(".trace-sums").innerText.includes("5 failures") && ` + spans + `.length > 5`)
	if n := value[int](b, `document.querySelectorAll("*").length`); n >= 2000 {
		t.Errorf("%d nodes", n)
	}
	b.press(`document.querySelector(".trace-sums button")`)
	b.until(rowsAre("look", "look", "look", "look", "look"))
	b.rewrite("no number 449 tool_error", `t.control("Find rows")`)
	b.until(rowsAre("look"))
	b.press(rowOf("look"))
	b.until(`document.querySelector("aside.pane").innerText.includes("there is no number 449")`)
}

// What a person looks at and is about to press stays where it is while the session goes on.
func TestTrace_StaysWhileTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/switchboard")
	h.start()
	b := newTab(t)
	b.open(h.page("chat"))
	b.says("wait ada")
	b.sees("Waiting for ada.")
	id := b.session()
	b.views("Trace")
	b.press(rowOf("wait"))
	b.until(`document.querySelector("aside.pane .value")`)
	value[bool](b, `(globalThis.kept = [document.querySelector(".trace-sums"), document.querySelector("aside.pane h2"), document.querySelector("aside.pane .value"), document.querySelector("aside.pane .pairs a")], true)`)
	took := value[string](b, `document.querySelector(".trace-sums").innerText`)
	h.ask("PATCH", "/v1/session/"+id, map[string]any{"title": "Another title"})
	b.until(`document.querySelector("main h1").innerText === "Another title" && document.querySelector(".trace-sums").innerText !== %s`, took)
	if !value[bool](b, `kept.every((el) => el.isConnected)`) {
		t.Errorf("after an event some of what was looked at is made anew: %v", value[[]bool](b, `kept.map((el) => el.isConnected)`))
	}
}

package browser

import (
	"strings"
	"sync"
	"testing"
)

// ready holds when the card's call can be decided.
const ready = `t.control("Approve") && !t.control("Approve").disabled`

// Of two people who decide at once one wins, the other is told, and the call is made once or
// not at all.
func TestDecision_OfTwoAtOnceOneWins(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.talk("merge 7")
	yes, no := newTab(t), newTab(t)
	for _, b := range []*tab{yes, no} {
		b.expect(`was answered 409|status of 409`)
		b.open(h.page("chat/" + id))
		b.until(ready)
	}
	var both sync.WaitGroup
	both.Go(func() { yes.click("Approve") })
	both.Go(func() { no.click("Deny") })
	both.Wait()
	if t.Failed() {
		return
	}
	log := strings.Join(h.read(id, func(line string) bool { return typeOf(t, line) == "session.waiting" }), "\n")
	if n := strings.Count(log, `"type":"input.resolved"`); n != 1 {
		t.Errorf("the call was decided %d times:\n%s", n, log)
	}
	said, outcome := [2]string{"You denied it.", "It was denied by"}, "Not merged."
	first, second := no, yes
	if strings.Contains(log, `"decision":"approve"`) {
		said, outcome = [2]string{"You approved it.", "It was approved by"}, "Merged #7"
		first, second = yes, no
	}
	first.until(`document.querySelector(".approval")?.innerText.includes(%s)`, said[0])
	second.until(`document.querySelector(".approval")?.innerText.includes(%s)`, said[1])
	for _, b := range []*tab{yes, no} {
		b.sees(outcome)
		b.until(`!t.control("Approve") && !t.control("Deny")`)
	}
}

// "Deny" with a reason: the model is told it, and the call is not made.
func TestDecision_AReasonReachesTheModel(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.page("chat"))
	b.says("merge 7")
	b.until(ready)
	b.write("Reason", "not before <b>noon</b>")
	b.click("Deny")
	b.sees("You denied it.")
	b.until(`[...document.querySelectorAll(".reply")].at(-1).innerText.includes("Not merged.") && [...document.querySelectorAll(".reply")].at(-1).innerText.includes("not before <b>noon</b>")`)
	b.press(`document.querySelector(".call .fold")`)
	b.until(`document.querySelector(".call-in").innerText.includes("Denied by local: not before <b>noon</b>")`)
	b.click("New chat")
	b.says("what is open?")
	b.sees("3 open:")
}

// An approval that runs out while somebody looks at it says so, and can no longer be given.
func TestDecision_RunsOut(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/switchboard")
	h.start()
	b := newTab(t)
	b.open(h.page("chat"))
	b.says("put ada through")
	b.until(`/expires in [123] s/.test(document.querySelector(".approval-head").innerText)`)
	b.until(`document.querySelector(".approval").innerText.includes("Nobody decided in time: it was denied")`)
	b.until(`!t.control("Approve") && !t.control("Deny")`)
	b.sees("the approval expired before anybody decided")
	b.click("Close")
	b.until(`!document.querySelector(".approval")`)
	b.says("hello")
	b.sees("You said: hello")
}

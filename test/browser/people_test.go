package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// "A page opened on a LAN address without a token shows only the token field", and works
// with the token, which stands in no address and in no storage but the tab's.
func TestToken_IsAskedForElsewhere(t *testing.T) {
	t.Parallel()
	const secret = "a-long-enough-secret-of-a-test"
	h := prepare(t, "../projects/pr-reviewer", "--bearer-token", secret)
	h.start()
	b := newTab(t)
	b.expect(`401|Cross-Origin-Opener-Policy header has been ignored`) // which plain HTTP cannot have elsewhere
	b.open("http://bdk.example" + h.page("chat")[len("http://127.0.0.1"):])
	b.sees("This host wants a token")
	if n := value[[]string](b, `t.controls().map(t.name).filter((n) => n !== "Skip to the view")`); len(n) != 2 || n[0] != "Token" || n[1] != "Use" {
		t.Errorf("without a token the page shows %q", n)
	}
	b.snap("token")
	b.write("Token", "not the token")
	b.enter()
	b.sees("This host wants a token")
	b.rewrite(secret, `t.control("Token")`)
	b.click("Use")
	b.sees("PR reviewer")
	b.write("Message", "hello")
	b.enter()
	b.sees("I look after the pull requests")
	b.changesToken(h, secret)
	if bad := holding(b.asked(), secret); len(bad) > 0 {
		t.Errorf("the token stands in %q", bad)
	}
	if value[bool](b, `location.href.includes(%s) || JSON.stringify(localStorage).includes(%s) || document.cookie !== ""`, secret, secret) {
		t.Error("the token is kept where others can read it")
	}
}

// changesToken starts the host with another token: the tab asks for that, and goes on where
// it was.
func (b *tab) changesToken(h *host, before string) {
	b.t.Helper()
	const now = "another-long-enough-secret"
	at := value[string](b, `location.hash`)
	b.expect(`ERR_|was answered 503`)
	h.kill()
	h.args = []string{"--bearer-token", now}
	h.start()
	b.sees("It does not admit this one.")
	b.until(`!document.body.innerText.includes("I look after the pull requests") && t.control("Token").value === %s`, before)
	b.rewrite(now, `t.control("Token")`)
	b.enter()
	b.until(`location.hash === %s && document.body.innerText.includes("I look after the pull requests")`, at)
	b.says("what is open?")
	b.sees("3 open:")
}

// "Several tabs agree": what one decides the other shows, and can no longer decide.
func TestApproval_TwoTabsAgree(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	id := h.talk("merge 7")
	one, two := newTab(t), newTab(t)
	for _, b := range []*tab{one, two} {
		b.open(h.page("chat/" + id))
		b.until(`t.control("Approve") && !t.control("Approve").disabled`)
	}
	one.click("Approve")
	for _, b := range []*tab{one, two} {
		b.sees("Merged #7")
		b.until(`!t.control("Approve")`)
	}
	two.until(`document.querySelector(".approval")?.innerText.includes("It was approved") ?? true`)
}

// S19: "second click approves the next card": a double click decides one call, and leaves
// the next one as it was.
func TestApproval_SecondClickMeetsNothing(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	id := h.talk("ask the first one")
	b := newTab(t)
	b.open(h.page("chat/" + id))
	b.until(`t.control("Approve") && !t.control("Approve").disabled`)
	at := value[[]float64](b, `t.aim(() => t.control("Approve"))`)
	b.sees("expires in 59 min") // of the hour that the project gives
	b.point(at[0], at[1])
	for n := range 4 {
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(n+1)),
			chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(n+1)))
	}
	b.sees("You approved it")
	b.settle()
	left := h.ask("GET", "/v1/session/"+id+"/approvals", nil)["approvals"].([]any)
	if len(left) != 1 {
		t.Errorf("after a fourfold click %d calls wait, want 1", len(left))
	}
	b.click("Next approval")
	b.sees("the other one")
	b.click("Deny")
	b.sees("Both are decided")
}

// "Keyboard … use": a message is sent, a call approved and the trace opened without a pointer.
func TestKeyboard_Alone(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	b.open(h.page("chat"))
	b.until(`t.control("Message")`)
	b.tabTo("Message")
	b.types("merge 7")
	b.enter()
	b.until(`t.control("Approve") && !t.control("Approve").disabled`)
	b.tabTo("Approve")
	b.enter()
	b.sees("Merged #7")
	b.settle()
	b.tabTo("Trace")
	b.enter()
	b.until(`location.hash.startsWith("#/trace/")`)
	b.sees("merge_pr")
}

// tabTo presses the Tab key until the focus is on the control of a name.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	for range 80 {
		if value[bool](b, `document.activeElement !== document.body && t.name(document.activeElement).startsWith(%s)`, name) {
			return
		}
		b.types("\t")
	}
	b.t.Fatalf("the Tab key does not come to %s", name)
}

package browser

import "testing"

// The surfaces of a host that is far, or gone: the token field, a token that is refused,
// and a conversation that lost its stream.
func TestSurfaces_OfAHostThatIsFarOrGone(t *testing.T) {
	t.Parallel()
	far := prepare(t, "../projects/pr-reviewer", "--bearer-token", "a-long-enough-secret-of-a-test")
	far.start()
	asks := `document.body.innerText.includes("This host wants a token")`
	gate := surface{"gate", "http://bdk.example" + far.page("chat")[len("http://127.0.0.1"):], asks, nil}
	refused := gate
	refused.name, refused.do = "gate-refused", func(b *tab) {
		b.write("Token", "not the token")
		b.enter()
		b.sees("does not admit this one")
	}
	gone := sample(t, "pr-reviewer")
	lost := surface{"reconnecting", gone.page("chat/" + gone.talk("review 7")), `document.body.innerText.includes("Verdict")`, nil}
	b := newTab(t)
	b.expect(`401|503|ERR_|Cross-Origin-Opener-Policy header has been ignored`)
	for i, s := range []surface{gate, refused} {
		b.held(s, i)
	}
	b.show(lost, looks[0])
	gone.kill()
	b.sees("connecting again")
	for _, l := range lost.looks(0) {
		b.resize(l.width, l.height, l.scheme)
		b.settle()
		b.snap("reconnecting-" + l.String())
		b.judge(l, rules, map[string]bool{})
	}
}

// held holds a surface in its looks against all rules.
func (b *tab) held(s surface, nth int) {
	b.t.Helper()
	found := map[string]bool{} // once, in whichever look it is seen first
	for _, l := range s.looks(nth) {
		b.show(s, l)
		b.snap(s.name + "-" + l.String())
		b.judge(l, rules, found)
		b.shades(l, found)
		b.walk(l)
	}
	if !*full {
		return
	}
	for _, l := range between {
		b.show(s, l)
		b.snap(s.name + "-" + l.String())
		b.judge(l, layout, found)
	}
	b.forced(s)
}

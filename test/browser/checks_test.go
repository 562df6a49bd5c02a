package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
)

// tokens are the scales of a page that has them.
const tokens = `<style>:root { --s1: 4px; --s2: 8px; --s3: 12px; --s4: 16px; --s5: 24px; --s6: 32px; --s7: 48px; --t-small: 12px; --t-body: 14px; --t-large: 16px; --t-title: 20px; --t-head: 28px; } body { font: 14px sans-serif; }</style>`

// planted are pages with a fault for each rule, and what the rule says of it.
var planted = []struct{ rule, page, want string }{
	{"cut", `<div style="width:50px;overflow:hidden;white-space:nowrap">a text that is cut</div>`, "no ellipsis says so"},
	{"cut", `<div style="width:50px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">a text that is cut</div>`, "nothing tells the rest"},
	{"cut", `<div style="width:5000px">a wide thing</div>`, "px wide in a window of 1280"},
	{"cut", `<div style="position:absolute;left:1270px;white-space:nowrap">a text outside</div>`, "leaves the window"},
	{"cut", `<div style="overflow-y:auto;height:20px"><p>one</p><p>two</p></div>`, "shows 20 px of"},
	{"clipped", `<div style="height:12px;overflow:hidden"><p>a text that is too low</p></div>`, "is cut off by"},
	{"clipped", `<div style="width:30px;overflow:hidden"><p style="white-space:nowrap">a text that is too long</p></div>`, "is cut off by"},
	{"overlaps", `<button style="position:absolute;left:300px;top:300px;width:90px;height:30px">Under</button><button style="position:absolute;left:340px;top:310px;width:90px;height:30px">Above</button>`, `"Under" and button "Above" overlap by 50 × 20 px`},
	{"crossed", `<p style="position:absolute;left:9px;top:9px;margin:0">a text</p><p style="position:absolute;left:20px;top:12px;margin:0">another</p>`, `p "a text" and p "another" lie on each other`},
	{"names", `<button></button>`, `button "" has no name`},
	{"names", `<input type="text" title="x">`, `input "" has no label`},
	{"names", `<i id="x"></i><i id="x"></i>`, "#x stands 2 times"},
	{"names", `<svg role="img" width="20" height="20"></svg>`, "is a picture that says nothing"},
	{"names", `<div aria-hidden="true"><button>x</button></div>`, "takes the focus and is hidden"},
	{"structure", ``, "there are 0 mains"},
	{"structure", ``, "says no language"},
	{"structure", ``, "has no title"},
	{"structure", `<main><h1>One</h1><h1>Two</h1></main>`, "there are 2 h1"},
	{"structure", `<main><h1>One</h1><h3>Three</h3></main>`, `h3 "Three" comes after`},
	{"structure", `<main>x</main><p>Outside</p>`, `p "Outside" stands in no landmark`},
	{"structure", `<nav>one</nav><nav>two</nav>`, "is one of several and has no name"},
	{"contrast", `<p style="color:#999;background:#fff">a pale text</p>`, `"a pale text" has a contrast of 2.85`},
	{"contrast", `<p style="opacity:0.4;background:#fff">a faded text</p>`, `"a faded text" has a contrast of`},
	{"contrast", `<style>::placeholder { color: #aaa }</style><input aria-label="x" placeholder="pale">`, "::placeholder has a contrast of"},
	{"edges", `<input aria-label="x" style="border:1px solid #ddd;background:#fff">`, "has an edge with a contrast of"},
	{"edges", `<button style="background:#fff"><svg width="20" height="20" style="color:#ccc"></svg></button>`, "has a sign with a contrast of"},
	{"scales", `<p style="font-size:13px">odd letters</p>`, "letters of 13 px"},
	{"scales", `<p style="padding:7px">odd room</p>`, "padding-left of 7 px"},
	{"scales", `<h4>with the browser's own margin</h4>`, "margin-top of"},
	{"targets", `<a href="#a" style="display:block;width:10px;height:10px;overflow:hidden">a</a><a href="#b" style="display:block;width:10px;height:10px;overflow:hidden">b</a>`, "10.0 × 10.0 px and too near to"},
	{"still", `<style>@keyframes on { to { opacity: 0 } } p::after { content: "x"; animation: on 9s infinite }</style><p>x</p>`, "::after moves"},
	{"still", `<p style="transition:color 1s">x</p>`, "has a transition"},
	{"marked", `<p><a href="#a" aria-current="page">a</a> <a href="#b">b</a></p>`, "is chosen and looks as"},
}

// The checks of the surfaces can fail: each finds the fault that is planted for it.
func TestChecks_FindWhatIsPlanted(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.open("about:blank")
	for _, p := range planted {
		value[bool](b, `(document.body.innerHTML = %s, true)`, tokens+p.page)
		if found := strings.Join(value[[]string](b, `checks[%s]()`, p.rule), "\n"); !strings.Contains(found, p.want) {
			t.Errorf("%s does not say %q of %s:\n%s", p.rule, p.want, p.page, found)
		}
	}
}

// And the walk through a page finds a focus that nobody sees, and one that goes back.
func TestChecks_FollowTheFocus(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.open("about:blank")
	for page, want := range map[string]string{
		`<style>:focus { outline: none }</style>`:                              "nobody sees that the focus is on",
		`<style>:focus { outline: 2px solid #ddd }</style>`:                    "has a contrast of",
		`<style>div { display: flex; flex-direction: row-reverse }</style>`:    "the focus goes back from",
		`<style>div { display: flex; flex-direction: column-reverse }</style>`: "the focus goes back from",
		`<p style="position:fixed;inset:0;margin:0;background:#fff">cover</p>`: "and is covered by",
	} {
		value[bool](b, `(document.body.innerHTML = %s, checks.begin())`, page+`<div><button>One</button><button>Two</button><button>Three</button></div>`)
		var found []string
		for range 3 {
			b.types("\t")
			found = append(found, value[[]string](b, `checks.focus() ?? []`)...)
		}
		if all := strings.Join(found, "\n"); !strings.Contains(all, want) {
			t.Errorf("the walk does not say %q of %s:\n%s", want, page, all)
		}
	}
}

// What is drawn by its colour alone is found where a person chose the colours.
func TestChecks_FindWhatForcedColoursHide(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.open("about:blank")
	b.media("light")
	value[bool](b, `(document.body.innerHTML = %s, true)`, `<main><div class="bar" style="width:40px;height:9px;background:#3c4fcf"></div><div class="kept" style="width:40px;height:9px;background:#3c4fcf;border:1px solid #3c4fcf"></div></main>`)
	drawn := value[[]int](b, `checks.drawn()`)
	b.media("light", emulation.MediaFeature{Name: "forced-colors", Value: "active"})
	if gone := value[[]string](b, `checks.gone(%s)`, drawn); len(gone) != 1 || !strings.HasPrefix(gone[0], "div.bar") {
		t.Errorf("of %v these are gone: %q", drawn, gone)
	}
}

// What a page does wrong is heard: an exception, an error in the console, a refusal of the
// policy, an answer that is none.
func TestTab_HearsFaults(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	b := newTab(t)
	for script, want := range map[string]string{
		`setTimeout(() => { throw new Error("planted exception") })`: "planted exception",
		`console.error("planted error")`:                             "planted error",
		`fetch("/v1/planted")`:                                       "was answered 404",
		`document.head.append(Object.assign(document.createElement("style"), { textContent: "p {}" }))`: "Content Security Policy",
		`document.body.setAttribute("style", "color: red")`:                                             "Content Security Policy",
		`try { document.createElement("b").innerHTML = "<i>planted</i>" } catch {}`:                     "TrustedHTML",
		`fetch("http://attacker.example/").catch(() => 0)`:                                              "Content Security Policy",
	} {
		b.open(h.page("chat"))
		b.settle()
		b.faults()
		value[bool](b, `(`+"() => {"+script+"}"+`)() || true`)
		if !b.hears(want) {
			t.Errorf("%s is not heard", script)
		}
	}
}

// hears waits until a fault holds a text, and takes all that there are.
func (b *tab) hears(text string) bool {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); {
		if strings.Contains(strings.Join(b.faults(), "\n"), text) {
			return true
		}
		value[bool](b, `new Promise((done) => setTimeout(() => done(true), 20))`)
	}
	return false
}

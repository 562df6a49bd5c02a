package browser

import (
	"strings"
	"testing"
	"time"
)

// planted is a page with a fault for each rule, and what the rule says of it.
const planted = `<style>:root { --s1: 4px; --s2: 8px; --s3: 12px; --s4: 16px; --s5: 24px; --s6: 32px; --s7: 48px; --t-small: 12px; --t-body: 14px; --t-large: 16px; --t-title: 20px; --t-head: 28px; } body { font: 14px sans-serif; }</style>
<div style="width:50px;overflow:hidden;white-space:nowrap">a text that is cut</div>
<div style="width:5000px">a wide thing</div>
<button style="position:absolute;left:300px;top:300px;width:90px;height:30px">Under</button>
<button style="position:absolute;left:340px;top:310px;width:90px;height:30px">Above</button>
<button></button><input type="text" title="x">
<h3>The wrong level</h3>
<p style="color:#999;background:#fff">a pale text</p>
<p style="font-size:13px">odd letters</p>
<p style="padding:7px">odd room</p>
<a href="#a" style="display:block;width:10px;height:10px;overflow:hidden;font-size:12px" aria-label="a">a</a>
<a href="#b" style="display:block;width:10px;height:10px;overflow:hidden;font-size:12px" aria-label="b">b</a>`

// The checks of the surfaces can fail: each finds the fault that is planted for it.
func TestChecks_FindWhatIsPlanted(t *testing.T) {
	b := newTab(t)
	b.open("about:blank")
	value[bool](b, `(document.body.innerHTML = %s, true)`, planted)
	for rule, wants := range map[string][]string{
		"cut":       {"is cut off", "the page is"},
		"overlaps":  {`"Under" and button "Above" overlap by 50 × 20 px`},
		"names":     {`button "" has no name`, `input "" has no label`},
		"structure": {"there are 0 mains", "there is no h1", "says no language", "has no title"},
		"contrast":  {`"a pale text" has a contrast of 2.85`},
		"scales":    {"letters of 13 px", "padding-left of 7 px"},
		"targets":   {"10.0 × 10.0 px and too near to"},
	} {
		found := strings.Join(value[[]string](b, `checks[%s]()`, rule), "\n")
		for _, want := range wants {
			if !strings.Contains(found, want) {
				t.Errorf("%s does not say %q:\n%s", rule, want, found)
			}
		}
	}
}

// What a page does wrong is heard: an exception, an error in the console, a refusal of the
// policy, an answer that is none.
func TestTab_HearsFaults(t *testing.T) {
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

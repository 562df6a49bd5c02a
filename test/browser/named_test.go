package browser

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// named writes a hostile text into everything that an author calls something.
func (h *host) named(text string) {
	h.t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		h.t.Fatal(err)
	}
	q := string(quoted)
	for file, change := range map[string][]string{
		"bot/agent.ts":          {`"Mirror"`, q, `"Gives back what it gets."`, q},
		"bot/channels/ops.ts":   {`"Gives back what it gets."`, q, `"Repeats a text"`, q, `text: { type: "string" }`, `text: { type: "string", description: ` + q + `, enum: undefined }, ` + q + `: { type: "string", description: ` + q + ` }`},
		"bot/tools/echo.ts":     {`"Gives back a text, and keeps it wherever a text can be kept."`, q, `text: { type: "string" }`, `text: { type: "string", description: ` + q + ` }, ` + q + `: { type: "string" }`},
		"evals/back.eval.ts":    {"description: hostile", "tags: [" + q + "], description: " + q},
		"bot/schedules/tick.md": nil,
		"bot/skills/look.md":    nil,
	} {
		path := filepath.Join(h.dir, filepath.FromSlash(file))
		b, err := os.ReadFile(path)
		if err != nil && change != nil {
			h.t.Fatal(err)
		}
		made := strings.NewReplacer(change...).Replace(string(b))
		switch file {
		case "bot/schedules/tick.md":
			made = "---\ncron: \"0 0 1 1 *\"\n---\n" + text
		case "bot/skills/look.md":
			made = "---\ndescription: " + q + "\n---\n" + text
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			h.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
			h.t.Fatal(err)
		}
	}
}

// S18, for what an author or an author's dependency names: the index, the agent's own view,
// commands, routes to try, cases, and the window's title.
func TestCorpus_InEveryName(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.named(hostile[0] + "</title></script>" + turned)
	h.start()
	b := newTab(t)
	b.open(h.origin + "/")
	b.sees("<img src=x onerror")
	b.harmless("the index")
	b.turnsNothing("the index")
	for _, view := range []string{"agent", "evals", "schedules", "chat"} {
		b.open(h.page(view))
		b.until(`document.querySelector("main").innerText.length > 10 && document.title.includes("<img src=x onerror")`)
		b.settle()
		b.unfoldAll()
		b.harmless(view)
		b.turnsNothing(view)
	}
	b.write("Message", "/")
	b.until(`document.querySelectorAll("#commands [role=option]").length > 2`)
	b.harmless("the list of commands")
	b.turnsNothing("the list of commands")
	b.types("help")
	b.enter()
	b.sees("Try …")
	b.turnsNothing("help")
	b.press(`[...document.querySelectorAll("main button")].find((x) => x.innerText === "Try …")`)
	b.until(`document.querySelector("dialog[open]")`)
	b.harmless("a route to try")
	b.turnsNothing("a route to try")
}

// "?at=" and every other parameter of an address is a text, a number or nothing; what is in a
// link that somebody sends is not run, not asked of the host as another path, and stops nothing.
func TestAddresses_AreTexts(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	id := h.talk("hello")
	b := newTab(t)
	b.expect(`was answered 40[04]|status of 40[04]|ERR_ABORTED`)
	for _, text := range []string{hostile[0] + turned, "javascript:window.__xss=1", "../../v1/logs", "..", ".", "%2e%2e", "-1", "1e999", "NaN", "99999999999999999999", "__proto__", "%", "%zz", strings.Repeat("z", 5000)} {
		q := url.QueryEscape(text)
		for _, at := range []string{
			"chat/" + q, "chat/" + text, "trace/" + id + "?at=" + q + "&turn=" + q + "&q=" + q, "raw/" + id + "?at=" + q + "&type=" + q + "&q=" + q, "runs?q=" + q + "&status=" + q + "&purpose=" + q, "runs/evals?q=" + q,
			"artifacts?q=" + q + "&kind=" + q + "&session=" + q, "artifacts/" + q, "evals/" + q + "?case=" + q + "&with=" + q, q + "/" + q, text,
		} {
			b.open(h.url + "/playground#/" + at)
			b.until(`document.querySelector("main").innerText.length > 3`)
			b.harmless(at)
			b.turnsNothing(at)
		}
	}
	agent := strings.TrimPrefix(h.url, h.origin)
	for _, asked := range b.asked() {
		if u, err := url.Parse(asked); err == nil && u.Host != "" && !strings.HasPrefix(u.Path, agent+"/") && u.Path != "/v1/agents" {
			t.Errorf("the page asked %s", asked)
		}
		if u, err := url.Parse(asked); err == nil && u.Path == agent+"/v1/logs" {
			t.Errorf("a link made the page ask %s", asked)
		}
	}
}

// The search of the documentation shows what was asked, and what an address asks for, as text.
func TestCorpus_InTheSearchOfTheDocs(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	h.start()
	b := newTab(t)
	b.expect(`was answered 404|status of 404`)
	for _, text := range []string{hostile[0], hostile[1], "tools" + hostile[2], "\\w+(a+)+$", "__proto__ constructor"} {
		b.open("about:blank")
		b.open(h.origin + "/docs")
		b.until(`t.control("Search the documentation")`)
		b.write("Search the documentation", text)
		b.until(`document.querySelector(".hits") && !document.querySelector(".hits").hidden`)
		b.settle()
		b.harmless("the search")
		if made := value[int](b, `document.querySelectorAll(".finder img, .finder script, .finder svg, .finder iframe").length`); made > 0 {
			t.Errorf("%q became %d elements", text, made)
		}
		b.open(h.origin + "/docs/" + url.PathEscape(text))
		b.sees("No such page")
		b.settle()
		b.harmless("a page that is not there")
	}
}

package transport

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gobdk/bdk/transport/playground"
)

// "In multi-agent mode, each agent has its own playground, and / lists them all."
func TestIndex_Links(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) {
		o.Playground = playground.New()
		o.Docs = http.NotFoundHandler()
	})
	page := c.do("GET", "/", "").body
	for _, want := range []string{`href="http://` + c.addr + `/bot/playground"`, `href="http://` + c.addr + `/other/playground"`, `href="/docs"`, `href="/v1/agents"`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in\n%s", want, page)
		}
	}
	if page := w.serve(nil).do("GET", "/", "").body; strings.Contains(page, "playground") || strings.Contains(page, "/docs") {
		t.Error("what is not served is not linked to:", page)
	}
}

// What an agent is made of is told to who needs no token, and to nobody else: "They hold no
// data".
func TestIndex_TellsWhatAgentsAreMadeOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.host.Agent("bot")
	want := madeOf(a, w.host.ModelName(a))
	if !strings.Contains(want, w.host.ModelName(a)) || !strings.Contains(want, " tool") {
		t.Fatalf("the agent is made of %q", want)
	}
	if page := w.serve(nil).do("GET", "/", "").body; !strings.Contains(page, want) {
		t.Errorf("%q is missing in\n%s", want, page)
	}
	guarded := w.serve(func(o *Options) { o.BearerToken = "a-long-enough-secret-of-a-test" })
	if page := guarded.do("GET", "/", "").body; strings.Contains(page, want) || !strings.Contains(page, "/bot/v1/info") {
		t.Errorf("a stranger is told what the agent is made of:\n%s", page)
	}
}

// The pages without a script look like the playground: their values are its.
func TestIndex_HasThePlaygroundsValues(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("playground/web/style/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	token := regexp.MustCompile(`(--[a-z0-9-]+):\s*([^;}]+)`)
	values := func(css string) map[string]string {
		m := map[string]string{}
		light, dark, _ := strings.Cut(css, "@media (prefers-color-scheme: dark)")
		dark, _, _ = strings.Cut(dark, "}")
		for name, part := range map[string]string{"light ": light, "dark ": dark} {
			for _, t := range token.FindAllStringSubmatch(part, -1) {
				m[name+t[1]] = strings.TrimSpace(t[2])
			}
		}
		return m
	}
	theirs, ours := values(string(text)), values(indexStyle)
	if len(ours) < 30 {
		t.Errorf("there are only %d values", len(ours))
	}
	for name, value := range ours {
		if theirs[name] != value {
			t.Errorf("%s is %q, and %q in the playground", name, value, theirs[name])
		}
	}
}

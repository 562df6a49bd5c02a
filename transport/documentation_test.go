package transport

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport/docs"
	"github.com/gobdk/bdk/transport/playground"
)

// "`GET /docs`, `GET /docs/*`: Documentation site in either layout; no auth", also where
// an agent has a name of the site's.
func TestDocs_InEitherLayout(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{ModeMulti, ModeSingle} {
		w := newWorldOf(t, nil, func(*world) []*agent.Agent {
			return []*agent.Agent{{Slug: "docs", Model: agent.Model{ID: "scripted"}}}
		})
		c := w.serve(func(o *Options) { o.Mode = mode; o.Docs = docs.New(nil); o.BearerToken = "0123456789abcdef" })
		for _, path := range []string{"/docs", "/docs/", "/docs/tools", "/docs/tools.md", "/docs/search.json", "/docs/llms.txt"} {
			if a := c.do("GET", path, ""); a.status != 200 || strings.HasPrefix(a.header.Get("Content-Type"), "application/json") != (path == "/docs/search.json") {
				t.Errorf("%s: %s: %d %s", mode, path, a.status, a.header.Get("Content-Type"))
			}
		}
		for _, path := range []string{"/docs/nothing", "/docs/a/b", "/docs/tools/x.html", "/docs//tools", "/docs/%20"} {
			if a := c.do("GET", path, ""); a.status != 404 || !strings.Contains(a.body, "No such page") {
				t.Errorf("%s: what is not at %s: %d", mode, path, a.status)
			}
		}
		if a := c.do("GET", "/docs/tools/", ""); a.status != 200 || !strings.Contains(a.body, "<h1") {
			t.Errorf("%s: a page with a slash behind it: %d", mode, a.status)
		}
		if a := c.do("GET", map[string]string{ModeMulti: "/docs", ModeSingle: ""}[mode]+"/v1/sessions", "", "authorization", "Bearer 0123456789abcdef"); a.status != 200 {
			t.Errorf("%s: the agent docs answers %d", mode, a.status)
		}
		c.do("POST", "/docs", "").want(t, 405, "method_not_allowed")
	}
}

// The playground of an agent whose slug is docs would stand where a page of the
// documentation does: it has none then, which the log says, and no link leads there.
func TestDocs_HidesAPlayground(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, nil, func(*world) []*agent.Agent {
		return []*agent.Agent{{Slug: "docs", Model: agent.Model{ID: "scripted"}}}
	})
	for mode, hidden := range map[string]bool{ModeMulti: true, ModeSingle: false} {
		var log strings.Builder
		c := w.serve(func(o *Options) {
			o.Mode, o.Docs, o.Playground, o.Logger = mode, docs.New(nil), playground.New(), zerolog.New(&log)
		})
		if strings.Contains(log.String(), "the agent docs has no playground") != hidden {
			t.Errorf("%s: the log is %s", mode, log.String())
		}
		if list := c.do("GET", "/v1/agents", "").body; strings.Contains(list, "playgroundUrl") == hidden {
			t.Errorf("%s: the list is %s", mode, list)
		}
	}
}

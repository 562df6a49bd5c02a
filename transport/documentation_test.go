package transport

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport/docs"
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
		if a := c.do("GET", "/docs/nothing", ""); a.status != 404 || !strings.Contains(a.body, "No such page") {
			t.Errorf("%s: what is not there: %d", mode, a.status)
		}
		c.do("GET", "/docs/a/b", "").want(t, 404, "not_found")
		c.do("POST", "/docs", "").want(t, 405, "method_not_allowed")
	}
}

package transport

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport/docs"
	"github.com/gobdk/bdk/transport/playground"
)

// withPages serves everything that people open in a browser.
func withPages(o *Options) {
	o.Playground, o.Docs, o.Dev = playground.New(), docs.New(&docs.Options{Home: "/"}), true
}

// S18: "strict CSP without unsafe-inline; Trusted Types if possible", S19: "frame-ancestors
// 'none'": on every page, also where something went wrong, and nothing keeps a copy of one
// that may change.
func TestPages_Headers(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(withPages)
	scripted := map[string]bool{"/bot/playground": true, "/docs": true, "/docs/tools": true, "/docs/nothing": true}
	for _, path := range []string{"/", "/bot/playground", "/docs", "/docs/tools", "/docs/nothing", callbackPath, callbackPath + "?state=x&code=y"} {
		for _, method := range []string{"GET", "HEAD"} {
			a := c.do(method, path, "")
			for header, want := range map[string]string{
				"Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
				"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			} {
				if got := a.header.Get(header); got != want {
					t.Errorf("%s %s: %s is %q, want %q", method, path, header, got, want)
				}
			}
			if cache := a.header.Get("Cache-Control"); cache != "no-store" && cache != "no-cache" {
				t.Errorf("%s %s: Cache-Control is %q", method, path, cache)
			}
			checkPolicy(t, path, a.header.Get("Content-Security-Policy"), scripted[path])
		}
	}
}

// checkPolicy holds a Content-Security-Policy to what a page needs.
func checkPolicy(t *testing.T, path, policy string, scripted bool) {
	t.Helper()
	given := map[string]string{}
	for part := range strings.SplitSeq(policy, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), " ")
		given[name] = value
	}
	want := map[string]string{"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'"}
	if scripted {
		want["script-src"], want["connect-src"], want["require-trusted-types-for"], want["trusted-types"] = "'self'", "'self'", "'script'", "'none'"
	} else if given["script-src"] != "" {
		t.Errorf("%s needs no script, and may run %s", path, given["script-src"])
	}
	for name, value := range want {
		if given[name] != value {
			t.Errorf("%s: %s is %q, want %q", path, name, given[name], value)
		}
	}
	if regexp.MustCompile(`unsafe|\*|https?:|data:`).MatchString(policy) {
		t.Errorf("%s: the policy lets in more than its own: %s", path, policy)
	}
}

// What the pages load changes its name with its contents, so it may be kept; what they ask
// for is kept by nobody. Neither is anything that another site could load.
func TestPages_WhatTheyLoad(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(withPages)
	source := regexp.MustCompile(`(?:href|src)="(/[^"]*/assets/[^"]+)"`)
	for page, n := range map[string]int{"/bot/playground": 3, "/docs": 3} {
		found := source.FindAllStringSubmatch(c.do("GET", page, "").body, -1)
		if len(found) < n {
			t.Fatalf("%s loads %q", page, found)
		}
		for _, m := range found {
			a := c.do("GET", m[1], "")
			if a.status != 200 || a.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s: %d %v", m[1], a.status, a.header)
			}
		}
	}
	for _, path := range []string{"/v1/agents", "/v1/health", "/bot/v1/info", "/bot/v1/sessions", "/bot/v1/logs", "/bot/v1/nothing", "/bot/playground/assets/nothing.js", "/nothing"} {
		a := c.do("GET", path, "")
		if a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
	}
	if a := c.do("GET", "/docs/assets/nothing.js", ""); a.status != 404 || a.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("a file of the documentation that is not there: %d %v", a.status, a.header)
	}
}

// "`localDevStrict()` … a tunnel or LAN address won't work until you pass `--bearer-token`":
// who has no token is told by the page neither whose it is nor what it is made of.
func TestPlayground_TellsStrangersNothing(t *testing.T) {
	t.Parallel()
	own := []agent.AuthPolicy{agent.BearerAuth("an-agents-own-long-secret")}
	w := newWorldOf(t, nil, func(w *world) []*agent.Agent {
		return []*agent.Agent{
			{Slug: "bot", Name: "Ledger of Ann", Description: "Keeps the books", Instructions: "Be quiet.", Model: agent.Model{ID: "scripted"}, Tools: w.tools()},
			{Slug: "own", Name: "Ledger of Ann", Model: agent.Model{ID: "scripted"}, Auth: own},
		}
	})
	guarded := w.serve(func(o *Options) { withPages(o); o.Dev, o.BearerToken = false, "a-long-enough-secret-of-a-test" })
	open := w.serve(withPages)
	for what, a := range map[string]answer{
		"with a token":        guarded.do("GET", "/bot/playground", ""),
		"elsewhere":           open.do("GET", "/bot/playground", "", "Host", "192.168.1.20:3000"),
		"by another name":     open.do("GET", "/bot/playground", "", "Host", "rebound.evil.test"),
		"through a tunnel":    open.do("GET", "/bot/playground", "", "X-Forwarded-For", "127.0.0.1"),
		"with auth of itself": open.do("GET", "/own/playground", ""),
	} {
		if a.status != 200 || regexp.MustCompile(`Ledger|books|scripted|echo|quiet`).MatchString(a.body) || !strings.Contains(a.body, "<title>Playground</title>") {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	if a := open.do("GET", "/bot/playground", ""); !strings.Contains(a.body, "<title>Ledger of Ann</title>") {
		t.Errorf("here the page is called\n%s", a.body)
	}
}

// S01, S03: a page whose name leads to this machine, or one of another origin, reads and
// changes nothing, whatever it sends: "require Content-Type application/json (415 otherwise)
// so no 'simple' request works; … GET never changes state".
func TestPages_OfOthersGetNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(withPages)
	for _, rt := range append(agentRoutes(), devRoutes()...) {
		if rt.access == public {
			continue
		}
		path := "/bot" + strings.NewReplacer("{sessionId}", "ses_x", "{callId}", "call_x", "{toolName}", "echo", "{artifactId}", "art_x", "{connectionName}", "open", "{reminderId}", "rem_x", "{scheduleId}", "x", "{runId}", "x").Replace(rt.path)
		c.do(rt.method, path, "", "Host", "rebound.evil.test").want(t, 401, "unauthorized")
		if rt.method == "GET" {
			continue
		}
		for _, headers := range [][]string{{"Origin", "http://evil.test"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
			c.do(rt.method, path, "{}", headers...).want(t, 403, "cross_origin")
		}
	}
	before := c.do("GET", "/bot/v1/sessions", "").body
	for _, path := range []string{"/bot/v1/session", "/bot/v1/render", "/bot/v1/tools/echo", "/bot/v1/mcp", "/bot/v1/mcp/tools"} {
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""} {
			if a := c.do("POST", path, `{"message":"x","markdown":"x","input":{}}`, "Content-Type", "-", "Content-Type", kind); a.status != 415 {
				t.Errorf("%s of %q: %d %s", path, kind, a.status, a.body)
			}
		}
	}
	if after := c.do("GET", "/bot/v1/sessions", "").body; after != before {
		t.Errorf("something was begun: %s", after)
	}
}

// "The slug of an agent is its folder's name …; `v1`, `playground`, `docs`, `metrics` are
// reserved": one that was made in Go may have such a slug, and takes no page of the host.
func TestSlugs_OfTheHostsOwnPaths(t *testing.T) {
	t.Parallel()
	slugs := []string{"v1", "playground", "docs", "metrics", "assets", "health"}
	w := newWorldOf(t, nil, func(*world) []*agent.Agent {
		var all []*agent.Agent
		for _, slug := range slugs {
			all = append(all, &agent.Agent{Slug: slug, Name: "Agent " + slug, Model: agent.Model{ID: "scripted"}})
		}
		return all
	})
	c := w.serve(func(o *Options) {
		withPages(o)
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("measured 1\n")) })
	})
	for path, want := range map[string]string{
		"/": "Agent docs", "/v1/agents": `"slug":"v1"`, "/v1/health": `"status":"ok"`, "/metrics": "measured 1", "/docs": "<h1", "/docs/": "<h1", "/docs/playground": "The playground – bdk", "/docs/tools.md": "# ", "/docs/search.json": `"page":`,
		callbackPath: "Nothing to do",
	} {
		if a := c.do("GET", path, ""); a.status != 200 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %.300s", path, a.status, a.body)
		}
	}
	for _, slug := range slugs {
		if a := c.do("GET", "/"+slug+"/v1/info", ""); a.status != 200 || !strings.Contains(a.body, `"slug":"`+slug+`"`) {
			t.Errorf("the agent %s: %d %s", slug, a.status, a.body)
		}
		c.do("GET", "/"+slug+"/v1/health", "").want(t, 200, "")
		if page := c.do("GET", "/"+slug+"/playground", "").body; strings.Contains(page, `src="/`+slug+`/playground/assets/`) != (slug != "docs") {
			t.Errorf("the playground of %s is\n%.600s", slug, page)
		}
		url := c.base() + "/" + slug + "/playground"
		if listed := strings.Contains(c.do("GET", "/v1/agents", "").body, `"playgroundUrl":"`+url+`"`); listed != (slug != "docs") {
			t.Errorf("%s is listed with a playground: %v", slug, listed)
		}
	}
}

func (c *client) base() string { return "http://" + c.addr }

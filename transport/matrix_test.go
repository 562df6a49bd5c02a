package transport

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Who calls in the matrix.
const (
	owner       = "owner"        // of the session
	stranger    = "stranger"     // is admitted, and owns another session
	operator    = "operator"     // is admitted under --dev, and owns another session
	nobody      = "nobody"       // is not admitted
	foreignPage = "foreign page" // the owner's browser, on a page of another origin
)

var callers = []string{owner, stranger, operator, nobody, foreignPage}

// A decision is what a route answers to each caller, in the order of callers.
type decision [5]int

// open routes hold nothing of a session; whoever is admitted may.
var (
	publicGet = decision{200, 200, 200, 200, 200}
	openGet   = decision{200, 200, 200, 401, 200}
	ownedGet  = decision{200, 403, 200, 401, 200}
)

// decisions has a row for every route. A page of another origin reads nothing,
// though a GET is answered: there are no CORS headers.
var decisions = map[string]decision{
	"GET /":                                           publicGet,
	"GET /v1/agents":                                  publicGet,
	"GET /docs":                                       publicGet,
	"GET /docs/":                                      publicGet,
	"GET /docs/{fileName}":                            publicGet,
	"GET /docs/assets/{fileName}":                     publicGet,
	"GET /metrics":                                    openGet,
	"GET /v1/oauth/callback":                          publicGet,
	"GET /v1/mcp/oauth/{connectionName}":              {200, 200, 200, 401, 200},
	"POST /v1/mcp/oauth/{connectionName}":             {502, 502, 502, 401, 403}, // its server is not there
	"GET /v1/health":                                  publicGet,
	"GET /v1/info":                                    openGet,
	"GET /v1/tools":                                   openGet,
	"GET /v1/tools/{toolName}":                        openGet,
	"GET /v1/logs":                                    openGet,
	"GET /v1/sessions":                                openGet,
	"GET /v1/artifacts":                               openGet,
	"GET /v1/artifacts/{artifactId}":                  ownedGet,
	"GET /v1/artifacts/{artifactId}/content":          ownedGet,
	"POST /v1/session":                                {202, 202, 202, 401, 403},
	"POST /v1/tools/{toolName}":                       {200, 200, 200, 401, 403},
	"POST /v1/render":                                 {200, 200, 200, 401, 403},
	"POST /v1/mcp":                                    {200, 200, 200, 401, 403},
	"POST /v1/mcp/tools":                              {200, 200, 200, 401, 403},
	"GET /v1/session/{sessionId}":                     ownedGet,
	"GET /v1/session/{sessionId}/stream":              ownedGet,
	"GET /v1/session/{sessionId}/events":              ownedGet,
	"GET /v1/session/{sessionId}/cost":                ownedGet,
	"GET /v1/session/{sessionId}/approvals":           ownedGet,
	"PATCH /v1/session/{sessionId}":                   {200, 403, 200, 401, 403},
	"POST /v1/session/{sessionId}":                    {202, 403, 202, 401, 403},
	"POST /v1/session/{sessionId}/stop":               {200, 403, 200, 401, 403},
	"POST /v1/session/{sessionId}/compact":            {200, 403, 200, 401, 403},
	"POST /v1/session/{sessionId}/fork":               {202, 403, 202, 401, 403},
	"GET /v1/session/{sessionId}/state":               ownedGet,
	"POST /v1/session/{sessionId}/approvals/{callId}": {404, 403, 404, 401, 403}, // the call is unknown
	"GET /v1/dev/evals":                               openGet,
	"GET /v1/dev/evals/runs":                          openGet,
	"GET /v1/dev/evals/runs/{runId}":                  openGet,
	"POST /v1/dev/evals/runs":                         {202, 202, 202, 401, 403},
	"POST /v1/dev/evals/runs/{runId}/cancel":          {200, 200, 200, 401, 403},
}

// bodies are what each route that takes one is sent.
var bodies = map[string]string{
	"POST /v1/session":                                `{"message":"x"}`,
	"POST /v1/tools/{toolName}":                       `{"input":{}}`,
	"POST /v1/mcp":                                    `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	"POST /v1/mcp/tools":                              `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	"POST /v1/render":                                 `{"markdown":"x"}`,
	"PATCH /v1/session/{sessionId}":                   `{"title":"x"}`,
	"POST /v1/session/{sessionId}/fork":               `{"index":0}`,
	"POST /v1/session/{sessionId}/approvals/{callId}": `{"decision":"deny"}`,
}

// A row of the matrix for each route of the table: "Generated matrix: every route
// × 3 principals" (P44), and "Test: every route without credentials".
func TestMatrix_EveryRouteAndPrincipal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plain := w.serve(measured)
	dev := w.serve(func(o *Options) { measured(o); o.Dev = true })
	for _, rt := range everyRoute() {
		name := rt.method + " " + rt.path
		want, ok := decisions[name]
		if !ok {
			t.Errorf("%s has no row in the matrix: decide who may call it", name)
			continue
		}
		for i, who := range callers {
			t.Run(name+" "+who, func(t *testing.T) {
				m := cell{world: w, client: plain, route: &rt, id: w.foreign("bot", "theirs")}
				if who == owner || who == foreignPage {
					m.id, m.token = plain.started("mine")
				}
				if who == operator {
					m.client = dev
				}
				m.check(t, who, want[i])
			})
		}
	}
	for name := range decisions {
		if !slices.ContainsFunc(everyRoute(), func(r route) bool { return r.method+" "+r.path == name }) {
			t.Errorf("the matrix has a row for %s, which is no route", name)
		}
	}
}

// everyRoute has those that are there without --dev.
func everyRoute() []route {
	return slices.Concat(hostRoutes(), docsRoutes(), agentRoutes(), evalRoutes())
}

// measured gives metrics, evals and documentation to be served.
func measured(o *Options) {
	o.Evals = func(string) Evals { return &fakeEvals{} }
	o.Docs = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
}

// A cell is one request of the matrix.
type cell struct {
	*world
	*client
	route     *route
	id, token string
	// agent defaults to bot.
	agent string
}

func (m *cell) check(t *testing.T, who string, want int) {
	t.Helper()
	var headers []string
	switch who {
	case nobody:
		headers = []string{"Host", "evil.test"}
	case foreignPage:
		headers = []string{"Origin", "https://evil.test", "Sec-Fetch-Site", "cross-site"}
	}
	m.checkAs(t, who, want, headers...)
}

func (m *cell) checkAs(t *testing.T, who string, want int, headers ...string) {
	t.Helper()
	name := m.route.method + " " + m.route.path
	body := bodies[name]
	if name == "POST /v1/session/{sessionId}" {
		if m.token == "" {
			m.token = m.host.Token(m.id, 0)
		}
		body = fmt.Sprintf(`{"message":"x","continuationToken":%q}`, m.token)
	}
	a := m.do(m.route.method, m.path(), body, headers...)
	if a.status != want {
		t.Errorf("%d, want %d: %s", a.status, want, a.body)
	}
	for name := range a.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("a CORS header: %s", name)
		}
	}
	if a.status >= 400 {
		a.want(t, a.status, refusalCode(a.status, who))
	}
}

func refusalCode(status int, who string) string {
	switch {
	case status == 401:
		return "unauthorized"
	case status == 404:
		return "unknown_call"
	case status == 502:
		return "authorization_failed"
	case who == foreignPage:
		return "cross_origin"
	}
	return "forbidden"
}

// path is the route's path with what it names filled in.
func (m *cell) path() string {
	p := strings.NewReplacer("{sessionId}", m.id, "{callId}", "call_none", "{toolName}", "echo", "{connectionName}", "issues", "{fileName}", "tools.md", "{runId}", knownRun).Replace(m.route.path)
	if before, after, ok := strings.Cut(p, "{artifactId}"); ok {
		p = before + m.taggedOf(cmp.Or(m.agent, "bot"), m.id, map[string]any{"key": "matrix", "contents": "x"}).ID + after
	}
	if m.route.path == "/v1/session/{sessionId}/stream" {
		p += "?follow=false"
	}
	if slices.ContainsFunc(append(hostRoutes(), docsRoutes()...), func(r route) bool { return r.path == m.route.path }) {
		return p
	}
	return "/" + cmp.Or(m.agent, "bot") + p
}

// Each path answers each method: with its route, or with 405 and Allow.
func TestMatrix_EveryPathAndMethod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(measured)
	id, _ := c.started("mine")
	byPath := map[string][]*route{}
	for _, rt := range everyRoute() {
		m := cell{world: w, route: &rt, id: id}
		byPath[m.path()] = append(byPath[m.path()], &rt)
	}
	for path, routes := range byPath {
		var methods []string
		for _, rt := range routes {
			methods = append(methods, rt.method)
		}
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			has := slices.Contains(methods, method) || method == "HEAD" && slices.Contains(methods, "GET")
			if has && method != "HEAD" {
				continue // the other matrix has it
			}
			a := c.do(method, path, "")
			switch {
			case has && (a.status != 200 || a.body != ""): // HEAD is GET without the body
				t.Errorf("HEAD %s: %d %q", path, a.status, a.body)
			case !has && a.status != http.StatusMethodNotAllowed:
				t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
			case !has:
				for _, m := range methods {
					if !strings.Contains(a.header.Get("Allow"), m) {
						t.Errorf("%s %s: Allow is %q without %s", method, path, a.header.Get("Allow"), m)
					}
				}
			}
		}
	}
}

// "Decode once; ids match ^[A-Za-z0-9_-]{1,128}$; %2F, %5C, %00, `;`, `..`, double
// encoding → 404/400, never redirect" (S13).
func TestPaths_Confusion(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, _ := c.started("mine")
	for _, path := range []string{
		"//bot/v1/info", "/bot//v1/info", "/bot/v1/info/", "/bot/v1//info", "/bot/./v1/info", "/x/../bot/v1/info", "/bot/v1/../v1/info", "/bot/v1/%69nfo", "/%62ot/v1/info",
		"/bot%2Fv1/info", "/bot/v1%2finfo", "/bot/v1/info%00", "/bot/v1/info;x=1", "/bot/v1/info%3Bx", "/bot\\v1\\info", "/bot%5Cv1/info", "/bot/V1/info", "/bot/v1/Info",
		"/bot/v1/session/..%2F..%2Fetc", "/bot/v1/session/" + id + "%2Fstream", "/bot/v1/session/" + id + "%00", "/bot/v1/session/" + id + ".json", "/bot/v1/session/%252e%252e", "/bot/v1/session/" + strings.Repeat("a", 129),
		"/bot/v1/session/" + id + "/../" + id, "/bot/v1/session/ses%5F1", "/bot/v1/session/", "/bot/v1/session/ /events", "/bot/v1/session/é",
		"/bot/v1/session/" + id + "/forks", "/bot/v1/session/" + id + "/states", "/bot/v1/artifacts/..%2F..%2Fetc/content", "/bot/v1/artifacts/a.b", "/bot/v1/artifacts/a/contents", "/bot/v1/mcp/", "/bot/v1/mcp/tools/x",
		"/bot/v1/channels/x", "/bot/v1/dev/evals", "/bot/v1/dev/reminders", "/bot/playground", "/playground", "/docs", "/docs/x", "/metrics", "/bot", "/bot/", "/v1", "/v1/info", "/favicon.ico", "/bot/v1/tools/a.b",
	} {
		if a := c.raw("GET " + strings.ReplaceAll(path, " ", "%20")); a.status != 404 && a.status != 400 || !strings.Contains(a.body, `"error":"not_found"`) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	for _, id := range []string{"ses_x", strings.Repeat("a", 128), "agt_bot", "ses_01J0000000000000000000000A", strings.ToLower(id)} {
		c.do("GET", "/bot/v1/session/"+id, "").want(t, 404, "unknown_session")
		c.do("POST", "/bot/v1/session/"+id+"/stop", "").want(t, 404, "unknown_session")
	}
}

package transport

import (
	"strings"
	"testing"
)

// The page that people come back to says what came of it, runs no script, and takes
// a state that nobody began for none of the host's.
func TestOAuth_Callback(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"":                               {200, "Nothing to do"},
		"?state=":                        {400, "used already"},
		"?state=x&code=y&iss=http://a/":  {400, "used already"},
		"?state=x&error=<script>alert()": {400, "used already"},
	} {
		a := c.do("GET", "/v1/oauth/callback"+query, "")
		if a.status != want.status || !strings.Contains(a.body, want.says) || strings.Contains(a.body, "<script") {
			t.Errorf("%q: %d %s", query, a.status, a.body)
		}
		if !strings.HasPrefix(a.header.Get("Content-Security-Policy"), "default-src 'none'") || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("headers: %v", a.header)
		}
	}
}

// A link is for a connection that asks for OAuth, and for whom the command line's policy admits.
func TestOAuth_Begin(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for name, want := range map[string]struct {
		status int
		code   string
	}{"issues": {502, "authorization_failed"}, "open": {409, "no_oauth"}, "nope": {404, "unknown_connection"}} {
		c.do("POST", "/bot/v1/mcp/oauth/"+name, "").want(t, want.status, want.code)
		c.do("POST", "/bot/v1/mcp/oauth/"+name, "", "Sec-Fetch-Site", "cross-site").want(t, 403, "cross_origin")
	}
	if m := c.do("GET", "/bot/v1/mcp/oauth/issues", "").want(t, 200, ""); m["connection"] != "issues" || m["authorizedAt"] != nil {
		t.Errorf("%v", m)
	}
}

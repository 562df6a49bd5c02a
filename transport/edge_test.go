package transport

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/events"
)

// "`asOf` without a zone, or impossible (30 February, hour 25), is `400 invalid_as_of`."
func TestParseInstant(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"2026-03-01T09:00:00Z": "2026-03-01T09:00:00Z", "2026-03-01T09:00:00.25+02:00": "2026-03-01T07:00:00.25Z",
		"2026-03-01T09:00:00,5Z": "2026-03-01T09:00:00.5Z", "2026-03-01T09:00Z": "2026-03-01T09:00:00Z",
		"2026-03-01T09:00-0530": "2026-03-01T14:30:00Z", "2024-02-29T23:59:59.999999999Z": "2024-02-29T23:59:59.999999999Z",
		"2026-02-30T00:00:00Z": "", "2026-02-29T00:00:00Z": "", "2026-01-01T25:00:00Z": "", "2026-01-01T24:00:00Z": "", "2026-01-01T00:60:00Z": "",
		"2026-01-01T00:00:61Z": "", "2026-13-01T00:00:00Z": "", "2026-01-01T00:00:00": "", "2026-01-01": "", "2026-01-01T00:00:00+25:00": "",
		"now": "", "": "", "yesterday": "", "1767225600": "", "2026-01-01 00:00:00Z": "", " 2026-01-01T00:00:00Z": "", "2026-1-1T0:00:00Z": "", "+002026-01-01T00:00:00Z": "",
	} {
		got := ""
		if at, ok := parseInstant(s); ok {
			got = at.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// "`*/*` does not" name a stream.
func TestStreamType(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": "", "*/*": "", "application/json": "", "application/*": "", "text/*": "", "application/x-ndjson": ndjson, "text/event-stream": eventStream,
		"Application/X-NDJSON": ndjson, "application/json, text/event-stream": eventStream, "text/event-stream;q=0": "", "text/event-stream;q=0.5, application/x-ndjson": ndjson,
		"application/x-ndjson, text/event-stream": ndjson, "text/event-stream;q=nonsense": "", "application/x-ndjsonx": "", ";;;": "",
	} {
		if got := streamType([]string{accept}); got != want {
			t.Errorf("%q: %q, want %q", accept, got, want)
		}
	}
	if got := streamType(nil); got != "" {
		t.Errorf("no header: %q", got)
	}
}

// "missing = 0; … negative, float, hex, empty, duplicate, > int64 → 400" (P07).
func TestPlainInteger(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "-1", "+1", "1.0", "1e3", "0x10", "01", " 1", "1 ", "9223372036854775808", "99999999999999999999", "１", "1_000", "abc", "1\x00"} {
		if n, ok := plainInteger(s); ok {
			t.Errorf("%q was read as %d", s, n)
		}
	}
	for s, want := range map[string]uint64{"0": 0, "7": 7, "9223372036854775807": 1<<63 - 1} {
		if n, ok := plainInteger(s); !ok || n != want {
			t.Errorf("%q: %d, %v", s, n, ok)
		}
	}
}

func localRequest(remote, host string, headers http.Header) *http.Request {
	r := httptest.NewRequest("GET", "/v1/info", nil)
	r.RemoteAddr, r.Host = remote, host
	for k, v := range headers {
		r.Header[k] = v
	}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 3000})))
}

// S01: "peer address is loopback (incl. ::1 and ::ffff:127.0.0.1); Host is
// localhost, 127.0.0.1 or [::1] with our port".
func TestLocalDevStrict_PeerAndHost(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		remote, host string
		want         bool
	}{
		{"127.0.0.1:5", "localhost:3000", true}, {"127.0.0.1:5", "127.0.0.1:3000", true}, {"[::1]:5", "[::1]:3000", true}, {"[::ffff:127.0.0.1]:5", "LOCALHOST:3000", true},
		{"127.0.0.1:5", "localhost", true}, {"127.0.0.1:5", "[::1]", true},
		{"10.0.0.1:5", "localhost:3000", false}, {"[fe80::1]:5", "localhost:3000", false}, {"", "localhost:3000", false}, {"@", "localhost:3000", false},
		{"127.0.0.1:5", "evil.test", false}, {"127.0.0.1:5", "evil.test:3000", false}, {"127.0.0.1:5", "127.0.0.1.evil.test", false}, {"127.0.0.1:5", "localhost.", false},
		{"127.0.0.1:5", "localhost.:3000", false}, {"127.0.0.1:5", "", false}, {"127.0.0.1:5", "localhost:3001", false}, {"127.0.0.1:5", "localhost:", false},
		{"127.0.0.1:5", "127.1:3000", false}, {"127.0.0.1:5", "0.0.0.0:3000", false}, {"127.0.0.1:5", "::1", false}, {"127.0.0.1:5", "[::1]:3000x", false}, {"127.0.0.1:5", "user@localhost:3000", false},
	} {
		if _, ok := (localDevStrict{}).admit(localRequest(tc.remote, tc.host, nil)); ok != tc.want {
			t.Errorf("peer %q, Host %q: %v", tc.remote, tc.host, ok)
		}
	}
	absolute := localRequest("127.0.0.1:5", "localhost:3000", nil)
	absolute.URL.Scheme, absolute.URL.Host = "http", "localhost:3000"
	if _, ok := (localDevStrict{}).admit(absolute); ok {
		t.Error("an absolute request target was admitted")
	}
}

// S02: "Presence (even empty) of any of Forwarded, X-Forwarded-…" refuses.
func TestLocalDevStrict_Forwarded(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Server", "X-Real-IP", "Via",
		"True-Client-IP", "CF-Connecting-IP", "Fly-Client-IP", "X-Client-IP", "X-Cluster-Client-IP", "X-Original-For",
		"CDN-Loop", "X-Envoy-External-Address", "Fastly-Client-IP", "X-Original-Forwarded-For", "Tailscale-User-Login", "CF-Ray", "X-Amz-Cf-Id", "X-Azure-ClientIP", "Ngrok-Auth-User-Email", "X-Arr-Ssl", "Client-Ip"} {
		for _, values := range [][]string{{""}, {"127.0.0.1"}, {"127.0.0.1", "::1"}} {
			h := http.Header{http.CanonicalHeaderKey(name): values}
			if _, ok := (localDevStrict{}).admit(localRequest("127.0.0.1:5", "localhost:3000", h)); ok {
				t.Errorf("%s: %q was admitted", name, values)
			}
		}
	}
}

// S05: "scheme case-insensitive; exactly one Authorization header".
func TestBearerAuth(t *testing.T) {
	t.Parallel()
	b := newBearerAuth(map[string]string{"a-long-enough-secret": "bearer"})
	for _, tc := range []struct {
		headers []string
		want    bool
	}{
		{[]string{"Bearer a-long-enough-secret"}, true}, {[]string{"bEARER a-long-enough-secret"}, true}, {[]string{"Bearer   a-long-enough-secret"}, true},
		{nil, false}, {[]string{""}, false}, {[]string{"Bearer"}, false}, {[]string{"Bearer "}, false}, {[]string{"a-long-enough-secret"}, false}, {[]string{"Basic a-long-enough-secret"}, false},
		{[]string{"Bearer a-long-enough-secre"}, false}, {[]string{"Bearer a-long-enough-secretx"}, false}, {[]string{"Bearer A-LONG-ENOUGH-SECRET"}, false},
		{[]string{"Bearer a-long-enough-secret", "Bearer a-long-enough-secret"}, false}, {[]string{"Bearer a-long-enough-secret, Bearer x"}, false},
	} {
		r := localRequest("203.0.113.9:5", "example.com", http.Header{"Authorization": tc.headers})
		if tc.headers == nil {
			r.Header.Del("Authorization")
		}
		p, ok := b.admit(r)
		if ok != tc.want || ok && p != (events.Principal{Kind: "bearer", ID: "bearer"}) {
			t.Errorf("%q: %v as %v", tc.headers, ok, p)
		}
	}
}

// "ten wrong ones from a peer slow it down".
func TestGuesses_SlowAPeerDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuesses()
		took := func(peer string) time.Duration {
			start := time.Now()
			if !g.wait(t.Context(), peer) {
				t.Fatal("refused unheard")
			}
			return time.Since(start)
		}
		for range freeGuesses {
			if d := took("a"); d != 0 {
				t.Fatalf("slowed by %v before ten wrong ones", d)
			}
			g.note("a", false)
		}
		if d := took("a"); d != firstDelay {
			t.Errorf("the eleventh waited %v", d)
		}
		g.note("a", false)
		if d := took("a"); d != 2*firstDelay {
			t.Errorf("the twelfth waited %v", d)
		}
		if d := took("b"); d != 0 {
			t.Errorf("another peer waited %v", d)
		}
		for range 50 {
			g.note("a", false)
		}
		if d := took("a"); d != longestDelay {
			t.Errorf("at most %v, got %v", longestDelay, d)
		}
		g.note("a", true)
		if d := took("a"); d != 0 || g.slow.Load() != 0 {
			t.Errorf("a right token clears the record; waited %v, %d remembered", d, g.slow.Load())
		}
	})
}

// Ten minutes without a wrong one end it, and the record stays within its bound.
func TestGuesses_AreForgotten(t *testing.T) {
	t.Parallel()
	g, now := newGuesses(), time.Now()
	g.now = func() time.Time { return now }
	for range freeGuesses + 5 {
		g.note("a", false)
	}
	if d, _ := g.enter("a"); d == 0 {
		t.Error("a guesser is not held up")
	}
	g.leave("a")
	now = now.Add(guessMemory + time.Second)
	if d, ok := g.enter("a"); d != 0 || !ok {
		t.Errorf("after ten minutes it is held up by %v", d)
	}
	g.note("a", false)
	if d, _ := g.enter("a"); d != 0 {
		t.Errorf("one wrong one after ten minutes holds up by %v", d)
	}
	for i := range maxPeers + 100 {
		g.note(fmt.Sprint(i), false)
	}
	if len(g.peers) > maxPeers {
		t.Errorf("%d peers are remembered", len(g.peers))
	}
	for remote, want := range map[string]string{"203.0.113.9:5": "203.0.113.9", "[::ffff:203.0.113.9]:5": "203.0.113.9", "[2001:db8::1:2]:5": "2001:db8::/64", "[2001:db8::9]:6": "2001:db8::/64", "[::1]:5": "::1", "[fe80::1%eth0]:5": "fe80::/64", "@": "@", "": ""} {
		if got := peerOf(remote); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}

func TestGuesses_RefuseACrowdUnheard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGuesses()
		for range freeGuesses {
			g.note("a", false)
		}
		heard := make(chan bool, 40)
		for range 40 {
			go func() { heard <- g.wait(t.Context(), "a") }()
		}
		n := 0
		for range 40 {
			if <-heard {
				n++
			}
		}
		if n != waitersPerPeer {
			t.Errorf("%d were heard, want %d", n, waitersPerPeer)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if g.wait(ctx, "a") {
			t.Error("a request that is gone was heard")
		}
	})
}

// S04: "Origin: null, file://, chrome-extension://, http://localhost:OTHERPORT are
// foreign unless configured"; S03: "reject 403 if Sec-Fetch-Site is cross-site or
// same-site, or Origin differs from Host".
func TestOrigins_Foreign(t *testing.T) {
	t.Parallel()
	o, err := newOrigins([]string{"https://app.example.com", "http://localhost:5173"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		origin, site []string
		want         bool
	}{
		{nil, nil, false}, {nil, []string{"same-origin"}, false}, {nil, []string{"none"}, false},
		{nil, []string{"cross-site"}, true}, {nil, []string{"same-site"}, true}, {nil, []string{""}, true}, {nil, []string{"same-origin", "cross-site"}, true}, {nil, []string{"Same-Origin"}, true},
		{[]string{"http://localhost:3000"}, nil, false}, {[]string{"HTTP://LOCALHOST:3000"}, nil, true}, {[]string{"https://localhost:3000"}, nil, false},
		{[]string{"http://localhost:3000"}, []string{"cross-site"}, true},
		{[]string{"null"}, nil, true}, {[]string{"file://"}, nil, true}, {[]string{"chrome-extension://abc"}, nil, true}, {[]string{"http://localhost:4000"}, nil, true},
		{[]string{"http://localhost"}, nil, true}, {[]string{"http://127.0.0.1:3000"}, nil, true}, {[]string{"http://localhost:3000/"}, nil, true}, {[]string{"http://evil.test"}, []string{"same-origin"}, true},
		{[]string{""}, nil, true}, {[]string{"http://x@localhost:3000"}, nil, true}, {[]string{"http://localhost:3000", "http://localhost:3000"}, nil, true},
		{[]string{"https://app.example.com"}, []string{"cross-site"}, false}, {[]string{"http://localhost:5173"}, []string{"same-site"}, false}, {[]string{"https://app.example.com.evil.test"}, nil, true},
	} {
		h := http.Header{}
		if tc.origin != nil {
			h["Origin"] = tc.origin
		}
		if tc.site != nil {
			h["Sec-Fetch-Site"] = tc.site
		}
		if got := o.foreign(localRequest("127.0.0.1:5", "localhost:3000", h)); got != tc.want {
			t.Errorf("Origin %q, Sec-Fetch-Site %q: %v", tc.origin, tc.site, got)
		}
	}
	for _, s := range []string{"*", "example.com", "https://example.com/", "https://*.example.com", "null", "", "https://"} {
		if _, err := newOrigins([]string{s}); err == nil {
			t.Errorf("%q was taken as an origin", s)
		}
	}
}

func TestOrigins_DefaultPorts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ origin, host string }{{"https://example.com", "example.com"}, {"https://example.com", "example.com:443"}, {"http://example.com:80", "example.com"}, {"http://[::1]:3000", "[::1]:3000"}} {
		if !sameOrigin(tc.origin, tc.host) {
			t.Errorf("%s is the origin of %s", tc.origin, tc.host)
		}
	}
}

// "`--allow-anonymous` … on a loopback bind `Host` is checked as above".
func TestAllowAll_HostOnLoopback(t *testing.T) {
	t.Parallel()
	r := localRequest("127.0.0.1:5", "evil.test", nil)
	if _, ok := (allowAll{}).admit(r); ok {
		t.Error("a foreign Host was admitted on a loopback connection")
	}
	wide := r.WithContext(context.WithValue(r.Context(), bindKey{}, net.Addr(&net.TCPAddr{IP: net.IPv4zero, Port: 3000})))
	if p, ok := (allowAll{}).admit(wide); !ok || p != anonymousPrincipal {
		t.Error("everybody is admitted on a bind that is not loopback")
	}
}

func TestBase_SchemeAndMode(t *testing.T) {
	t.Parallel()
	r := localRequest("127.0.0.1:5", "localhost:3000", nil)
	c := &call{h: &handler{o: Options{Mode: ModeMulti}}, r: r}
	if got := c.base("bot"); got != "http://localhost:3000/bot" {
		t.Error(got)
	}
	r.TLS, c.h.o.Mode = &tls.ConnectionState{}, ModeSingle
	if got := c.base("bot"); got != "https://localhost:3000" {
		t.Error(got)
	}
}

package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
)

// A request reaches the handler as it was sent: "the raw bytes stay readable".
func TestChannel_TheRequestAsSent(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(nil)
	var got struct {
		Method, URL, Body, Channel string
		Params                     map[string]string
		Query                      map[string][]string
		Header                     http.Header
		Principal                  struct{ Kind, ID string }
	}
	read := func(a answer) {
		t.Helper()
		got.Params, got.Query = nil, nil
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 {
			t.Fatal(a.status, a.body, err)
		}
	}
	read(c.do("POST", "/bot/v1/channels/default?a=1&a=%20&b", "a=\x00\xff", "Content-Type", "-", "Content-Type", "application/x-www-form-urlencoded", "X-Signature", "s"))
	if got.Method != "POST" || got.URL != "http://"+c.addr+"/bot/v1/channels/default?a=1&a=%20&b" || !strings.HasPrefix(got.Body, "a=\x00") || got.Channel != "default" ||
		len(got.Query["a"]) != 2 || got.Query["a"][1] != " " || got.Header.Get("X-Signature") != "s" || got.Principal.Kind != "local" || len(got.Params) != 0 {
		t.Errorf("%+v", got)
	}
	read(c.do("PUT", "/bot/v1/channels/desk/items/%C3%BC%20:x", "", "Authorization", "Bearer "+annsToken, "Host", "evil.test"))
	if got.Params["id"] != "ü :x" || got.Principal.ID != "ann" || got.Body != "" || got.URL != "http://evil.test/bot/v1/channels/desk/items/%C3%BC%20:x" {
		t.Errorf("%+v", got)
	}
}

// "most specific first": from the left, what is given before what is free, and a route
// of the method before one of another.
func TestChannel_WhichRoute(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(nil)
	for request, want := range map[string]string{
		"GET /a/b": "static", "GET /a/x": "right free", "GET /x/b": "left free", "GET /x/y": "free", "POST /a/b": "post", "HEAD /a/b": "",
		"GET /.well-known/agent-card.json": "card", "POST /message:send": "send",
	} {
		method, path, _ := strings.Cut(request, " ")
		a := c.do(method, "/bot/v1/channels/odd"+path, "")
		if a.status != 200 || want != "" && !strings.Contains(a.body, `"name":"`+want+`"`) || want == "" && a.body != "" {
			t.Errorf("%s: %d %s", request, a.status, a.body)
		}
	}
	if a := c.do("DELETE", "/bot/v1/channels/odd/a/b", ""); a.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("%q", a.header.Get("Allow"))
	}
}

// S13 within channels: "Decode once; … %2F, %5C, %00, `;`, `..`, double encoding →
// 404/400, never redirect".
func TestChannel_PathConfusion(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(nil)
	for _, path := range []string{
		"", "/", "/none", "/default/", "/default//", "/default/items", "/default/items/", "/default/items/a/", "/default/items//a", "/default/items/a/b", "/Default", "/default%2Fitems/a", "/d%65fault", "/default/%69tems/a", "/DEFAULT/items/a",
		"/default/items/%2e%2e", "/default/items/..", "/default/items/.", "/default/items/a%2Fb", "/default/items/a%2fb", "/default/items/a%5Cb", "/default/items/a\\b", "/default/items/a%00", "/default/items/a;b", "/default/items/a%3Bb",
		"/default/items/%252e%252e", "/default/items/a%25", "/default/items/%0A", "/default/items/%7F", "/default/items/%C2%85", "/default/items/%FF", "/default/items/" + strings.Repeat("a", maxParam+1), "/default/../default", "/default/items/../items/a", "/" + strings.Repeat("a", 129),
	} {
		a := c.raw("PUT /bot/v1/channels"+path, "Content-Length: 0")
		if a.status != 404 && a.status != 400 || !strings.Contains(a.body, `"error":"not_found"`) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := c.raw("PUT /bot/v1/channels/default/items/"+strings.Repeat("a", maxParam), "Content-Length: 0"); a.status != 200 {
		t.Error(a.status, a.body)
	}
}

// "Decode once": a path in needless escapes is not another route's.
func TestChannel_NeedlessEscapes(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(nil)
	for path, want := range map[string]string{"/%61/b": "", "/a/%62": "", "/%61/%62": "", "/x/%62": "", "/message%3Asend": "", "/%78/y": "free", "/a/%79": "right free"} {
		a := c.raw("GET /bot/v1/channels/odd" + path)
		if want == "" && a.status != 404 || want != "" && !strings.Contains(a.body, `"name":"`+want+`"`) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// A slash too many at the end is no other path; the answer names the right one.
func TestChannel_SlashAtTheEnd(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(nil)
	for path, want := range map[string]string{
		"/default/": "has /bot/v1/channels/default, without the slash", "/odd/a/b/": "has /bot/v1/channels/odd/a/b, without the slash", "/odd/": "no such path\"", "/default//": "no such path\"", "/none/": "no such channel",
	} {
		if a := c.raw("GET /bot/v1/channels" + path); a.status != 404 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// What a handler fails with: "500 handler_failed (details in the log alone); … 400
// invalid_body / invalid_query with issues".
func TestChannel_Failures(t *testing.T) {
	t.Parallel()
	var logged safeBuilder
	c := newChannelWorld(t).serve(func(o *Options) { o.Logger = zerolog.New(&logged) })
	for request, want := range map[string]struct {
		status int
		code   string
	}{
		"GET /secret": {500, "handler_failed"}, "GET /panic": {500, "handler_failed"}, "GET /unauthorized": {401, "unauthorized"}, "GET /busy": {409, "session_busy"},
		"POST /unfit": {400, "invalid_body"}, "GET /unfit": {400, "invalid_query"}, "GET /status/low": {500, "handler_failed"}, "GET /status/high": {500, "handler_failed"}, "GET /header": {500, "handler_failed"},
		"GET /text?a=%": {400, "invalid_query"},
	} {
		method, path, _ := strings.Cut(request, " ")
		a := c.do(method, "/bot/v1/channels/odd"+path, "")
		m := a.want(t, want.status, want.code)
		id, _ := m["requestId"].(string)
		if said, _ := m["message"].(string); want.status == 500 && !strings.Contains(said, "under this requestId") {
			t.Errorf("%s: %s", request, a.body)
		}
		if strings.Contains(a.body, "hunter2") || strings.Contains(a.body, "goroutine") || (want.status == 500) != (id != "" && strings.Contains(logged.String(), id)) {
			t.Errorf("%s: %s", request, a.body)
		}
	}
	for what, want := range map[string]int{"the password is hunter2": 2, `"stack":"goroutine`: 1} { // each once, the panic with its stack
		if n := strings.Count(logged.String(), what); n != want {
			t.Errorf("%q was logged %d times:\n%s", what, n, logged.String())
		}
	}
	for range 20 { // whichever of its headers comes first
		if a := c.do("GET", "/bot/v1/channels/odd/halfway", ""); a.status != 500 || a.header.Get("Content-Encoding") != "" || a.header.Get("Set-Cookie") != "" {
			t.Fatalf("a refusal has headers of the answer that it refuses: %v", a.header)
		}
	}
	if a := c.do("POST", "/bot/v1/channels/odd/unfit", ""); !strings.Contains(a.body, `"issues":[{"path":"a.b","message":"is odd"}]`) {
		t.Error(a.body)
	}
}

// A placedError is one of code whose places are known.
type placedError struct{ error }

// Place is where it comes from.
func (placedError) Place() string { return "bot/channels/odd.ts:3:4" }

// The line of the log with the request's id says where the handler failed.
func TestChannel_FailuresHaveTheirPlace(t *testing.T) {
	t.Parallel()
	var logged safeBuilder
	c := newChannelWorld(t, &agent.Channel{ID: "placed", Routes: []*agent.Route{on("GET", "/", fails(placedError{errors.New("oh no")}))}}).serve(func(o *Options) { o.Logger = zerolog.New(&logged) })
	id, _ := c.do("GET", "/bot/v1/channels/placed", "").want(t, 500, "handler_failed")["requestId"].(string)
	for line := range strings.Lines(logged.String()) {
		if strings.Contains(line, `"request":"`+id+`"`) && strings.Contains(line, `"place":"bot/channels/odd.ts:3:4"`) && strings.Contains(line, "oh no") {
			return
		}
	}
	t.Error(logged.String())
}

// A safeBuilder is a strings.Builder that may be written to while it is read.
type safeBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write appends.
func (s *safeBuilder) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String is what was written.
func (s *safeBuilder) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// A handler's answer goes out as it is, but for what belongs to the connection and for
// what would let other origins read.
func TestChannel_Answers(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(nil)
	a := c.do("GET", "/bot/v1/channels/odd/headers", "")
	if a.status != 418 || a.body != "" || len(a.header["X-Own"]) != 2 || a.header.Get("Set-Cookie") != "c=d" || a.header.Get("Cache-Control") != "max-age=60" || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %v", a.status, a.header)
	}
	for _, name := range []string{"Access-Control-Allow-Origin", "Upgrade", "Content-Type"} {
		if a.header.Get(name) != "" {
			t.Errorf("%s: %q", name, a.header.Get(name))
		}
	}
	if a := c.do("GET", "/bot/v1/channels/odd/text", ""); a.body != "hello" || a.header.Get("Content-Length") != "5" || a.header.Get("Content-Type") != "text/plain; charset=utf-8" || a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%q %v", a.body, a.header)
	}
	if a := c.do("HEAD", "/bot/v1/channels/odd/text", ""); a.body != "" || a.header.Get("Content-Length") != "5" || a.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%q %v", a.body, a.header)
	}
	for _, path := range []string{"/nothing", "/status/empty"} {
		if a := c.do("GET", "/bot/v1/channels/odd"+path, ""); a.status != 204 || a.body != "" {
			t.Errorf("%s: %d %q", path, a.status, a.body)
		}
	}
}

// "JSON routes require application/json (415)": those with a schema for the body. Others
// take any type, none that is compressed, and no more than the limit.
func TestChannel_Bodies(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(func(o *Options) { o.Limits.BodyBytes = 100 })
	report, raw := "/bot/v1/channels/default/reports", "/bot/v1/channels/default"
	for _, tc := range []struct {
		path, body, contentType string
		status                  int
		code                    string
	}{
		{report, `{"subject":"x"}`, "application/json", 201, ""}, {report, `{"subject":"x"}`, "application/json; charset=utf-8", 201, ""}, {report, `{"subject":"x"}`, "application/a2a+json", 201, ""},
		{report + "?limit=3", `{"subject":"x"}`, "application/json", 201, ""},
		{report, `{"subject":"x"}`, "text/plain", 415, "unsupported_media_type"}, {report, `{"subject":"x"}`, "application/x-www-form-urlencoded", 415, "unsupported_media_type"}, {report, `{"subject":"x"}`, "text/x+json", 415, "unsupported_media_type"}, {report, `{"subject":"x"}`, "-", 415, "unsupported_media_type"},
		{report, ``, "-", 400, "invalid_body"}, {report, `{"subject":7}`, "application/json", 400, "invalid_body"}, {report, `{"subject":"x"} `, "application/json", 201, ""}, {report, `{"subject":"x"}x`, "application/json", 400, "invalid_body"},
		{report + "?limit=x", `{"subject":"x"}`, "application/json", 400, "invalid_query"}, {report, `{"subject":"x","subject":"y"}`, "application/json", 400, "invalid_body"},
		{report, `{"subject":"` + strings.Repeat("x", 100) + `"}`, "application/json", 413, "body_too_large"},
		{raw, "a=b", "application/x-www-form-urlencoded", 200, ""}, {raw, "<x/>", "text/xml", 200, ""}, {raw, "x", "-", 200, ""}, {raw, strings.Repeat("x", 100), "text/plain", 200, ""}, {raw, strings.Repeat("x", 101), "text/plain", 413, "body_too_large"},
	} {
		a := c.do("POST", tc.path, tc.body, "Content-Type", "-", "Content-Type", tc.contentType)
		if a.status != tc.status || tc.code != "" && !strings.Contains(a.body, `"error":"`+tc.code+`"`) {
			t.Errorf("%s %q as %s: %d %s", tc.path, tc.body, tc.contentType, a.status, a.body)
		}
	}
	c.do("POST", raw, "x", "Content-Encoding", "gzip").want(t, 415, "unsupported_media_type")
	c.do("POST", report, "{}", "Content-Encoding", "gzip", "Content-Type", "-", "Content-Type", "application/a2a+json").want(t, 415, "unsupported_media_type")
}

// A streaming world has a channel whose route answers with a body of the test's own.
type streaming struct {
	*client
	t       *testing.T
	bodies  chan *slowBody
	writers chan *io.PipeWriter
	// ended has one for each handler whose context ended.
	ended chan struct{}
}

func newStreaming(t *testing.T) *streaming {
	t.Helper()
	s := &streaming{t: t, bodies: make(chan *slowBody, 1), writers: make(chan *io.PipeWriter, 1), ended: make(chan struct{}, 10)}
	route := on("GET", "/", func(ctx context.Context, _ *agent.Call) (*agent.Response, error) {
		context.AfterFunc(ctx, func() { s.ended <- struct{}{} })
		b, w := newSlowBody()
		s.bodies <- b
		s.writers <- w
		return &agent.Response{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: b}, nil
	})
	s.client = newChannelWorld(t, &agent.Channel{ID: "slow", Routes: []*agent.Route{route}}).serve(nil)
	return s
}

func (s *streaming) begin(method string) (*http.Response, *slowBody, *io.PipeWriter) {
	s.t.Helper()
	res := s.open(method, "/bot/v1/channels/slow", "")
	return res, <-s.bodies, <-s.writers
}

func (s *streaming) wait(what string, ch <-chan struct{}) {
	s.t.Helper()
	select {
	case <-ch:
	case <-time.After(patience):
		s.t.Fatal(what)
	}
}

// A body goes out piece by piece, as it comes, and is closed at its end.
func TestChannel_Streams(t *testing.T) {
	t.Parallel()
	s := newStreaming(t)
	res, b, w := s.begin("GET")
	r := bufio.NewReader(res.Body)
	for _, piece := range []string{"one\n", "two\n"} {
		if _, err := io.WriteString(w, piece); err != nil {
			t.Fatal(err)
		}
		if line, err := r.ReadString('\n'); line != piece || err != nil { // it is here before the next is there
			t.Fatal(line, err)
		}
	}
	_ = w.Close()
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Error(rest, err)
	}
	s.wait("the body was not closed at its end", b.closed)
	s.wait("the handler's context goes on after its body", s.ended)

	_, b, _ = s.begin("HEAD")
	s.wait("the body of a HEAD was not closed", b.closed)
}

// Where a body breaks off the connection is cut; where the caller goes, or the server
// stops, it is closed and the handler is told.
func TestChannel_StreamsThatEndEarly(t *testing.T) {
	t.Parallel()
	s := newStreaming(t)
	res, b, w := s.begin("GET")
	_, _ = io.WriteString(w, "one\n")
	_ = w.CloseWithError(io.ErrNoProgress)
	if text, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("a broken body looks whole: %q", text)
	}
	_ = res.Body.Close()
	s.wait("a broken body was not closed", b.closed)
	s.wait("the handler's context goes on", s.ended)

	res, b, _ = s.begin("GET")
	_ = res.Body.Close()
	s.wait("the body of a caller that went was not closed", b.closed)
	s.wait("the handler was not told that its caller went", s.ended)

	_, b, _ = s.begin("GET")
	s.shutdown()
	s.wait("a stream outlived the server", b.closed)
}

// S03 for channels: a page of another origin changes nothing, whatever admits it.
func TestChannel_OtherOrigins(t *testing.T) {
	t.Parallel()
	w := newChannelWorld(t)
	c := w.serve(nil)
	for _, channel := range []string{"default", "ns__open", "judged", "desk"} {
		for _, headers := range [][]string{{"Origin", "https://evil.test"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
			for _, contentType := range []string{"text/plain", "application/x-www-form-urlencoded", "application/json"} {
				h := append([]string{"Content-Type", "-", "Content-Type", contentType, "Authorization", "Bearer " + annsToken, "X-Who", "me"}, headers...)
				c.do("POST", "/bot/v1/channels/"+channel, "{}", h...).want(t, 403, "cross_origin")
			}
		}
	}
	allowed := w.serve(func(o *Options) { o.CORSOrigins = []string{"https://app.test"} })
	a := allowed.do("OPTIONS", "/bot/v1/channels/desk", "", "Origin", "https://app.test", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-api-key, a2a-version")
	if a.status != 204 || a.header.Get("Access-Control-Allow-Methods") != "GET, HEAD, POST" || !strings.HasSuffix(a.header.Get("Access-Control-Allow-Headers"), ", x-api-key, a2a-version") {
		t.Errorf("%d %v", a.status, a.header)
	}
	if a := allowed.do("GET", "/bot/v1/channels/odd/headers", "", "Origin", "https://app.test"); a.header.Get("Access-Control-Allow-Origin") != "https://app.test" {
		t.Errorf("%v", a.header)
	}
}

// A reload brings other routes and other auth at once. While the host drains no handler
// is called.
func TestChannel_DrainAndReload(t *testing.T) {
	t.Parallel()
	w := newChannelWorld(t)
	c := w.serve(nil)
	c.do("GET", "/bot/v1/channels/desk", "").want(t, 401, "unauthorized")
	next := &agent.Agent{Slug: "bot", Model: agent.Model{ID: "scripted"}, Auth: people(), Channels: []*agent.Channel{{ID: "desk", Routes: []*agent.Route{on("GET", "/new", said)}}}}
	if err := w.host.Reload(t.Context(), []*agent.Agent{next}); err != nil {
		t.Fatal(err)
	}
	c.do("GET", "/bot/v1/channels/desk", "").want(t, 404, "not_found")
	c.do("GET", "/bot/v1/channels/default", "").want(t, 404, "not_found")
	c.do("GET", "/bot/v1/channels/desk/new", "").want(t, 200, "")
	c.do("GET", "/bot/v1/info", "").want(t, 401, "unauthorized")
	c.do("GET", "/bot/v1/info", "", "Authorization", "Bearer "+annsToken).want(t, 200, "")
	w.host.Drain()
	c.do("GET", "/bot/v1/channels/desk/new", "").want(t, 503, "draining")
}

// "`acknowledge: true`: the caller gets an empty 202 once the request is durable, the
// handler runs after it and its Response is dropped"; who asks Verify in vain gets no
// 202, and nothing is recorded.
func TestChannel_Acknowledge(t *testing.T) {
	t.Parallel()
	yes, handled := true, make(chan *agent.Request, 10)
	hook := on("POST", "/", func(_ context.Context, c *agent.Call) (*agent.Response, error) {
		handled <- c.Request
		return agent.Text(500, "dropped"), nil
	})
	hook.Acknowledge = &yes
	hook.DeliveryID = func(r *agent.Request) string { return r.Header.Get("X-Delivery") }
	hook.Verify = func(_ context.Context, r *agent.Request) (*agent.Response, error) {
		switch r.Header.Get("X-Signature") {
		case "good":
			return nil, nil
		case "ping":
			return agent.Text(200, "pong"), nil
		}
		return nil, agent.ErrUnauthorized
	}
	c := newChannelWorld(t, &agent.Channel{ID: "hook", Auth: []agent.AuthPolicy{agent.AllowAll()}, Routes: []*agent.Route{hook}}).serve(nil)
	post := func(signature, delivery string) answer {
		return c.do("POST", "/bot/v1/channels/hook?a=1", "raw \x00", "Content-Type", "-", "X-Signature", signature, "X-Delivery", delivery)
	}
	post("bad", "1").want(t, 401, "unauthorized")
	if a := post("ping", "1"); a.status != 200 || a.body != "pong" {
		t.Error(a.status, a.body)
	}
	for _, delivery := range []string{"1", "1", "2"} {
		if a := post("good", delivery); a.status != 202 || a.body != "" {
			t.Error(a.status, a.body)
		}
	}
	for range 2 {
		select {
		case r := <-handled:
			if string(r.Body) != "raw \x00" || r.Query.Get("a") != "1" || r.Received == "" {
				t.Errorf("%+v", r)
			}
		case <-time.After(patience):
			t.Fatal("an acknowledged request was not handled")
		}
	}
	if len(handled) > 0 {
		t.Error("a redelivery was handled")
	}
}

// A session that a channel opens is its caller's, and operators see it: "On loopback
// under `serve --dev`, the session list includes every principal so webhook … sessions
// appear".
func TestChannel_ItsSessions(t *testing.T) {
	t.Parallel()
	send := on("POST", "/", func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		s, err := c.Sessions.Send(ctx, string(c.Request.Body), agent.SendOptions{ContinuationToken: "ticket:1"})
		if err != nil {
			return nil, err
		}
		return agent.JSON(202, s)
	})
	w := newChannelWorld(t, &agent.Channel{ID: "tickets", Auth: people(), Routes: []*agent.Route{send}})
	plain, dev := w.serve(nil), w.serve(func(o *Options) { o.Dev = true })
	var sent struct{ ID string }
	a := plain.do("POST", "/bot/v1/channels/tickets", "hello", "Authorization", "Bearer "+annsToken)
	if err := json.Unmarshal([]byte(a.body), &sent); err != nil || a.status != 202 {
		t.Fatal(a.status, a.body)
	}
	w.settled(sent.ID)
	if a := dev.do("GET", "/bot/v1/sessions", ""); !strings.Contains(a.body, sent.ID) || !strings.Contains(a.body, `"channelId":"tickets"`) || !strings.Contains(a.body, `"principal":{"kind":"bearer","id":"ann"}`) {
		t.Error(a.body)
	}
	if a := plain.do("GET", "/bot/v1/sessions", ""); strings.Contains(a.body, sent.ID) {
		t.Error("a session of somebody else is listed")
	}
	plain.do("GET", "/bot/v1/session/"+sent.ID, "").want(t, 403, "forbidden")
}

package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

// keysOf lists an object's keys in the order in which they were sent.
func keysOf(t *testing.T, body string) string {
	t.Helper()
	members, bad := scan([]byte(body))
	if bad != nil {
		t.Fatal(bad.path, bad.message)
	}
	var keys []string
	for _, m := range members {
		keys = append(keys, m.key)
	}
	return strings.Join(keys, " ")
}

// Key order is that of the reply table.
func TestReplies_KeyOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	base, call := c.parked()
	w.tagged("", map[string]any{"key": "k"}) // the agent's, nobody else's
	rec := w.tagged(strings.TrimPrefix(base, "/bot/v1/session/"), map[string]any{"key": "k", "contents": "x", "contentType": "text/plain", "fileName": "x.txt"})
	inner := func(path, key string) string {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.do("GET", path, "").body), &m); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(strings.TrimPrefix(string(m[key]), "["), "]")
	}
	for _, tc := range []struct{ body, want string }{
		{c.do("POST", "/bot/v1/session", `{"message":"x"}`).body, "ok sessionId continuationToken traceUrl"},
		{c.do("GET", base, "").body, "ok session"},
		{inner(base, "session"), "id title agent channelId mode purpose status createdAt updatedAt turns lastMessage usage principal continuationToken"},
		{c.do("GET", "/bot/v1/sessions?limit=1", "").body, "ok sessions cursor"},
		{c.do("GET", base+"/cost", "").body, "ok sessionId turns total"},
		{inner(base+"/approvals", "approvals"), "requestId callId toolName args turnId requestedAt"},
		{c.do("POST", base+"/approvals/"+call, `{"decision":"deny"}`).body, "ok callId decision"},
		{c.do("POST", base+"/stop", "").body, "ok sessionId stopped"},
		{c.do("POST", "/bot/v1/tools/echo", "").body, "ok toolName callId isError result durationMs"},
		{c.do("POST", "/bot/v1/tools/break", "").body, "ok toolName callId isError message code durationMs"},
		{c.do("GET", "/bot/v1/tools", "").body, "ok tools"},
		{inner("/bot/v1/tools/echo", "tool"), "name description execution effect needsApproval idempotent timeArguments inputSchema source"},
		{c.do("GET", "/bot/v1/info", "").body, "ok agent extensions diagnostics"},
		{inner("/bot/v1/info", "agent"), "slug name runtime model instructions tools skills subagents connections channels schedules hooks artifacts"},
		{c.do("GET", "/v1/health", "").body, "ok status version"},
		{c.do("GET", "/bot/v1/logs", "").body, "ok lines next"},
		{c.do("GET", "/bot/v1/artifacts", "").body, "ok artifacts"},
		{inner("/bot/v1/artifacts", "artifacts"), "id kind key title data sessionId createdAt updatedAt size contentType fileName sha256 hasContent"},
		{inner("/bot/v1/artifacts/"+rec.ID, "artifact"), "id kind key title data sessionId createdAt updatedAt size contentType fileName sha256 hasContent"},
		{c.do("GET", "/bot/v1/nothing", "").body, "ok error message"},
	} {
		want := tc.want
		if strings.HasPrefix(want, "id title") && !strings.Contains(tc.body, `"title"`) {
			want = strings.Replace(want, " title", "", 1)
		}
		if got := keysOf(t, tc.body); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestInfo_DescribesTheAgent(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	var reply struct {
		Agent       AgentInfo
		Extensions  []any
		Diagnostics []agent.Diagnostic
	}
	body := c.do("GET", "/bot/v1/info", "").body
	if err := json.Unmarshal([]byte(body), &reply); err != nil {
		t.Fatal(err)
	}
	a := reply.Agent
	if a.Slug != "bot" || a.Name != "Bot <b>" || a.Runtime != "local" || a.Model != "scripted" || a.Instructions.Chars != 8 || len(a.Tools) != 6 || strings.Contains(body, "null") {
		t.Errorf("%+v", a)
	}
	listed := map[string]bool{}
	for _, r := range a.Channels[0].Routes {
		listed[r.Method+" "+r.Path] = true
	}
	if a.Channels[0].ID != "http" || len(listed) != len(agentRoutes()) || !listed["POST /v1/session/:sessionId/approvals/:callId"] {
		t.Error("the http channel lists every route: ", a.Channels)
	}
}

// "Custom channel routes … become composer commands; GitHub and Slack ingress routes are
// excluded": /v1/info says which are a platform's.
func TestDescribeChannels_Ingress(t *testing.T) {
	t.Parallel()
	signed, plain := on("POST", "/", nil), on("POST", "/drive", nil)
	signed.Verify = func(context.Context, *agent.Request) (*agent.Response, error) { return nil, nil }
	list := describeChannels(&agent.Agent{Channels: []*agent.Channel{{ID: "hook", Routes: []*agent.Route{signed, plain}}}})
	if got := encode(list[1].Routes); got != `[{"method":"POST","path":"/","ingress":true},{"method":"POST","path":"/drive"}]` {
		t.Error(got)
	}
}

func TestDescribeTool_Values(t *testing.T) {
	t.Parallel()
	for approval, want := range map[string]string{agent.ApprovalAlways: "true", agent.ApprovalNever: "false", agent.ApprovalDynamic: `"dynamic"`, "": "false"} {
		got := encode(DescribeTool(&agent.Tool{Name: "x", NeedsApproval: approval, Effect: agent.EffectDynamic, TimeArguments: []string{"at.from"}, OutputSchema: json.RawMessage(`{}`)}))
		if !strings.Contains(got, `"needsApproval":`+want) || !strings.Contains(got, `"timeArguments":["at.from"],"inputSchema":{"type":"object"},"outputSchema":{}`) {
			t.Error(got)
		}
	}
}

func TestTools_List(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	if a := c.do("GET", "/bot/v1/tools", ""); !strings.HasPrefix(a.body, `{"ok":true,"tools":[{"name":"break","title":"BREAK","source":"project"},`) {
		t.Error(a.body)
	}
	if a := c.do("GET", "/other/v1/tools", ""); a.body != "{\"ok\":true,\"tools\":[]}\n" {
		t.Error(a.body)
	}
}

type lines []LogLine

func (l lines) After(n uint64) ([]LogLine, uint64) {
	next := n
	var out []LogLine
	for _, line := range l {
		if line.N > n {
			out, next = append(out, line), line.N
		}
	}
	return out, next
}

func TestLogs_After(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	c := w.serve(func(o *Options) {
		o.Logs = lines{{N: 1, At: at, Level: "info", Message: "one"}, {N: 2, At: at, Level: "warn", Message: "x\n{\"level\":\"info\"}\x1b]0;", Fields: map[string]any{"session": "s"}}}
	})
	if a := c.do("GET", "/bot/v1/logs?after=1", ""); a.body != `{"ok":true,"lines":[{"n":2,"at":"2026-03-01T09:00:00.000Z","level":"warn","message":"x\n{\"level\":\"info\"}\u001b]0;","fields":{"session":"s"}}],"next":2}`+"\n" {
		t.Error(a.body)
	}
	if a := c.do("GET", "/bot/v1/logs", ""); strings.Count(a.body, `"n":`) != 2 || !strings.Contains(a.body, `"fields":{}`) {
		t.Error(a.body)
	}
	if a := c.do("GET", "/bot/v1/logs?after=2", ""); a.body != `{"ok":true,"lines":[],"next":2}`+"\n" {
		t.Error(a.body)
	}
	c.do("GET", "/bot/v1/logs?after=-1", "").want(t, 400, "invalid_query")
}

func TestIndex_EscapesAndForbidsScripts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	a := c.do("GET", "/", "")
	if a.header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error(a.header)
	}
	if !strings.Contains(a.body, "Bot &lt;b&gt;") || !strings.Contains(a.body, "Helps &amp; listens") || strings.Contains(a.body, "<script") || !strings.Contains(a.body, "http://"+c.addr+"/bot") {
		t.Error(a.body)
	}
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(a.body)
	if len(style) != 2 || style[1] != indexStyle {
		t.Error("the style must be the one whose hash the policy has")
	}
	if a := c.do("GET", "/v1/agents", ""); a.body != fmt.Sprintf(`{"ok":true,"agents":[{"slug":"bot","name":"Bot <b>","description":"Helps & listens","url":"http://%s/bot"},{"slug":"other","name":"other","url":"http://%s/other"}]}`, c.addr, c.addr)+"\n" {
		t.Error(a.body)
	}
	none := w.serve(func(o *Options) { o.NoIndex = true })
	none.do("GET", "/", "").want(t, 404, "not_found")
	none.do("GET", "/v1/agents", "").want(t, 404, "not_found")
	none.do("GET", "/v1/health", "").want(t, 200, "")
}

// "`--bearer-token` replaces `localDevStrict()`", with "one body for missing and
// wrong; `WWW-Authenticate` where bearer would do".
func TestBearer_OverTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) { o.BearerToken = "0123456789abcdef" })
	missing := c.do("GET", "/bot/v1/info", "")
	wrong := c.do("GET", "/bot/v1/info", "", "Authorization", "Bearer wrong")
	query := c.do("GET", "/bot/v1/info?token=0123456789abcdef", "")
	for _, a := range []answer{missing, wrong, query} {
		a.want(t, 401, "unauthorized")
		if a.body != missing.body || a.header.Get("WWW-Authenticate") != "Bearer" {
			t.Error(a.body, a.header)
		}
	}
	c.raw("GET /bot/v1/info", "Host: agents.example.com", "authorization: bearer 0123456789abcdef", "X-Forwarded-For: 203.0.113.1").want(t, 200, "")
	m := c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Authorization", "Bearer 0123456789abcdef").want(t, 202, "")
	local := w.serve(nil)
	local.do("GET", "/bot/v1/session/"+m["sessionId"].(string), "").want(t, 403, "forbidden")
	if a := local.do("GET", "/bot/v1/info", "", "Host", "evil.test"); a.header.Get("WWW-Authenticate") != "" {
		t.Error("bearer would not do here")
	}
}

// "the `anonymous` principal under `--allow-anonymous`, list, read and act on every session".
func TestAnonymous_IsAnOperator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) { o.AllowAnonymous = true })
	theirs := w.foreign("bot", "x")
	c.do("GET", "/bot/v1/session/"+theirs, "").want(t, 200, "")
	if n := len(c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 1 {
		t.Error(n)
	}
	c.do("GET", "/bot/v1/info", "", "X-Forwarded-For", "203.0.113.1").want(t, 200, "")
	c.do("GET", "/bot/v1/info", "", "Host", "evil.test").want(t, 401, "unauthorized")
}

// "No CORS headers unless `--cors-origin` names origins."
func TestCORS_NamedOriginsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) { o.CORSOrigins = []string{"https://app.example.com"} })
	page := []string{"Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site"}
	a := c.do("POST", "/bot/v1/session", `{"message":"x"}`, page...)
	a.want(t, 202, "")
	if a.header.Get("Access-Control-Allow-Origin") != "https://app.example.com" || a.header.Get("Vary") != "Origin" || a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error(a.header)
	}
	pre := c.do("OPTIONS", "/bot/v1/session/x", "", append(page, "Access-Control-Request-Method", "PATCH")...)
	if pre.status != 204 || pre.header.Get("Access-Control-Allow-Methods") != "GET, HEAD, PATCH, POST" || !strings.Contains(pre.header.Get("Access-Control-Allow-Headers"), "Idempotency-Key") {
		t.Error(pre.status, pre.header)
	}
	for _, origin := range []string{"https://evil.test", "null", "https://app.example.com.evil.test"} {
		bad := c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Origin", origin)
		bad.want(t, 403, "cross_origin")
		if bad.header.Get("Access-Control-Allow-Origin") != "" || bad.header.Get("Vary") != "Origin" {
			t.Error(bad.header)
		}
		c.do("OPTIONS", "/bot/v1/session", "", "Origin", origin, "Access-Control-Request-Method", "POST").want(t, 405, "method_not_allowed")
	}
	if plain := w.serve(nil).do("OPTIONS", "/bot/v1/session", "", append(page, "Access-Control-Request-Method", "POST")...); plain.status != 405 || plain.header.Get("Vary") != "" {
		t.Error(plain.status, plain.header)
	}
}

func TestSingleMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	host, err := actors.Start(t.Context(), &actors.Options{Journal: w.journal, Agents: []*agent.Agent{{Slug: "solo", Description: "Alone"}}, Models: scriptedModels{}, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	c := w.serve(func(o *Options) { o.Host, o.Mode = host, ModeSingle })
	m := c.do("POST", "/v1/session", `{"message":"x"}`).want(t, 202, "")
	if m["traceUrl"] != "http://"+c.addr+"/v1/session/"+m["sessionId"].(string)+"/events" {
		t.Error(m)
	}
	c.do("GET", "/v1/info", "").want(t, 200, "")
	c.do("GET", "/v1/health", "").want(t, 200, "")
	c.do("GET", "/solo/v1/info", "").want(t, 404, "not_found")
	if a := c.do("GET", "/v1/agents", ""); !strings.Contains(a.body, `"url":"http://`+c.addr+`"`) { // "in single mode both list the one agent"
		t.Error(a.body)
	}
}

// "5xx bodies carry a code + request id only; stack and paths only in the log" (S40).
func TestFail_InternalErrorsAreSilent(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := &handler{o: Options{Logger: zerolog.New(&log)}}
	w := httptest.NewRecorder()
	c := &call{h: h, w: w, r: httptest.NewRequest("GET", "/x", nil)}
	func() {
		defer c.recover()
		panic("secret /srv/bdk/file.go")
	}()
	var m map[string]string
	_ = json.Unmarshal(w.Body.Bytes(), &m)
	if w.Code != 500 || keysOf(t, w.Body.String()) != "ok error requestId" || strings.Contains(w.Body.String(), "secret") {
		t.Error(w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "goroutine ") || !strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), m["requestId"]) {
		t.Error(log.String())
	}
	w = httptest.NewRecorder()
	c = &call{h: h, w: w, r: httptest.NewRequest("GET", "/x", nil)}
	c.fail(fmt.Errorf("reading: %w", &os.PathError{Op: "open", Path: "/secret", Err: os.ErrPermission}))
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Error(w.Body)
	}
}

// Every error that others return has its code, and every code a status.
func TestProblems_AllCodesHaveAStatus(t *testing.T) {
	t.Parallel()
	for _, cause := range causes {
		if statuses[cause.code] == 0 {
			t.Errorf("%s has no status", cause.code)
		}
	}
	for err, want := range map[error]int{
		actors.ErrUnknownSession: 404, actors.ErrUnknownAgent: 404, actors.ErrDeleted: 410, actors.ErrStaleToken: 409, actors.ErrTaskSession: 409, actors.ErrSessionBusy: 409, actors.ErrUnknownCall: 404,
		actors.ErrAlreadyResolved: 409, actors.ErrCallCancelled: 409, actors.ErrCallExpired: 409, actors.ErrTooManyMessages: 429, actors.ErrInFlight: 409, actors.ErrIdempotencyMismatch: 422, actors.ErrDraining: 503,
		actors.ErrCorrupt: 500, actors.ErrAgentExecution: 400, actors.ErrWorkspace: 500, actors.ErrNoSpace: 507, journal.ErrCorrupt: 500, journal.ErrClosed: 503, projections.ErrCursor: 400,
		actors.ErrFault: 500, actors.ErrDecision: 400, journal.ErrFull: 507, &actors.ConversationError{}: 409,
		&actors.UnknownToolError{}: 404, &actors.PathError{}: 400, &agent.InputError{}: 400, context.Canceled: 503,
	} {
		if p := problemOf(fmt.Errorf("doing: %w", err)); p == nil || statuses[p.code] != want {
			t.Errorf("%v: %v", err, p)
		}
	}
	if problemOf(errors.New("other")) != nil {
		t.Error("an unknown error is internal")
	}
}

// "a list that could not catch up with the caller's own last write in 2 s".
func TestCaughtUp_Behind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	c := w.serveHandler(h)
	id, _ := c.started("x")
	h.writes.note(localPrincipal, w.journal.Position()+1)
	a := c.do("GET", "/bot/v1/session/"+id, "")
	a.want(t, http.StatusServiceUnavailable, "view_behind")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestWrites_ForgetNobodysPosition(t *testing.T) {
	t.Parallel()
	w := newWrites()
	for i := range maxWriters + 50 {
		p := somebody
		p.ID = fmt.Sprint(i)
		w.note(p, uint64(i))
	}
	if len(w.last) > maxWriters {
		t.Errorf("%d are remembered", len(w.last))
	}
	for i := range maxWriters + 50 {
		p := somebody
		p.ID = fmt.Sprint(i)
		if w.of(p) < uint64(i) {
			t.Fatalf("the position of %d was forgotten", i)
		}
	}
}

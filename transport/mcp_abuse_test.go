package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const listOf = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`

// onSave calls the tool "save" in the newest revision; rest are more members of the message.
func onSave(rest string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{},` + meta + `}` + rest + `}`
}

var (
	saves = modern("tools/call", "Mcp-Name", "save")
	none  = []string{}
)

// hostile are messages with the error that each gets: header and body that disagree,
// unknown revisions and methods, batches, params that are no object, ids that are none;
// keys that are there twice, or in other letters.
var hostile = []struct {
	body    string
	headers []string
	status  int
	code    int
	id      any
}{
	{listOf, modern("tools/call"), 400, -32020, 1.0},
	{onSave(""), modern("tools/list"), 400, -32020, 1.0},
	{onSave(""), []string{"Mcp-Method", "tools/list"}, 400, -32020, 1.0}, // whatever the revision
	{onSave(""), modern("tools/call", "Mcp-Name", "echo"), 400, -32020, 1.0},
	{onSave(""), modern("tools/call"), 400, -32020, 1.0},
	{onSave(""), []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Name", "save"}, 400, -32020, 1.0},
	{listOf, []string{"Mcp-Method", "tools/list"}, 400, -32020, 1.0}, // the body says a revision, no header does
	{listOf, []string{"MCP-Protocol-Version", "1999-01-01"}, 400, -32022, 1.0},
	{listOf, []string{"MCP-Protocol-Version", "2099-01-01"}, 400, -32022, 1.0},
	{listOf, []string{"MCP-Protocol-Version", "2025-03-26"}, 400, -32022, 1.0},
	{listOf, []string{"MCP-Protocol-Version", "2026-07-28", "MCP-Protocol-Version", "2025-11-25"}, 400, -32022, 1.0},
	{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, []string{"MCP-Protocol-Version", "1999-01-01"}, 400, -32022, nil},
	{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, modern("tools/call"), 400, -32020, nil},
	{`{"jsonrpc":"2.0","id":"a","method":"no/such","params":{` + meta + `}}`, modern("no/such"), 404, -32601, "a"},
	{`{"jsonrpc":"2.0","id":"a","method":"no/such"}`, none, 200, -32601, "a"},
	{`{"jsonrpc":"2.0","id":"a","method":"prompts/list"}`, []string{"MCP-Protocol-Version", "2025-11-25"}, 200, -32601, "a"},
	{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` + meta + `}}`, modern("initialize"), 404, -32601, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + meta + `}}`, modern("subscriptions/listen"), 404, -32601, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, none, 200, -32601, 1.0},
	{`[` + listOf + `]`, none, 400, -32600, nil},
	{" \n [" + onSave("") + `]`, saves, 400, -32600, nil},
	{`[]`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, modern("tools/list"), 400, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":1.5}}}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":[1]}}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":null}}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"save"}}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_tool"}}`, none, 200, -32602, 1.0},
	{`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":1e3,"method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":true,"method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":"\ud800","method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"save"}}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":1,"result":{}}`, none, 400, -32600, nil},
	{`{"jsonrpc":"1.0","id":1,"method":"tools/list"}`, none, 400, -32600, 1.0},
	{`{"id":1,"method":"tools/list"}`, none, 400, -32600, 1.0},
	{`{"jsonrpc":"2.0","id":1}`, none, 400, -32600, 1.0},
	{`{"jsonrpc":"2.0","id":1,"method":7}`, none, 400, -32600, 1.0},
	{`{"jsonrpc":"2.0","id":1,"Method":"tools/list"}`, none, 400, -32600, nil},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","param` + "ſ" + `":{}}`, none, 400, -32600, nil},
	{onSave(`,"method":"tools/list"`), saves, 400, -32700, nil},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"save"}}`, none, 400, -32700, nil},
	{onSave("") + `{}`, saves, 400, -32700, nil},
	{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + strings.Repeat(`{"a":`, 70) + `1` + strings.Repeat(`}`, 70) + `}`, none, 400, -32700, nil},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", none, 400, -32700, nil},
	{`{"jsonrpc":"2.0"`, none, 400, -32700, nil},
	{`"tools/list"`, none, 400, -32700, nil},
	{listOf, []string{"Accept", "text/html"}, 400, -32600, 1.0},
}

// C79 and S31, with S10 and go-sdk's CVE-2026-27896.
func TestMCP_Hostile(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for _, b := range hostile {
		for _, path := range mcpRoutes {
			a := c.do("POST", "/bot"+path, b.body, b.headers...)
			if path == "/v1/mcp" && b.code == -32602 && strings.Contains(b.body, `"save"`) && a.status == 200 && a.rpc(t).Error.Code == -32602 {
				continue // there is no tool of this name here
			}
			if !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
				t.Errorf("%s %v: %d %v %s", b.body, b.headers, a.status, a.header, a.body)
				continue
			}
			r := a.rpc(t)
			if a.status != b.status || r.Error.Code != b.code || r.ID != b.id || r.Error.Message == "" {
				t.Errorf("%s %v: %d %s, want %d %d with the id %v", b.body, b.headers, a.status, a.body, b.status, b.code, b.id)
			}
			if b.code == -32022 && !strings.Contains(string(r.Error.Data), `"supported":["2026-07-28","2025-11-25","2025-06-18"]`) {
				t.Errorf("the versions that there are: %s", r.Error.Data)
			}
		}
	}
	for _, path := range mcpRoutes {
		if a := c.do("POST", "/bot"+path, "", "Content-Type", "application/json"); a.status != 400 || a.rpc(t).Error.Code != -32700 {
			t.Errorf("no body: %d %s", a.status, a.body)
		}
	}
}

// C82: "Cross-site text/plain POST runs a tool": each header alone is refused, and the tool does not run.
func TestMCP_CrossSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{}}}`
	for _, path := range mcpRoutes {
		for _, headers := range [][]string{
			{"Content-Type", "-", "Content-Type", "text/plain", "Origin", "https://evil.test", "Sec-Fetch-Site", "cross-site"},
			{"Origin", "https://evil.test"},
			{"Origin", "null"},
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
		} {
			c.do("POST", "/bot"+path, body, headers...).want(t, 403, "cross_origin")
		}
		for _, contentType := range []string{"text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", "application/json; charset=utf-16"} {
			req := c.do("POST", "/bot"+path, body, "Content-Type", "-", "Content-Type", contentType)
			req.want(t, 415, "unsupported_media_type")
		}
		c.do("POST", "/bot"+path, body, "Host", "evil.test").want(t, 401, "unauthorized")
		c.do("POST", "/bot"+path+"?x=1", body).want(t, 400, "invalid_query")
		c.do("POST", "/bot"+path, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"`+strings.Repeat("x", 1<<20)+`"}}`).want(t, 413, "body_too_large")
	}
	if head, err := w.journal.Head("agt_bot"); head != 0 || err != nil {
		t.Errorf("a tool ran: the agent's log has %d events, %v", head, err)
	}
}

// S31: "closing the response stream cancels the call", in each revision.
func TestMCP_ClosingCancels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	for i, headers := range [][]string{modern("tools/call", "Mcp-Name", "hold"), {"MCP-Protocol-Version", "2025-11-25"}, {}} {
		ctx, cancel := context.WithCancel(t.Context())
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","arguments":{}%s}}`, map[bool]string{true: "," + meta}[i == 0])
		done := make(chan error, 1)
		go func() { done <- c.abandon(ctx, "/bot/v1/mcp/tools", body, headers...) }()
		from := uint64(2 * i)
		w.happened(from, "tool.called")
		cancel()
		if err := <-done; err == nil {
			t.Error("the request was answered")
		}
		if d := w.happened(from+1, "tool.result").Data.(*events.ToolResult); d.Code != events.CodeCancelled {
			t.Errorf("with %v the call ended as %+v", headers, d)
		}
	}
}

// abandon sends a request and goes away when ctx ends; an answer before that is no error.
func (c *client) abandon(ctx context.Context, path, body string, headers ...string) error {
	req, err := http.NewRequestWithContext(ctx, "POST", "http://"+c.addr+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// A full host has no space.
type full struct{ host }

func (full) Admit() error { return actors.ErrNoSpace }

// A host that panics where it is asked.
type panics struct{ host }

func (panics) Ask(context.Context, actors.Ask) (actors.AskReply, error) { panic("boom") }

// happened waits for an event of the agent's own log.
func (w *world) happened(index uint64, want string) *events.Event {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	for lines, err := range w.journal.Follow(ctx, "agt_bot", index) {
		if err != nil {
			w.t.Fatal(err)
		}
		e, err := events.Decode(lines[0].Data)
		if err != nil || e.Type != want {
			w.t.Fatalf("%v: %s", err, lines[0].Data)
		}
		return e
	}
	w.t.Fatalf("no %s came at %d", want, index)
	return nil
}

// A host that stops, or has no space, says so before anything is asked of the agent.
func TestMCP_Draining(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	w.host.Drain()
	for _, path := range mcpRoutes {
		a := c.do("POST", "/bot"+path, listOf, modern("tools/list")...)
		a.want(t, 503, "draining")
		if a.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
}

func TestMCP_NoSpace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.host = full{h.host}
	c := w.serveHandler(h)
	c.do("POST", "/bot/v1/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"message":"x"}}}`).want(t, 507, "insufficient_storage")
	c.do("POST", "/bot/v1/mcp/tools", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`).want(t, 507, "insufficient_storage")
	id := w.foreign("bot", "x")
	if r := c.mcpCall("/v1/mcp", "check", encode(map[string]any{"sessionId": id})); !strings.HasPrefix(r.text(), "forbidden") {
		t.Errorf("a read goes on: %+v", r)
	}
}

// One server is kept for each agent and route, and a reload replaces it.
func TestMCP_ServersAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	c := w.serveHandler(h)
	get := func(tools bool) *mcpServer { return h.mcp.of(h, w.host.Agent("bot"), tools) }
	tools, session := get(true), get(false)
	if get(true) != tools || get(false) != session || tools == session {
		t.Error("servers are made for each request")
	}
	before := w.host.Agent("bot")
	next := *before
	next.Tools = []*agent.Tool{tool("fresh", agent.EffectRead, agent.ApprovalNever, echo)}
	if err := w.host.Reload(t.Context(), []*agent.Agent{&next, w.host.Agent("other")}); err != nil {
		t.Fatal(err)
	}
	if r := c.mcpCall("/v1/mcp/tools", "fresh", `{"a":1}`); r.text() != `{"a":1}` {
		t.Errorf("a tool that came with the reload: %+v", r)
	}
	a := c.do("POST", "/bot/v1/mcp/tools", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if strings.Contains(a.body, "echo") || len(h.mcp.kept) != 2 {
		t.Errorf("%d servers are kept: %s", len(h.mcp.kept), a.body)
	}
}

// A tool whose schema the SDK cannot offer is left out, and the others are there.
func TestMCP_ToolThatCannotBeOffered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	bad := tool("bad", agent.EffectRead, agent.ApprovalNever, echo)
	bad.InputSchema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"not a header"}}}`)
	next := *w.host.Agent("bot")
	next.Tools = []*agent.Tool{bad, tool("good", agent.EffectRead, agent.ApprovalNever, echo)}
	if err := w.host.Reload(t.Context(), []*agent.Agent{&next, w.host.Agent("other")}); err != nil {
		t.Fatal(err)
	}
	if r := c.mcpCall("/v1/mcp/tools", "good", `{}`); r.IsError {
		t.Errorf("%+v", r)
	}
	if a := c.do("POST", "/bot/v1/mcp/tools", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); strings.Contains(a.body, `"bad"`) {
		t.Error(a.body)
	}
}

// A tool that panics is an error result that says nothing of why.
func TestMCP_PanicInAHandler(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.host = panics{h.host}
	c := w.serveHandler(h)
	r := c.mcpCall("/v1/mcp", "ask", `{"message":"x"}`)
	if !r.IsError || !strings.HasPrefix(r.text(), "internal: ") || strings.Contains(r.text(), "boom") {
		t.Errorf("%+v", r)
	}
}

// A turn that says nothing for a while is still there.
func TestMCP_QuietTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.heartbeat = time.Millisecond
	c := w.serveHandler(h)
	body := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":{"message":"/call hold {}"},"_meta":{"progressToken":1}}}`
	res := c.open("POST", "/bot/v1/mcp", body)
	defer func() { _ = res.Body.Close() }()
	waits, over := false, false
	for s := bufio.NewScanner(res.Body); s.Scan(); {
		line := s.Text()
		if strings.Contains(line, "still running") && !waits {
			waits = true
			close(w.release)
		}
		over = over || strings.Contains(line, `\"status\":\"finished\"`)
	}
	if !waits || !over {
		t.Errorf("it said that it waits: %v, that it has finished: %v", waits, over)
	}
}

// "Open streams per principal …: 429": an ask that is answered as a stream is one.
func TestMCP_StreamsAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(func(o *Options) { o.Limits.StreamsPerCaller = 1 })
	c := w.serveHandler(h)
	for range localFactor {
		sl, err := h.streams.take(t.Context(), localPrincipal)
		if err != nil {
			t.Fatal(err)
		}
		defer sl.release()
	}
	body := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":{"message":"x"},"_meta":{"progressToken":1}}}`
	c.do("POST", "/bot/v1/mcp", body, "Accept", "application/json, text/event-stream").want(t, 429, "too_many_streams")
	if a := c.do("POST", "/bot/v1/mcp", body, "Accept", "application/json"); a.status != 200 {
		t.Error(a.status, a.body)
	}
}

// What is refused is said as it is.
func TestMCP_SaysWhatAnIDIs(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for body, says := range map[string]string{
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`:                     "from -2^53 to 2^53",
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"save"}}`:                  `"tools/call" is a request, which needs an id`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1e3}}}`: "from -2^53 to 2^53",
	} {
		if r := c.do("POST", "/bot/v1/mcp", body).rpc(t); !strings.Contains(r.Error.Message, says) {
			t.Errorf("%s: %q, want %q", body, r.Error.Message, says)
		}
	}
	// connections.md: "`ask {message, sessionId?, title?, waitSeconds?: 60}`"
	if list := c.do("POST", "/bot/v1/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body; strings.Count(list, `"default":60`) != 2 {
		t.Errorf("the tools are %s", list)
	}
}

// "up to 2025-11-25 initialize and ping, in 2026-07-28 server/discover"
func TestMCP_MethodsOfRevisions(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for method, want := range map[string][2]int{"initialize": {0, -32601}, "ping": {0, -32601}, "server/discover": {-32601, 0}, "tools/list": {0, 0}} {
		before := c.do("POST", "/bot/v1/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
		now := c.do("POST", "/bot/v1/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+meta+`}}`, modern(method)...)
		if got := [2]int{before.rpc(t).Error.Code, now.rpc(t).Error.Code}; got != want {
			t.Errorf("%s: %v, want %v", method, got, want)
		}
	}
}

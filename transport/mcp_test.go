package transport

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// modern are the headers of a message of the newest revision.
func modern(method string, more ...string) []string {
	return append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Accept", "application/json, text/event-stream"}, more...)
}

// meta is what every request of the newest revision carries.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// An rpcAnswer is a message that came back.
type rpcAnswer struct {
	ID     any             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

func (a answer) rpc(t *testing.T) rpcAnswer {
	t.Helper()
	var r rpcAnswer
	if err := json.Unmarshal([]byte(a.body), &r); err != nil {
		t.Fatalf("%v in %d %s", err, a.status, a.body)
	}
	return r
}

// A toolResult is the result of tools/call.
type toolResult struct {
	Content []struct{ Type, Text string } `json:"content"`
	Object  json.RawMessage               `json:"structuredContent"`
	IsError bool                          `json:"isError"`
}

func (r toolResult) text() string {
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		return fmt.Sprint(r.Content)
	}
	return r.Content[0].Text
}

// mcpCall calls a tool on a route of the agent "bot", as a client of the newest revision.
func (c *client) mcpCall(path, tool, args string, headers ...string) toolResult {
	c.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`, tool, args, meta)
	a := c.do("POST", "/bot"+path, body, append(modern("tools/call", "Mcp-Name", tool), headers...)...)
	if a.status != 200 {
		c.t.Fatalf("%s %s: %d %s", tool, args, a.status, a.body)
	}
	var r toolResult
	if err := json.Unmarshal(a.rpc(c.t).Result, &r); err != nil {
		c.t.Fatalf("%v in %s", err, a.body)
	}
	return r
}

// same says whether the text is the object as JSON; the SDK escapes the object for HTML.
func (r toolResult) same() bool {
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(r.Object))
	return plain == r.text()
}

func replyOf(t *testing.T, r toolResult) actors.AskReply {
	t.Helper()
	var reply actors.AskReply
	if err := json.Unmarshal(r.Object, &reply); err != nil || r.IsError || !r.same() {
		t.Fatalf("%v: %s with %s", err, r.text(), r.Object)
	}
	return reply
}

var mcpRoutes = []string{"/v1/mcp", "/v1/mcp/tools"}

// "Stateless streamable HTTP; GET and DELETE answer 405 with Allow: POST"; C77: with a JSON body.
func TestMCP_OnlyPosts(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for _, path := range mcpRoutes {
		for _, method := range []string{"GET", "DELETE"} {
			a := c.do(method, "/bot"+path, "", "Accept", "text/event-stream", "Mcp-Session-Id", "x", "Last-Event-ID", "1")
			a.want(t, 405, "method_not_allowed")
			if a.header.Get("Allow") != "POST" {
				t.Errorf("%s %s: Allow is %q", method, path, a.header.Get("Allow"))
			}
		}
	}
}

// "Session and event-id headers are ignored and never sent." "Notifications: 202, empty."
func TestMCP_SessionsAndNotifications(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for _, path := range mcpRoutes {
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":"é","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
			`{"jsonrpc":"2.0","id":"é","method":"tools/list"}`,
		} {
			a := c.do("POST", "/bot"+path, body, "Mcp-Session-Id", "of-another-server", "Last-Event-ID", "7")
			if r := a.rpc(t); a.status != 200 || r.ID != "é" || r.Error.Code != 0 {
				t.Errorf("%s: %d %s", body, a.status, a.body)
			}
			if a.header.Get("Mcp-Session-Id") != "" || a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers: %v", a.header)
			}
		}
		for _, body := range []string{
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`{"jsonrpc":"2.0","method":"notifications/of/tomorrow","params":{}}`,
		} {
			if a := c.do("POST", "/bot"+path, body); a.status != 202 || a.body != "" {
				t.Errorf("%s: %d %q", body, a.status, a.body)
			}
		}
	}
}

// "Speaks the newest revision of the specification that the SDK supports and the two before it."
func TestMCP_Revisions(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	if want := []string{"2026-07-28", "2025-11-25", "2025-06-18"}; !slices.Equal(mcpVersions, want) {
		t.Errorf("the SDK's newest are %v: read what changed, then %v here", mcpVersions, want)
	}
	for asked, given := range map[string]string{"2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "2025-03-26": "2025-11-25", "2024-11-05": "2025-11-25", "2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25"} {
		a := c.do("POST", "/bot/v1/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, asked))
		var r struct {
			ProtocolVersion string         `json:"protocolVersion"`
			Capabilities    map[string]any `json:"capabilities"`
			ServerInfo      map[string]any `json:"serverInfo"`
			Instructions    string         `json:"instructions"`
		}
		if err := json.Unmarshal(a.rpc(t).Result, &r); err != nil || r.ProtocolVersion != given {
			t.Errorf("initialize with %s: %s, want %s", asked, a.body, given)
		}
		if len(r.Capabilities) != 1 || r.Capabilities["tools"] == nil || r.ServerInfo["name"] != "bot" || r.ServerInfo["version"] != "test" || r.Instructions != "Helps & listens" {
			t.Errorf("the server says of itself: %+v", r)
		}
	}
	a := c.do("POST", "/bot/v1/mcp", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`, modern("server/discover")...)
	var d struct {
		SupportedVersions []string `json:"supportedVersions"`
		ResultType        string   `json:"resultType"`
		TTLMs             *int     `json:"ttlMs"`
		CacheScope        string   `json:"cacheScope"`
	}
	if err := json.Unmarshal(a.rpc(t).Result, &d); err != nil || !slices.Equal(d.SupportedVersions, mcpVersions) || d.ResultType != "complete" || d.TTLMs == nil || d.CacheScope != "private" {
		t.Errorf("server/discover: %d %s", a.status, a.body)
	}
}

// "/v1/mcp: ask, check, and call_tool when server tools exist"; "/v1/mcp/tools lists the
// deterministic server tools themselves, with their schemas and annotations"; S31: "tools/list order stable".
func TestMCP_Tools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	list := func(path string) []map[string]any {
		var r struct {
			Tools []map[string]any `json:"tools"`
		}
		a := c.do("POST", path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if err := json.Unmarshal(a.rpc(t).Result, &r); err != nil {
			t.Fatal(a.body)
		}
		return r.Tools
	}
	names := func(path string) (names []string) {
		for _, tool := range list(path) {
			names = append(names, tool["name"].(string))
		}
		return names
	}
	for path, want := range map[string][]string{
		"/bot/v1/mcp": {"ask", "call_tool", "check"}, "/other/v1/mcp": {"ask", "check"},
		"/bot/v1/mcp/tools": {"break", "echo", "hold", "merge", "save", "tag"}, "/other/v1/mcp/tools": nil,
	} {
		for range 3 {
			if got := names(path); !slices.Equal(got, want) {
				t.Errorf("%s lists %v, want %v", path, got, want)
			}
		}
	}
	for _, tool := range list("/bot/v1/mcp/tools") {
		reads := tool["name"] != "save" && tool["name"] != "merge"
		notes := tool["annotations"].(map[string]any)
		if notes["readOnlyHint"] != reads || notes["destructiveHint"] != !reads || notes["idempotentHint"] != reads || tool["title"] != strings.ToUpper(tool["name"].(string)) {
			t.Errorf("%v", tool)
		}
		if s := tool["inputSchema"].(map[string]any); s["type"] != "object" {
			t.Errorf("the schema of %s is %v", tool["name"], s)
		}
	}
	for _, tool := range list("/bot/v1/mcp") {
		if (tool["outputSchema"] != nil) != (tool["name"] != "call_tool") {
			t.Errorf("the output schema of %s is %v", tool["name"], tool["outputSchema"])
		}
	}
}

// "ask … as structured content and as JSON text"; "check → the same shape"; "Ownership as on the HTTP routes."
func TestMCP_AskAndCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	first := replyOf(t, c.mcpCall("/v1/mcp", "ask", `{"message":"<hello> & more","title":"T"}`))
	if first.Status != "finished" || first.Reply == "" || !strings.Contains(first.Reply, "<hello> & more") {
		t.Fatalf("%+v", first)
	}
	// what may be left out may be null, as models write it
	if got := replyOf(t, c.mcpCall("/v1/mcp", "ask", `{"message":"one","sessionId":null,"title":null,"waitSeconds":null}`)); got.Status != "finished" {
		t.Errorf("with nulls: %+v", got)
	}
	if r := c.mcpCall("/v1/mcp", "ask", `{"message":null}`); !r.IsError || !strings.Contains(r.text(), "message: is required") {
		t.Errorf("without a message: %+v", r)
	}
	again := replyOf(t, c.mcpCall("/v1/mcp", "ask", encode(map[string]any{"message": "two", "sessionId": first.SessionID, "waitSeconds": 30.5})))
	if again.SessionID != first.SessionID || again.ContinuationToken != first.ContinuationToken || !strings.Contains(again.Reply, "two") {
		t.Errorf("%+v, then %+v", first, again)
	}
	if got := replyOf(t, c.mcpCall("/v1/mcp", "check", encode(map[string]any{"sessionId": first.SessionID}))); got != again {
		t.Errorf("check: %+v", got)
	}
	c.do("POST", "/bot/v1/session/"+first.SessionID, encode(map[string]any{"message": "three", "continuationToken": again.ContinuationToken})).want(t, 202, "")
	row := c.do("GET", "/bot/v1/session/"+first.SessionID, "").want(t, 200, "")["session"].(map[string]any)
	if row["channelId"] != "mcp" || row["title"] != "T" || row["mode"] != "chat" {
		t.Errorf("the session is listed as %v", row)
	}
	theirs := w.foreign("bot", "theirs")
	elsewhere := w.foreign("other", "theirs")
	for _, tool := range []string{"ask", "check"} {
		for id, code := range map[string]string{theirs: "forbidden", elsewhere: "unknown_session", "ses_01J0000000000000000000000A": "unknown_session"} {
			args := map[string]any{"sessionId": id}
			if tool == "ask" {
				args["message"] = "x"
			}
			if r := c.mcpCall("/v1/mcp", tool, encode(args)); !r.IsError || !strings.HasPrefix(r.text(), code+": ") || r.Object != nil {
				t.Errorf("%s of %s: %+v, want %s", tool, id, r, code)
			}
		}
	}
	dev := w.serve(func(o *Options) { o.Dev = true })
	replyOf(t, dev.mcpCall("/v1/mcp", "check", encode(map[string]any{"sessionId": theirs})))
}

// A call whose arguments do not fit is an error result that says where.
func TestMCP_BadArguments(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for _, b := range []struct{ tool, args, says string }{
		{"ask", `{}`, "message: is required"},
		{"ask", `{"message":" "}`, "message: must not be blank"},
		{"ask", `{"message":1}`, "message: must be a string"},
		{"ask", `{"message":"x","Message":"y"}`, `Message: this field is written "message"`},
		{"ask", `{"message":"x","waitSeconds":-1}`, "waitSeconds: must be a number from 0 to 600"},
		{"ask", `{"message":"x","waitSeconds":"1"}`, "waitSeconds: must be a number"},
		{"ask", `{"message":"x","sessionId":""}`, "sessionId: must not be empty"},
		{"ask", `{"message":"x","sessionId":"ses_1","title":"t"}`, "title: is for a new session"},
		{"check", `{}`, "sessionId: is required"},
		{"call_tool", `{}`, "name: is required"},
		{"call_tool", `{"name":"echo","input":[]}`, "input: must be an object"},
		{"call_tool", `{"name":"nope"}`, "unknown_tool: this agent has no tool of this name; there are: break, echo, hold"},
		{"call_tool", `{"name":"ech\ud800"}`, "name: has half of a surrogate pair"},
		{"call_tool", `{"name":"echo","input":{"bad":1}}`, "bad: must not be there"},
	} {
		if r := c.mcpCall("/v1/mcp", b.tool, b.args); !r.IsError || !strings.Contains(r.text(), b.says) {
			t.Errorf("%s %s: %+v, want %q", b.tool, b.args, r, b.says)
		}
	}
}

// "call_tool {name, input}"; arguments are checked by the tool's own schema, and a
// call that a person must approve says so.
func TestMCP_CallTool(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	for _, by := range []struct{ path, tool, args string }{
		{"/v1/mcp/tools", "echo", `{"big":9007199254740993,"text":"<é>"}`},
		{"/v1/mcp", "call_tool", `{"name":"echo","input":{"big":9007199254740993,"text":"<é>"}}`},
	} {
		if r := c.mcpCall(by.path, by.tool, by.args); r.IsError || r.text() != `{"big":9007199254740993,"text":"<é>"}` || !r.same() {
			t.Errorf("%s: %s with %s", by.tool, r.text(), r.Object)
		}
	}
	for tool, says := range map[string]string{"echo": "bad: must not be there", "break": "it broke"} {
		args := `{"bad":true}`
		if tool == "break" {
			args = `{}`
		}
		if r := c.mcpCall("/v1/mcp/tools", tool, args); !r.IsError || !strings.Contains(r.text(), says) {
			t.Errorf("%s: %+v", tool, r)
		}
	}
	for _, r := range []toolResult{c.mcpCall("/v1/mcp/tools", "merge", `{}`), c.mcpCall("/v1/mcp", "call_tool", `{"name":"merge"}`)} {
		if !r.IsError || !strings.HasPrefix(r.text(), "approval_required: ") || !strings.Contains(r.text(), "the tool ask") {
			t.Errorf("a call that needs approval: %+v", r)
		}
	}
	for _, args := range []string{`{"name":"echo"}`, `{"name":"echo","input":null}`} {
		if r := c.mcpCall("/v1/mcp", "call_tool", args); r.text() != "{}" {
			t.Errorf("without input: %+v", r)
		}
	}
	log, err := w.journal.Read("agt_bot", 0, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	e, err := events.Decode(log[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := e.Data.(*events.ToolCalled); !ok || d.ToolName != "echo" || d.Principal != localPrincipal {
		t.Errorf("the agent's log begins with %+v", e.Data)
	}
}

// A schema that is no object's is offered as one; results that are text are text.
func TestMCP_SchemasAndResults(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		``: `{"type":"object"}`, `{}`: `{"type":"object"}`, `true`: `{"type":"object"}`, `null`: `{"type":"object"}`,
		`{"anyOf":[{"type":"object"}]}`:       `{"anyOf":[{"type":"object"}],"type":"object"}`,
		`{"type":"object","properties":{}}`:   `{"type":"object","properties":{}}`,
		`{"type":["object","null"],"x":1e30}`: `{"type":"object","x":1e30}`,
	} {
		if got := string(ofObject(json.RawMessage(in))); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{`"a\nb"`: "a\nb", `12`: "12", `[1]`: "[1]", ``: "null", `{"a":1}`: `{"a":1}`} {
		r := resultOf(agent.Result{Output: json.RawMessage(in)}, false)
		if got := encode(r.Content[0]); !strings.Contains(got, encode(want)) || (r.StructuredContent != nil) != strings.HasPrefix(in, "{") {
			t.Errorf("%s becomes %s with %v", in, got, r.StructuredContent)
		}
	}
}

// A progressNote is one notification of progress.
type progressNote struct {
	Method string `json:"method"`
	Params struct {
		ProgressToken any     `json:"progressToken"`
		Progress      float64 `json:"progress"`
		Message       string  `json:"message"`
		Meta          struct {
			SessionID string `json:"sessionId"`
		} `json:"_meta"`
	} `json:"params"`
}

// "progress notifications (an SSE answer) when the client asked for them".
func TestMCP_Progress(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	call := func(token, accept string) answer {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":{"message":"/call echo {\"n\":1}"}%s}}`, token)
		return c.do("POST", "/bot/v1/mcp", body, "Accept", accept)
	}
	a := call(`,"_meta":{"progressToken":"p1"}`, "application/json, text/event-stream")
	if a.status != 200 || a.header.Get("Content-Type") != "text/event-stream" || a.header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("%d %v %s", a.status, a.header, a.body)
	}
	var said []string
	var last float64
	var session string
	var reply rpcAnswer
	for s := bufio.NewScanner(strings.NewReader(a.body)); s.Scan(); {
		line, ok := strings.CutPrefix(s.Text(), "data: ")
		if strings.HasPrefix(s.Text(), "id:") {
			t.Errorf("an event id: %s", s.Text())
		}
		if !ok {
			continue
		}
		var n progressNote
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatal(line)
		}
		if n.Method == "" {
			reply = answer{body: line}.rpc(t)
			continue
		}
		if reply.ID != nil || n.Method != "notifications/progress" || n.Params.ProgressToken != "p1" || n.Params.Progress <= last {
			t.Errorf("after progress %v: %s", last, line)
		}
		last, session = n.Params.Progress, n.Params.Meta.SessionID
		said = append(said, n.Params.Message)
	}
	if want := []string{"the session is " + session, "the turn has started", "step 1", "calls echo", "echo has answered", "step 2"}; !slices.Equal(said, want) {
		t.Errorf("it said %q, want %q", said, want)
	}
	var r toolResult
	if err := json.Unmarshal(reply.Result, &r); err != nil || replyOf(t, r).Status != "finished" || replyOf(t, r).SessionID != session {
		t.Errorf("the answer: %s", reply.Result)
	}
	for _, plain := range []answer{call("", "application/json, text/event-stream"), call(`,"_meta":{"progressToken":"p1"}`, "application/json")} {
		if plain.header.Get("Content-Type") != "application/json" {
			t.Errorf("nobody asked for a stream, or takes one: %v", plain.header)
		}
	}
	if only := call("", "text/event-stream"); only.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("the caller takes a stream alone: %v", only.header)
	}
}

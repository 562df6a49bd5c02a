package transport

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors/agent"
)

// newStore is a server with one tool.
func newStore(t *testing.T) string {
	s := sdk.NewServer(&sdk.Implementation{Name: "store", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "find", Title: "Find", Description: "Finds.", InputSchema: json.RawMessage(`{"type":"object","required":["q"]}`)},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "found"}}}, nil
		})
	h := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(h.Close)
	return h.URL
}

// "GET /v1/tools: {ok, tools: [{name, title?, source}], connectionErrors?: [{connection,
// message}]}", and both routes of a tool serve those of connections; "a call that needs
// approval": the caller is the person.
func TestTools_OfConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	url := newStore(t)
	bot, other := *w.host.Agent("bot"), w.host.Agent("other")
	bot.Connections = []*agent.Connection{
		{Name: "down", URL: "http://127.0.0.1:1", Advertise: true, Source: "project"}, {Name: "hidden", URL: url, HostOnly: true},
		{Name: "store", URL: url, Advertise: true, NeedsApproval: map[string]bool{"*": true}, Source: "project"},
	}
	if err := w.host.Reload(t.Context(), []*agent.Agent{&bot, other}); err != nil {
		t.Fatal(err)
	}
	c := w.serve(nil)
	list := c.do("GET", "/bot/v1/tools", "")
	for _, want := range []string{`{"name":"store__find","title":"Find","source":"mcp:store"}]`, `"connectionErrors":[{"connection":"down","message":"connection down: it cannot be opened: dial tcp`} {
		if list.status != 200 || !strings.Contains(list.body, want) {
			t.Errorf("the list is %d %s, want %s", list.status, list.body, want)
		}
	}
	one := c.do("GET", "/bot/v1/tools/store__find", "")
	if want := `"effect":"write","needsApproval":true,"idempotent":false,"timeArguments":[],"inputSchema":{"type":"object","required":["q"]},"source":"mcp:store"`; one.status != 200 || !strings.Contains(one.body, want) {
		t.Errorf("the tool is %d %s", one.status, one.body)
	}
	if got := c.do("POST", "/bot/v1/tools/store__find", `{"input":{"q":1}}`); got.status != 200 || !strings.Contains(got.body, `"isError":false,"result":{"content":[{"type":"text","text":"found"}]}`) {
		t.Errorf("the call gives %d %s", got.status, got.body)
	}
	if got := c.do("POST", "/bot/v1/tools/store__find", `{"input":{}}`); got.status != 400 || !strings.Contains(got.body, `"invalid_input"`) {
		t.Errorf("a bad call gives %d %s", got.status, got.body)
	}
	if got := c.do("GET", "/bot/v1/tools/store__fnd", ""); got.status != 404 || !strings.Contains(got.body, `"store__find"`) {
		t.Errorf("an unknown tool gives %d %s", got.status, got.body)
	}
	info := c.do("GET", "/bot/v1/info", "")
	for _, want := range []string{`"connections":[{"name":"down","source":"project","kind":"http","hostOnly":false,"advertiseTools":true}`, `"rule":"connection/unreachable"`} {
		if !strings.Contains(info.body, want) {
			t.Errorf("info is %s, want %s", info.body, want)
		}
	}
	if got := c.do("GET", "/other/v1/tools", ""); strings.Contains(got.body, "connectionErrors") {
		t.Errorf("an agent without connections: %s", got.body)
	}
}

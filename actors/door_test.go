package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A door is an MCP server that takes its newest token alone, and the authorization
// server for it.
type door struct {
	url string
	// tokens counts those that were given; the newest is good, unless it is locked.
	tokens atomic.Int32
	locked atomic.Bool
	writes atomic.Int32
}

func newDoor(t *testing.T) *door {
	t.Helper()
	d := &door{}
	server := sdk.NewServer(&sdk.Implementation{Name: "door", Version: "1"}, nil)
	said := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	server.AddTool(&sdk.Tool{Name: "hello", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said("hello"), nil })
	server.AddTool(&sdk.Tool{Name: "write", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		d.writes.Add(1)
		return said("written"), nil
	})
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	d.url = s.URL + "/mcp"
	tools := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if n := d.tokens.Load(); d.locked.Load() || n == 0 || r.Header.Get("Authorization") != fmt.Sprint("Bearer good-", n) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/resource"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		tools.ServeHTTP(w, r)
	})
	say := func(path string, status func() int, body func() any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status())
			_ = json.NewEncoder(w).Encode(body())
		})
	}
	ok := func() int { return 200 }
	say("/resource", ok, func() any { return map[string]any{"resource": d.url, "authorization_servers": []string{s.URL}} })
	say("/.well-known/oauth-authorization-server", ok, func() any {
		return map[string]any{"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
			"registration_endpoint": s.URL + "/register", "code_challenge_methods_supported": []string{"S256"}}
	})
	say("/register", ok, func() any { return map[string]any{"client_id": "c1"} })
	say("/token", ok, func() any {
		return map[string]any{"access_token": fmt.Sprint("good-", d.tokens.Add(1)), "token_type": "Bearer"}
	})
	return d
}

// connection is one to the server.
func (d *door) connection(name string) *agent.Connection {
	return &agent.Connection{Name: name, URL: d.url, OAuth: &agent.OAuth{}, Advertise: true}
}

const doorScript = `
- when: /^hello$/
  steps: [ { call: [ { door__hello: {} } ] }, { say: "It said {{ index .results 0 }}." } ]
- when: /^write$/
  steps: [ { call: [ { door__write: {} } ] }, { say: "Done." } ]
- when: /^both$/
  steps: [ { call: [ { door__hello: {} }, { door__write: {} }, { look: { n: 1 } } ] }, { say: "Done." } ]
- when: /^knock$/
  steps: [ { call: [ { door__authorize: {} } ] }, { call: [ { door__hello: {} } ] }, { say: "Done." } ]
- when: /^gateway$/
  steps: [ { call: [ { mcp: { connection: door, tool: write } } ] }, { say: "Done." } ]
- when: /^gateway list$/
  steps: [ { call: [ { mcp: { connection: door } } ] }, { say: "Done." } ]
- when: /^code$/
  steps: [ { call: [ { through: {} } ] }, { say: "Done." } ]
- when: /^other$/
  steps: [ { say: "Well." } ]
`

// newDoored is a house whose agent has connections; browsers reach it.
func newDoored(t *testing.T, o actors.Options, connections ...*agent.Connection) *house {
	t.Helper()
	if o.PublicURL == nil {
		o.PublicURL = func(context.Context) (string, error) { return "https://agents.example.com/bdk", nil }
	}
	return newShapedHouse(t, o, doorScript, func(a *agent.Agent) {
		a.Connections = connections
		a.Channels = []*agent.Channel{{ID: "desk", Approvals: true}, {ID: "mute"}}
		a.Tools = append(a.Tools, newTool(t, "through", func(ctx context.Context, _ map[string]any, c *agent.Call) (json.RawMessage, error) {
			return c.MCP.CallTool(ctx, "door", "hello", nil)
		}, nil))
	})
}

// wanted waits until the session is parked for a connection for the nth time, and gives the request.
func (h *house) wanted(id string, n int) *events.AuthorizationRequested {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 60*time.Second)
	defer cancel()
	for lines, err := range h.journal.Follow(ctx, id, 0) {
		if err != nil {
			h.t.Fatalf("%v; the log so far:\n%s", err, h.story(id))
		}
		for _, l := range lines {
			if events.TypeOf(l.Data) != "authorization.requested" {
				continue
			}
			if n--; n > 0 {
				continue
			}
			e, err := events.Decode(l.Data)
			if err != nil {
				h.t.Fatal(err)
			}
			h.rest(id, "parked")
			return e.Data.(*events.AuthorizationRequested)
		}
	}
	return nil
}

// comesBack plays a person who has been at a link: it agrees, unless it answers otherwise.
func (h *house) comesBack(link string, otherwise ...string) error {
	h.t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		h.t.Fatal(err)
	}
	if back := u.Query().Get("redirect_uri"); back != "https://agents.example.com/bdk/v1/oauth/callback" {
		h.t.Errorf("people come back to %s", back)
	}
	query := url.Values{"state": {u.Query().Get("state")}, "code": {"c"}}
	for _, code := range otherwise {
		query.Del("code")
		query.Set("error", code)
	}
	_, err = h.host.FinishAuthorization(h.t.Context(), query)
	return err
}

// authorized starts a session, whose first call waits until somebody has been at its link.
func (h *house) authorized(s actors.NewSession) actors.Accepted {
	h.t.Helper()
	s.Agent, s.Principal = "tester", local
	a := h.startWith(s)
	if err := h.comesBack(h.wanted(a.SessionID, 1).URL); err != nil {
		h.t.Fatal(err)
	}
	return a
}

// told are what became of the session's requests and calls, in order.
func (h *house) told(id string) string {
	h.t.Helper()
	var list []string
	for _, e := range h.log(id) {
		switch d := e.Data.(type) {
		case *events.AuthorizationRequested:
			list = append(list, "ask "+d.Connection)
		case *events.AuthorizationCompleted:
			list = append(list, d.Outcome+" "+d.Connection)
		case *events.InputRequested:
			list = append(list, "approve? "+d.ToolName)
		case *events.ActionResult:
			if d.IsError {
				list = append(list, d.ToolName+" "+d.Code+" "+string(d.Output))
				break
			}
			list = append(list, d.ToolName+" ok")
		case *events.TurnCompleted:
			list = append(list, "completed")
		case *events.TurnFailed:
			list = append(list, "failed "+d.Code)
		}
	}
	return strings.Join(list, "; ")
}

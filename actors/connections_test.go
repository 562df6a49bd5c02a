package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const connectionScript = `
- when: /^read$/
  steps: [ { call: [ { files__read: { path: a } } ] }, { say: "Got {{ index .results 0 }}." } ]
- when: /^write$/
  steps: [ { call: [ { files__write: { path: a } } ] }, { say: "Wrote." } ]
- when: /^wrong$/
  steps: [ { call: [ { files__read: { path: 5 } }, { files__reed: {} } ] }, { say: "Wrong." } ]
- when: /^list$/
  steps: [ { call: [ { mcp: { connection: hidden } } ] }, { call: [ { mcp: { connection: hidden, tool: write, args: { path: b } } } ] }, { say: "Done." } ]
- when: /^hang$/
  steps: [ { call: [ { files__hang: {} } ] }, { say: never } ]
- when: /^ask (.*)$/
  steps: [ { call: [ { me__ask: { message: "$1", waitSeconds: 30 } } ] }, { say: "It said so." } ]
- when: /^round$/
  steps: [ { call: [ { me__ask: { message: round } } ] }, { say: "{{ index .results 0 }}" } ]
- when: /^on$/
  steps: [ { call: [ { careful__ask: { message: "on", waitSeconds: 0 } } ] }, { say: "{{ index .results 0 }}" } ]
- when: /^via mcp (.*)$/
  steps: [ { call: [ { mcp: { connection: quiet, tool: ask, args: { message: "$1" } } } ] }, { say: "It said so." } ]
`

// A shelf is a server of files that counts what is written.
type shelf struct {
	url    string
	writes atomic.Int32
	hangs  chan struct{}
	end    chan struct{}
	server *sdk.Server
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{hangs: make(chan struct{}, 8), end: make(chan struct{})}
	path := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)
	server := sdk.NewServer(&sdk.Implementation{Name: "files", Version: "1"}, nil)
	said := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	server.AddTool(&sdk.Tool{Name: "read", Description: "Reads.", InputSchema: path, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return said("text of " + string(r.Params.Arguments)), nil
		})
	server.AddTool(&sdk.Tool{Name: "write", Description: "Writes.", InputSchema: path}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.writes.Add(1)
		return said("ok"), nil
	})
	server.AddTool(&sdk.Tool{Name: "hang", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.hangs <- struct{}{}
		select {
		case <-ctx.Done():
		case <-s.end: // a stateless server is not told that its caller has gone
		}
		return said("late"), nil
	})
	h := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() { close(s.end); h.Close() })
	s.url, s.server = h.URL, server
	return s
}

func newConnected(t *testing.T, o actors.Options, connections ...*agent.Connection) *house {
	t.Helper()
	return newShapedHouse(t, o, connectionScript, func(a *agent.Agent) { a.Connections = connections })
}

// results are those of a session's calls, "name code output".
func (h *house) results(id string) (list []string) {
	for _, e := range h.log(id) {
		if d, ok := e.Data.(*events.ActionResult); ok {
			list = append(list, strings.Join(strings.Fields(fmt.Sprint(d.ToolName, " ", d.Code, " ", d.Stubbed, " ", string(d.Output))), " "))
		}
	}
	return list
}

// "with advertiseTools the model sees <connection>__<tool>; without, it reaches them through the mcp tool"
func TestConnections_WhatTheModelSees(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true}, &agent.Connection{Name: "hidden", URL: s.url},
		&agent.Connection{Name: "secret", URL: s.url, HostOnly: true})
	a := h.start("read")
	h.rest(a.SessionID, "waiting")
	if got := h.results(a.SessionID); len(got) != 1 || got[0] != `files__read false {"content":[{"type":"text","text":"text of {\"path\":\"a\"}"}]}` {
		t.Errorf("results are %q", got)
	}
	var names []string
	for _, tool := range h.requests.to("Test.")[0].Tools {
		names = append(names, tool.Name)
	}
	if text := strings.Join(names, " "); !strings.HasSuffix(text, " mcp files__hang files__read files__write") || strings.Contains(text, "secret") {
		t.Errorf("the model sees %s", text)
	}
	b := h.start("list")
	h.rest(b.SessionID, "waiting")
	if got := h.results(b.SessionID); len(got) != 2 || !strings.Contains(got[0], `"tools":[{"name":"hang"`) || got[1] != `mcp false {"content":[{"type":"text","text":"ok"}]}` {
		t.Errorf("results are %q", got)
	}
	c := h.start("wrong")
	h.rest(c.SessionID, "waiting")
	if got := h.results(c.SessionID); len(got) != 2 || !strings.Contains(got[0], events.CodeInvalidInput) || !strings.Contains(got[1], "did you mean files__read") {
		t.Errorf("results are %q", got)
	}
}

// "Dry run: read tools run, write tools answer dryRunResult …; this holds for … MCP tools
// (those not marked read-only count as writes)"
func TestConnections_DryRun(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true}, &agent.Connection{Name: "hidden", URL: s.url})
	for message, stubbed := range map[string]string{"read": "false", "write": "true", "list": "true"} {
		a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: message, DryRun: true})
		h.rest(a.SessionID, "waiting")
		got := h.results(a.SessionID)
		if last := got[len(got)-1]; !strings.Contains(last, " "+stubbed+" ") {
			t.Errorf("%s: results are %q", message, got)
		}
	}
	if n := s.writes.Load(); n != 0 {
		t.Errorf("%d writes", n)
	}
}

// A call that needs an approval parks, also over a restart, and runs as it was asked for;
// what is another tool by then does not run.
func TestConnections_Approval(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true, NeedsApproval: map[string]bool{"*": true}})
	approve := func(id string) {
		d := h.until(id, "input.requested").Data.(*events.InputRequested)
		if d.ToolName != "files__write" {
			t.Errorf("asked for %s", d.ToolName)
		}
		if _, err := h.host.ResolveApproval(t.Context(), id, d.CallID, actors.Decision{Decision: "approve", By: local}); err != nil {
			t.Fatal(err)
		}
		h.rest(id, "waiting")
	}
	a := h.start("write")
	h.rest(a.SessionID, "parked")
	h.restart()
	approve(a.SessionID)
	if s.writes.Load() != 1 {
		t.Fatalf("%d writes: %q", s.writes.Load(), h.results(a.SessionID))
	}
	b := h.start("write")
	h.rest(b.SessionID, "parked")
	s.server.AddTool(&sdk.Tool{Name: "write", Description: "Writes elsewhere.", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.writes.Add(1)
		return &sdk.CallToolResult{}, nil
	})
	approve(b.SessionID)
	if got := h.results(b.SessionID); s.writes.Load() != 1 || !strings.Contains(got[0], "has changed since the call was approved") {
		t.Errorf("%d writes: %q", s.writes.Load(), got)
	}
	if found := h.host.Findings("tester"); len(found) != 1 || found[0].Rule != "connection/tool-changed" {
		t.Errorf("findings are %v", found)
	}
}

// "STOP returns < 1 s", whatever the server does.
func TestConnections_Stop(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true})
	a := h.start("hang")
	<-s.hangs
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if got, err := h.host.Stop(ctx, a.SessionID); err != nil || !got.Stopped {
		t.Errorf("got %+v, %v", got, err)
	}
	h.rest(a.SessionID, "waiting")
}

// "A server that cannot list its tools is skipped and reported under connectionErrors"
func TestConnections_Unreachable(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true}, &agent.Connection{Name: "down", URL: "http://127.0.0.1:1", Advertise: true})
	a := h.start("read")
	h.rest(a.SessionID, "waiting")
	tools, faults := h.host.ConnectionTools(t.Context(), "tester")
	if len(tools) != 3 || len(faults) != 1 || faults[0].Connection != "down" {
		t.Errorf("got %d tools, %v", len(tools), faults)
	}
	if found := h.host.Findings("tester"); len(found) != 1 || found[0].Rule != "connection/unreachable" {
		t.Errorf("findings are %v", found)
	}
}

// "Who skips the gate: HTTP POST /v1/tools, bdk call …: the caller is the person"
func TestConnections_DirectCall(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "files", URL: s.url, Advertise: true, NeedsApproval: map[string]bool{"*": true}}, &agent.Connection{Name: "hidden", URL: s.url})
	got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "files__write", Input: json.RawMessage(`{"path":"a"}`), Principal: local})
	if err != nil || got.Result.IsError || s.writes.Load() != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	if got, err = h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "files__read", Input: json.RawMessage(`{"path":"a"}`), SessionID: a.SessionID, Principal: local}); err != nil || got.Result.IsError {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "mcp", Principal: local}); err != actors.ErrAgentExecution {
		t.Errorf("the tool of models alone: %v", err)
	}
}

// "waiting for a peer … it gives it back": an agent with one place asks itself, and both end.
func TestConnections_PeerGivesThePlaceBack(t *testing.T) {
	t.Parallel()
	o := actors.Options{MaxRunningTurns: 1}
	h := newConnected(t, o, &agent.Connection{Name: "me", Agent: "tester", Advertise: true}, &agent.Connection{Name: "quiet", Agent: "tester"})
	for _, message := range []string{"ask hello", "via mcp hello", "ask ask hello"} {
		a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: message})
		h.rest(a.SessionID, "waiting")
		var reply struct {
			StructuredContent struct{ Status, SessionID, Reply string }
		}
		for _, e := range h.log(a.SessionID) {
			if d, ok := e.Data.(*events.ActionResult); ok {
				if err := json.Unmarshal(d.Output, &reply); err != nil {
					t.Fatalf("%s: %v", d.Output, err)
				}
			}
		}
		want := "I heard: hello"
		if message == "ask ask hello" {
			want = "It said so."
		}
		if got := reply.StructuredContent; got.Status != "finished" || got.Reply != want {
			t.Fatalf("%s: got %+v", message, got)
		}
		other, err := h.host.Session(t.Context(), reply.StructuredContent.SessionID)
		if err != nil || other.Owner != local {
			t.Errorf("the peer's session is of %+v, %v", other.Owner, err)
		}
	}
}

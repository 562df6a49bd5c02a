package transport

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The span of a request says which session and which tool it was about, also where
// the body alone names them, as MCP does.
func TestTrace_WhatARequestIsAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended := make(chan string, 1)
	c := w.serve(func(o *Options) {
		o.Trace = func(r *http.Request, route string) func(Traced) {
			return func(e Traced) {
				ended <- fmt.Sprint(r.Method, " ", route, " ", e.Status, " ", e.Session, " ", e.Tool)
			}
		}
	})
	var got []string
	reply := replyOf(t, c.mcpCall("/v1/mcp", "ask", `{"message":"hello"}`))
	got = append(got, <-ended)
	c.mcpCall("/v1/mcp", "check", `{"sessionId":"`+reply.SessionID+`"}`)
	got = append(got, <-ended)
	c.mcpCall("/v1/mcp", "call_tool", `{"name":"echo","input":{}}`)
	got = append(got, <-ended)
	c.mcpCall("/v1/mcp/tools", "echo", `{}`)
	got = append(got, <-ended)
	c.do("POST", "/bot/v1/tools/echo", `{"input":{}}`)
	got = append(got, <-ended)
	c.do("GET", "/bot/v1/session/"+reply.SessionID, "")
	got = append(got, <-ended)
	want := []string{
		"POST /{agent}/v1/mcp 200 " + reply.SessionID + " ask", "POST /{agent}/v1/mcp 200 " + reply.SessionID + " check", "POST /{agent}/v1/mcp 200  echo",
		"POST /{agent}/v1/mcp/tools 200  echo", "POST /{agent}/v1/tools/{toolName} 200  echo", "GET /{agent}/v1/session/{sessionId} 200 " + reply.SessionID + " ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("requests:\n%s\nexpected:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

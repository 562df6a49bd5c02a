package everything

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/mcp"
	"github.com/gobdk/bdk/test/npm"
)

func program(t *testing.T) string {
	t.Helper()
	npm.Install(t, ".")
	file, err := filepath.Abs("node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// serve starts the server over HTTP and gives its port when it answers.
func serve(t *testing.T, transport string) int {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	cmd := exec.Command("node", program(t), transport)
	cmd.Env = append(os.Environ(), "PORT="+strconv.Itoa(port))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(30 * time.Second); ; {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			_ = conn.Close()
			return port
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		<-time.After(20 * time.Millisecond)
	}
}

// "url: streamable HTTP (falls back to SSE servers of the older revision)"; "command: stdio"
func TestEverything(t *testing.T) {
	file := program(t)
	connections := []*agent.Connection{
		{Name: "stdio", Command: "node", Args: []string{file}, Env: map[string]string{"GREETING": "hi"}},
		{Name: "http", URL: fmt.Sprintf("http://127.0.0.1:%d/mcp", serve(t, "streamableHttp"))},
		{Name: "sse", URL: fmt.Sprintf("http://127.0.0.1:%d/sse", serve(t, "sse"))},
	}
	for _, c := range connections {
		c.Advertise = true
	}
	p := mcp.New(&mcp.Options{Agent: "tester", Connections: connections, Environ: append(os.Environ(), "LEAK=secret")})
	t.Cleanup(p.Close)
	for _, c := range connections {
		t.Run(c.Name, func(t *testing.T) { check(t, p, c.Name) })
	}
	if found := p.Findings(); len(found) > 0 {
		t.Errorf("findings are %v", found)
	}
	if got := call(t, p, "stdio", "get-env", `{}`); !strings.Contains(got, "GREETING") || strings.Contains(got, "LEAK") {
		t.Errorf("the server's environment is %s", got)
	}
}

func check(t *testing.T, p *mcp.Pool, name string) {
	for tool, want := range map[string][2]string{
		"echo":                   {`{"message":"hello"}`, `{"content":[{"type":"text","text":"Echo: hello"}]}`},
		"get-sum":                {`{"a":2,"b":40}`, `42`},
		"get-structured-content": {`{"location":"New York"}`, `"structuredContent":{`},
		"get-tiny-image":         {`{}`, `"type":"image"`},
		"get-resource-links":     {`{"count":2}`, `"type":"resource_link"`},
	} {
		if got := call(t, p, name, tool, want[0]); !strings.Contains(got, want[1]) {
			t.Errorf("%s: got %.300s", tool, got)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := p.For(mcp.Caller{}).CallTool(ctx, name, "echo", json.RawMessage(`{"message":5}`)); err == nil || !strings.Contains(err.Error(), "message: must be a string") {
		t.Errorf("bad arguments gave %v", err)
	}
	uri := "demo://resource/static/document/features.md"
	if raw, err := p.For(mcp.Caller{}).ReadResource(ctx, name, uri); err != nil || !strings.Contains(string(raw), uri) {
		t.Errorf("the resource is %.300s, %v", raw, err)
	}
	long, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, err := p.For(mcp.Caller{}).CallTool(long, name, "trigger-long-running-operation", json.RawMessage(`{"duration":60,"steps":2}`)); err == nil {
		t.Error("a long call went on after its time")
	}
	p.Learn(ctx, true)
	if p.Advertised(name+"__get-sum") == nil {
		t.Error("the model is not shown get-sum")
	}
}

func call(t *testing.T, p *mcp.Pool, connection, tool, args string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	raw, err := p.For(mcp.Caller{Principal: events.Principal{Kind: "local", ID: "local"}}).CallTool(ctx, connection, tool, json.RawMessage(args))
	if err != nil {
		t.Errorf("%s: %v", tool, err)
	}
	return string(raw)
}

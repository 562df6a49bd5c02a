package script

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// fakeMCP echoes what it is asked.
type fakeMCP struct{}

func (fakeMCP) Names() []string { return []string{"app", "github"} }

func (fakeMCP) ListTools(_ context.Context, connection string) (json.RawMessage, error) {
	if connection == "down" {
		return nil, errors.New("connection down: it cannot be opened")
	}
	return json.RawMessage(`[{"name":"ask","inputSchema":{"type":"object"}}]`), nil
}

func (fakeMCP) CallTool(_ context.Context, connection, tool string, args json.RawMessage) (json.RawMessage, error) {
	text, err := json.Marshal(connection + "." + tool + string(args))
	return json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`), err
}

func (fakeMCP) ReadResource(_ context.Context, _, uri string) (json.RawMessage, error) {
	return json.RawMessage(`{"contents":[{"uri":"` + uri + `","text":"t"}]}`), nil
}

// "ctx.host.mcp: names(), listTools(connection), callTool(connection, tool, args) → the
// MCP result, readResource(connection, uri)"
func TestHostMCP(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"tools/all.ts": `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({ description: "x", inputSchema: { type: "object" }, async execute(_, ctx) {
  const mcp = ctx.host.mcp, said = [];
  for (const f of [() => mcp.listTools("down"), () => mcp.callTool("app", "ask", [])]) {
    try { await f(); } catch (e) { said.push(e.message); }
  }
  const result = await mcp.callTool("app", "ask", { message: "hi", waitSeconds: 0 });
  return { names: mcp.names(), tools: (await mcp.listTools("app")).map((t) => t.name), text: result.content[0].text, bare: (await mcp.callTool("app", "ask")).content[0].text,
    read: (await mcp.readResource("app", "memo:a")).contents[0], said };
} });`,
	}
	r := load(t, files).rt
	got, err := r.CallTool(t.Context(), "tools/all", OpExecute, &agent.Call{MCP: fakeMCP{}})
	const want = `{"names":["app","github"],"tools":["ask"],"text":"app.ask{\"message\":\"hi\",\"waitSeconds\":0}","bare":"app.ask{}","read":{"uri":"memo:a","text":"t"},` +
		`"said":["connection down: it cannot be opened","callTool needs its arguments as an object"]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := r.CallTool(t.Context(), "tools/all", OpExecute, &agent.Call{}); err == nil || err.Error() != errNoConnections.Error() {
		t.Errorf("a call without connections: %v", err)
	}
}

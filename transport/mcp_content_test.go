package transport

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// A result of the protocol passes as it is; what only looks like one is JSON.
func TestMCP_ResultsOfTheProtocol(t *testing.T) {
	t.Parallel()
	const image = `{"type":"image","mimeType":"image/png","data":"aGk="}`
	for in, kinds := range map[string]string{
		`{"content":[` + image + `]}`:                                                         "image",
		`{"content":[{"type":"text","text":"a"},` + image + `],"_meta":{"a":1}}`:              "text image",
		`{"content":[{"type":"audio","mimeType":"audio/wav","data":"aGk="}]}`:                 "audio",
		`{"content":[{"type":"resource","resource":{"uri":"x://y","text":"t"}}]}`:             "resource",
		`{"content":[{"type":"resource_link","uri":"x://y","name":"y"}]}`:                     "resource_link",
		`{"content":[{"type":"text","text":"no"}],"isError":true}`:                            "text",
		`{"content":[{"type":"text","text":"s"}],"structuredContent":{"n":9007199254740993}}`: "text",
		`{"content":[` + image + `],"more":1}`:                                                "",
		`{"content":[]}`:                                                                      "",
		`{"content":"text"}`:                                                                  "",
		`{"content":[{"type":"image","data":"aGk="}]}`:                                        "",
		`{"content":[{"type":"image","mimeType":"image/png","data":"not base64"}]}`:           "",
		`{"content":[{"type":"video","data":"aGk="}]}`:                                        "",
	} {
		for _, promised := range []bool{false, true} {
			r := resultOf(agent.Result{Output: json.RawMessage(in)}, promised)
			var made struct {
				Content []struct{ Type string }
				Object  json.RawMessage `json:"structuredContent"`
			}
			if err := json.Unmarshal([]byte(encode(r)), &made); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range made.Content {
				got = append(got, c.Type)
			}
			want := kinds
			if kinds == "" {
				want = "text"
			}
			if strings.Join(got, " ") != want || r.IsError != strings.Contains(in, "isError") {
				t.Errorf("%s becomes %s", in, encode(r))
			}
			switch {
			case kinds == "" || promised:
				if string(made.Object) != in {
					t.Errorf("%s (promised: %v) has the structure %s", in, promised, made.Object)
				}
			case strings.Contains(in, "structured") != strings.Contains(string(made.Object), "9007199254740993"):
				t.Errorf("%s has the structure %s", in, made.Object)
			}
		}
	}
}

// "structuredContent: with an outputSchema the result fits it": what is too long for
// the log is no such result, and is said to be too long.
func TestMCP_LongResultOfATool(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := func(context.Context, *agent.Call) (agent.Result, error) {
		return agent.Result{Output: json.RawMessage(`{"text":"` + strings.Repeat("x", 2<<20) + `"}`)}, nil
	}
	promising := tool("promising", agent.EffectRead, agent.ApprovalNever, long)
	promising.OutputSchema = json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)
	next := *w.host.Agent("bot")
	next.Tools = []*agent.Tool{promising, tool("silent", agent.EffectRead, agent.ApprovalNever, long)}
	if err := w.host.Reload(t.Context(), []*agent.Agent{&next, w.host.Agent("other")}); err != nil {
		t.Fatal(err)
	}
	c := w.serve(nil)
	r := c.mcpCall("/v1/mcp/tools", "promising", `{}`)
	if !r.IsError || r.Object != nil || !strings.Contains(r.text(), "its result of 2097163 bytes is too long") || !strings.Contains(r.text(), "outputs/tool_promising_") {
		t.Errorf("%+v", r)
	}
	for _, r := range []toolResult{c.mcpCall("/v1/mcp/tools", "silent", `{}`), c.mcpCall("/v1/mcp", "call_tool", `{"name":"promising"}`)} {
		if r.IsError || !strings.HasPrefix(r.text(), `{"truncated":true`) {
			t.Errorf("%.200s", r.text())
		}
	}
}

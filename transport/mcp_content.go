package transport

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
)

// resultKeys are those that a result of the protocol may have; content it must have.
var resultKeys = map[string]bool{"content": true, "structuredContent": true, "isError": true, "_meta": true}

// protocolResult is a tool's result that is one of the protocol itself, such as an
// image: {"content": [{"type": "image", …}]}. Nil where it is not, or where a part of
// it does not say what the protocol wants to know.
func protocolResult(output json.RawMessage) *mcp.CallToolResult {
	var members map[string]json.RawMessage
	if json.Unmarshal(output, &members) != nil || members["content"] == nil {
		return nil
	}
	for key := range members {
		if !resultKeys[key] {
			return nil
		}
	}
	out := &mcp.CallToolResult{}
	if json.Unmarshal(output, out) != nil || len(out.Content) == 0 {
		return nil
	}
	for _, c := range out.Content {
		if !isContent(c) {
			return nil
		}
	}
	if raw, ok := members["structuredContent"]; ok {
		out.StructuredContent = nil
		if string(raw) != "null" {
			out.StructuredContent = raw
		}
	}
	return out
}

// isContent says whether a part of a result has what its kind needs.
func isContent(c mcp.Content) bool {
	switch c := c.(type) {
	case *mcp.TextContent:
		return true
	case *mcp.ImageContent:
		return c.MIMEType != "" && len(c.Data) > 0
	case *mcp.AudioContent:
		return c.MIMEType != "" && len(c.Data) > 0
	case *mcp.ResourceLink:
		return c.URI != "" && c.Name != ""
	case *mcp.EmbeddedResource:
		return c.Resource != nil && c.Resource.URI != ""
	}
	return false
}

// tooLong is what a caller gets whom a schema was promised, when the result is longer
// than the log holds: what is left of it does not fit the schema.
func tooLong(a *actors.ToolAnswer) *mcp.CallToolResult {
	text := fmt.Sprintf("the tool ran, and its result of %d bytes is too long to be given here: ask it for less; the whole is in the file %s of the agent's storage", a.Long.Bytes, a.Long.File)
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

package agent

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
)

// A Connection reaches the tools of an MCP server, or of another agent of the host.
// Exactly one of URL, Command and Agent is set.
type Connection struct {
	// Name is the file's, or <ns>__<name> of an extension.
	Name        string
	Description string
	// Source is "project", "extension:<ns>" or "plugin:<name>".
	Source string
	// HostOnly keeps it from the model: code alone sees it.
	HostOnly bool
	// URL is of a streamable HTTP server, or of an SSE one of an older revision.
	// ${NAME} in Headers and Env is filled from the agent's environment when a client opens.
	URL     string
	Headers map[string]string
	Command string
	Args    []string
	Env     map[string]string
	Cwd     string
	// Agent is the slug of a peer, which gives ask and check.
	Agent string
	// Advertise shows each tool to the model as <connection>__<tool>; otherwise the
	// model reaches them through the mcp tool.
	Advertise bool
	// Allow and Deny choose tools by name; Allow nil: all.
	Allow, Deny []string
	// NeedsApproval and Effect by tool name, "*" for the others. A tool without an
	// effect has the one that its server's readOnlyHint says.
	NeedsApproval map[string]bool
	Effect        map[string]string
	// OAuth says that the host obtains tokens; nil: it does not.
	OAuth *OAuth
	// Optional skips the connection where it cannot be reached.
	Optional bool
	// Lookup gives a variable of the agent's environment; nil: none is set.
	Lookup func(name string) (string, bool)
	// Secrets may stand in what is above, such as in URL, and nobody may read them in a
	// log or an error. The client secret of OAuth is one in any case.
	Secrets []string
}

// Variable is the form of a place in Headers and Env that is filled from the
// agent's environment; its first group is the name.
var Variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Variables lists the names that Headers and Env are filled with, sorted.
func (c *Connection) Variables() []string {
	found := map[string]bool{}
	for _, texts := range []map[string]string{c.Headers, c.Env} {
		for _, text := range texts {
			for _, m := range Variable.FindAllStringSubmatch(text, -1) {
				found[m[1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// OAuth says how the host obtains tokens for a connection. The zero value finds all by itself.
type OAuth struct {
	ClientID     string   `json:"clientId,omitempty"`
	ClientSecret string   `json:"clientSecret,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
}

// MCP reaches an agent's connections, those of host code included. Results are
// those of the protocol, as JSON.
type MCP interface {
	// Names lists the connections, sorted.
	Names() []string
	// ListTools gives the array of the server's tools.
	ListTools(ctx context.Context, connection string) (json.RawMessage, error)
	CallTool(ctx context.Context, connection, tool string, args json.RawMessage) (json.RawMessage, error)
	ReadResource(ctx context.Context, connection, uri string) (json.RawMessage, error)
}

// A Platform calls methods of a platform's API: params and result are JSON. Which
// methods there are is the platform's: "chat.postMessage" of Slack, "GET
// /repos/{owner}/{repo}" of GitHub.
type Platform interface {
	Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

package mcp

import "testing"

// The official suite against a route. The file names what does not apply, with why;
// what passes all the same, or fails and is not named, fails the test.
func conformance(t *testing.T, route, baseline string) {
	t.Helper()
	t.Parallel()
	said, ok := node(t, "--import", "./conformance/node20.mjs", "node_modules/@modelcontextprotocol/conformance/dist/index.js", "server",
		"--url", serve(t)+route, "--suite", "all", "--expected-failures", "conformance/"+baseline)
	t.Log(said)
	if !ok {
		t.Error("the suite is not satisfied with " + route)
	}
}

// connections.md: "The official conformance suite for servers passes on both routes
// as far as it applies."
func TestConformance_Chat(t *testing.T) { conformance(t, "/v1/mcp", "chat.yml") }

func TestConformance_Tools(t *testing.T) { conformance(t, "/v1/mcp/tools", "tools.yml") }

package mcp

import (
	"os"
	"testing"
)

// suite runs the official suite. The file names what does not apply, with why; what
// passes all the same, or fails and is not named, fails the test.
func suite(t *testing.T, baseline string, args ...string) {
	t.Helper()
	t.Parallel()
	said, ok := node(t, append([]string{"--import", "./conformance/node20.mjs", "node_modules/@modelcontextprotocol/conformance/dist/index.js"},
		append(args, "--expected-failures", "conformance/"+baseline)...)...)
	t.Log(said)
	if !ok {
		t.Error("the suite is not satisfied")
	}
}

// connections.md: "The official conformance suite for servers passes on both routes
// as far as it applies."
func TestConformance_Chat(t *testing.T) {
	suite(t, "chat.yml", "server", "--suite", "all", "--url", serve(t)+"/v1/mcp")
}

func TestConformance_Tools(t *testing.T) {
	suite(t, "tools.yml", "server", "--suite", "all", "--url", serve(t)+"/v1/mcp/tools")
}

// The client in it is this test's own program: see authorizedClient.
func TestConformance_Authorization(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	suite(t, "client.yml", "client", "--suite", "all", "--command", "env "+asClient+"=1 "+self)
}

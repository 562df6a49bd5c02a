package agent_test

import (
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
)

// The three ways to a server: over HTTP, a program that the host starts, and another
// agent of the host.
func ExampleConnection() {
	issues := &agent.Connection{
		Name: "issues", URL: "https://issues.example/mcp", Headers: map[string]string{"Authorization": "Bearer ${ISSUES_TOKEN}"},
		Lookup: func(name string) (string, bool) { return "secret", name == "ISSUES_TOKEN" },
		Allow:  []string{"list", "close"}, NeedsApproval: map[string]bool{"close": true}, Effect: map[string]string{"*": agent.EffectRead, "close": agent.EffectWrite},
		Advertise: true, Optional: true,
	}
	files := &agent.Connection{Name: "files", Command: "npx", Args: []string{"-y", "some-server", "."}, HostOnly: true}
	peer := &agent.Connection{Name: "desk", Agent: "desk"}
	for _, c := range []*agent.Connection{issues, files, peer, {Name: "none", Cwd: "/srv"}} {
		fmt.Println(c.Name, c.Variables(), "is wrong:", c.Check())
	}
	// Output:
	// issues [ISSUES_TOKEN] is wrong: <nil>
	// files [] is wrong: <nil>
	// desk [] is wrong: <nil>
	// none [] is wrong: connection "none": it has 0 of URL, Command and Agent, and a connection has one of them
}

package cli

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/transport"
)

// cli.md, info: "what was discovered: agents[], model, tools, skills, connections, …".
func TestSheet_Connections(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	(&sheet{out: &b}).connections([]transport.ConnectionInfo{
		{Name: "docs", Kind: "http", AdvertiseTools: true, Description: "The handbook.\nAll of it."},
		{Name: "keys", Kind: "stdio", HostOnly: true},
		{Name: "planner", Kind: "agent", Description: "Plans."},
	})
	want := `  connections   3
    docs                   http, tools shown      The handbook.
    keys                   stdio, for host code
    planner                agent                  Plans.
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if (&sheet{out: &b}).connections(nil); b.Len() > 0 {
		t.Errorf("none gives %q", b.String())
	}
}

package cli

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "`info` shows each contribution with its source and what an overlay did."
func TestInfo_Mount(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	(&sheet{out: &b}).mount(agent.Mount{Namespace: "ci", Source: "@acme/ci", Notes: []string{"its rules are not mounted"}, Contributions: []agent.Contribution{
		{Slot: "tools", Name: "ci__log", File: "bot/extensions/ci/tools/log.ts", Overlay: agent.OverlayReplaced},
	}})
	want := `  extension     ci from @acme/ci, 1 contribution
    ci__log                tools replaced         bot/extensions/ci/tools/log.ts
    note                   its rules are not mounted
`
	if got := b.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

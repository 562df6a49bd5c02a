package actors

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/sandbox"
)

// "Where the kernel cannot, `info` says so."
func TestSandboxDiagnostics(t *testing.T) {
	t.Parallel()
	const cannot = "unavailable: the kernel has no Landlock"
	for _, c := range []struct{ status, asked, want string }{
		{sandbox.StatusWorkspace, "", ""},
		{sandbox.StatusOff, agent.SandboxOff, ""},
		{cannot, "", "programs of tools can write outside of the workspace: the kernel has no Landlock"},
		{cannot, agent.SandboxWorkspace, "local.sandbox is \"workspace\", so no program of a tool runs here: the kernel has no Landlock"},
	} {
		got := ""
		for _, d := range sandboxDiagnostics(c.status, c.asked) {
			got += d.Message
			if d.Severity != agent.SeverityWarning || d.Fix == "" {
				t.Errorf("the diagnostic is %+v", d)
			}
		}
		if got != c.want {
			t.Errorf("%s, asked for %q: %q", c.status, c.asked, got)
		}
	}
	a := &agent.Agent{}
	if status := SandboxStatus(a); (len(SandboxDiagnostics(a)) > 0) != strings.HasPrefix(status, "unavailable") {
		t.Errorf("with status %q there are %v", status, SandboxDiagnostics(a))
	}
}

package actors

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/sandbox"
)

// owner names the programs of this state root.
func (h *Host) owner() string { return hex.EncodeToString(h.Secret("owner of programs")[:16]) }

// endLeftovers ends the programs that a host of this state root was killed over.
func (h *Host) endLeftovers() {
	if _, err := os.Stat(filepath.Join(h.storage.root, workspacesDir)); err != nil {
		return // no program ever ran
	}
	if n := sandbox.KillOwned(h.owner()); n > 0 {
		h.o.Logger.Warn().Int("processes", n).Msg("processes that an earlier host left behind were ended")
	}
}

// SandboxStatus says what holds for the programs of an agent's tools: "workspace",
// "off", or "unavailable: " and why.
func SandboxStatus(a *agent.Agent) string { return sandbox.Status(a.Local.Sandbox) }

// SandboxDiagnostics says so where the sandbox that an agent asks for, or would have
// by default, cannot be had; otherwise it is empty.
func SandboxDiagnostics(a *agent.Agent) []agent.Diagnostic {
	return sandboxDiagnostics(SandboxStatus(a), a.Local.Sandbox)
}

func sandboxDiagnostics(status, asked string) []agent.Diagnostic {
	why, unavailable := strings.CutPrefix(status, "unavailable: ")
	if !unavailable {
		return nil
	}
	d := agent.Diagnostic{
		Rule: "sandbox/unavailable", Severity: agent.SeverityWarning,
		Message: "programs of tools can write outside of the workspace: " + why,
		Fix:     "use a kernel with Landlock, or write local.sandbox: \"off\" to say that this is meant",
	}
	if asked == agent.SandboxWorkspace {
		d.Message = "local.sandbox is \"workspace\", so no program of a tool runs here: " + why
	}
	return []agent.Diagnostic{d}
}

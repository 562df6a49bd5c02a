package actors

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/harness"
)

// checkAgents reports every fault of a list of agents. Lenient leaves out what
// Options.Lenient says.
func checkAgents(agents []*agent.Agent, lenient bool) error {
	if len(agents) == 0 {
		return errors.New("actors: Options.Agents is empty")
	}
	var faults []error
	seen := map[string]bool{}
	for i, a := range agents {
		if a == nil {
			faults = append(faults, fmt.Errorf("agent %d of %d is nil: leave it out", i+1, len(agents)))
			continue
		}
		if seen[a.Slug] {
			faults = append(faults, fmt.Errorf("the slug %q is there twice: each agent has its own", a.Slug))
		}
		seen[a.Slug] = true
		faults = append(faults, a.Check(), checkOwn(a))
		if !lenient {
			faults = append(faults, refusedDiagnostics(a))
		}
	}
	if !lenient {
		faults = append(faults, CheckPeers(agents))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("actors: %w", err)
	}
	return nil
}

// checkOwn reports what this host cannot do of what an agent has.
func checkOwn(a *agent.Agent) error {
	var faults []error
	for _, c := range a.Channels {
		if c != nil && slices.Contains(builtIn, c.ID) {
			faults = append(faults, fmt.Errorf("agent %s: channel %q: the host has a channel of that name; choose another", a.Slug, c.ID))
		}
	}
	for _, name := range a.Harness {
		if !slices.Contains(harness.Names, name) {
			faults = append(faults, fmt.Errorf("agent %s: the harness tools name %q, which is no harness tool: they are %s", a.Slug, name, strings.Join(harness.Names, ", ")))
		}
	}
	return errors.Join(faults...)
}

// refusedDiagnostics are the errors that loading found.
func refusedDiagnostics(a *agent.Agent) error {
	var faults []error
	for _, d := range a.Diagnostics {
		if d.Severity == agent.SeverityError {
			faults = append(faults, fmt.Errorf("agent %s: %s", a.Slug, strings.TrimPrefix(d.File+": "+d.Message, ": ")))
		}
	}
	return errors.Join(faults...)
}

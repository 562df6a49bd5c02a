package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/near"
)

// strangers warns of names in a connection's settings that no tool of its server has.
func strangers(c *agent.Connection, remotes []string) (found []finding) {
	slices.Sort(remotes)
	has := "it has no tools"
	if len(remotes) > 0 {
		has = "its tools are " + cut(strings.Join(remotes, ", "), 1<<10)
	}
	for _, s := range []struct {
		setting string
		names   []string
	}{
		{"tools.allow", c.Allow}, {"tools.deny", c.Deny},
		{"needsApproval", slices.Sorted(maps.Keys(c.NeedsApproval))}, {"effect", slices.Sorted(maps.Keys(c.Effect))},
	} {
		for _, name := range s.names {
			if name == "*" && !strings.HasPrefix(s.setting, "tools.") || slices.Contains(remotes, name) {
				continue
			}
			fix := has
			if meant := near.Names(name, remotes); len(meant) > 0 {
				fix = "did you mean " + strings.Join(meant, " or ") + "?"
			}
			found = append(found, warning(c.Name, RuleUnknownTool, fmt.Sprintf("connection %s: %s names %q, which is no tool of the server, so it does nothing", c.Name, s.setting, cut(name, 80)), fix))
		}
	}
	return found
}

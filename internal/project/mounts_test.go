package project

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// renderMounts tells a reader what was mounted.
func renderMounts(b *strings.Builder, a *agent.Agent) {
	for _, m := range a.Mounts {
		fmt.Fprintf(b, "  mount %s of %s: %s\n", m.Namespace, m.Source, m.Description)
		for _, c := range m.Contributions {
			fmt.Fprintf(b, "    %s %s", c.Slot, c.Name)
			if c.File != "" {
				fmt.Fprintf(b, " from %s", c.File)
			}
			if c.Overlay != "" {
				fmt.Fprintf(b, ", %s", c.Overlay)
			}
			b.WriteString("\n")
		}
		for _, note := range m.Notes {
			fmt.Fprintf(b, "    note: %s\n", note)
		}
	}
}

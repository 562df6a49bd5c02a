package cli

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// mount shows an extension: what it brings, what lies over it, and what is left out.
func (s *sheet) mount(m agent.Mount) {
	from := ""
	if m.Source != "" {
		from = " from " + m.Source
	}
	s.row("extension", m.Namespace+from+", "+plural(len(m.Contributions), "contribution"))
	for _, c := range m.Contributions {
		note := fmt.Sprintf("%-22s %s", strings.TrimSpace(c.Slot+" "+c.Overlay), c.File)
		s.item(c.Name, note)
	}
	for _, note := range m.Notes {
		s.item("note", note)
	}
}

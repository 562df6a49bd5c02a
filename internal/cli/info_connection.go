package cli

import (
	"strings"

	"github.com/gobdk/bdk/transport"
)

// connectionNote is what matters of a connection at a glance: how it is reached, and
// who sees its tools.
func connectionNote(c transport.ConnectionInfo) string {
	seen := "its tools behind mcp"
	switch {
	case c.HostOnly:
		seen = "code alone"
	case c.AdvertiseTools:
		seen = "its tools shown"
	}
	return strings.TrimSpace(c.Kind + ", " + seen + " " + firstLine(c.Description))
}

package cli

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/transport"
)

// connections shows what the agent is connected to, and who sees it.
func (s *sheet) connections(list []transport.ConnectionInfo) {
	s.count("connections", len(list))
	for _, c := range list {
		s.item(c.Name, connectionNote(c))
	}
}

func connectionNote(c transport.ConnectionInfo) string {
	note := c.Kind
	switch {
	case c.HostOnly:
		note += ", for host code"
	case c.AdvertiseTools:
		note += ", tools shown"
	}
	return strings.TrimRight(fmt.Sprintf("%-22s %s", note, firstLine(c.Description)), " ")
}

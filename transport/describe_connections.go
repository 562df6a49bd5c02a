package transport

import "github.com/gobdk/bdk/actors/agent"

// A ConnectionInfo describes a connection.
type ConnectionInfo struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Source      string `json:"source,omitempty"`
	// Kind is "http", "stdio" or "agent".
	Kind string `json:"kind"`
	// HostOnly says that the model does not see it.
	HostOnly       bool `json:"hostOnly"`
	AdvertiseTools bool `json:"advertiseTools"`
}

func describeConnections(a *agent.Agent) []ConnectionInfo {
	list := []ConnectionInfo{}
	for _, c := range a.Connections {
		info := ConnectionInfo{Name: c.Name, Description: c.Description, Source: c.Source, Kind: "http", HostOnly: c.HostOnly, AdvertiseTools: c.Advertise}
		switch {
		case c.Command != "":
			info.Kind = "stdio"
		case c.Agent != "":
			info.Kind = "agent"
		}
		list = append(list, info)
	}
	return list
}

package transport

import "github.com/gobdk/bdk/actors/agent"

// DescribeMounts lists the extensions that are mounted on an agent.
func DescribeMounts(a *agent.Agent) []agent.Mount {
	list := []agent.Mount{}
	for _, m := range a.Mounts {
		list = append(list, *m)
	}
	return list
}

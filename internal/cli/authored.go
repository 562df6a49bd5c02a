package cli

import "github.com/gobdk/bdk/actors/agent"

// hide keeps the secrets of an agent's policies, channels and connections out of what is logged and shown.
func (a *app) hide(ag *agent.Agent) {
	lists := [][]agent.AuthPolicy{ag.Auth}
	for _, c := range ag.Channels {
		lists = append(lists, c.Auth)
		a.redactor.Add(c.Secrets...)
	}
	for _, c := range ag.Connections {
		a.redactor.Add(c.Secrets...)
		if c.OAuth != nil {
			a.redactor.Add(c.OAuth.ClientSecret)
		}
	}
	for _, list := range lists {
		for i := range list {
			a.redactor.Add(list[i].Secret()...)
		}
	}
}

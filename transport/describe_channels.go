package transport

import (
	"encoding/json"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// A ChannelInfo describes a channel by its routes.
type ChannelInfo struct {
	ID          string      `json:"id"`
	Description string      `json:"description,omitempty"`
	Source      string      `json:"source,omitempty"`
	Routes      []RouteInfo `json:"routes"`
}

// A RouteInfo is one method on one path, with parameters as :name.
type RouteInfo struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	Description string `json:"description,omitempty"`
	// Ingress says that a platform calls it and signs what it sends: nobody calls it by hand.
	Ingress     bool            `json:"ingress,omitempty"`
	BodySchema  json.RawMessage `json:"bodySchema,omitempty"`
	QuerySchema json.RawMessage `json:"querySchema,omitempty"`
}

// describeChannels lists the built-in channel and those of the agent.
func describeChannels(a *agent.Agent) []ChannelInfo {
	list := []ChannelInfo{{ID: "http", Routes: httpRoutes()}}
	for _, c := range a.Channels {
		info := ChannelInfo{ID: c.ID, Description: c.Description, Source: c.Source, Routes: []RouteInfo{}}
		for _, r := range c.Routes {
			info.Routes = append(info.Routes, RouteInfo{r.Method, r.Path, r.Description, r.Verify != nil, r.BodySchema, r.QuerySchema})
		}
		list = append(list, info)
	}
	return list
}

// httpRoutes lists the routes of the built-in http channel.
func httpRoutes() []RouteInfo {
	param := strings.NewReplacer("{", ":", "}", "")
	var list []RouteInfo
	for _, r := range agentRoutes() {
		list = append(list, RouteInfo{Method: r.method, Path: param.Replace(r.path), Description: r.about})
	}
	return list
}

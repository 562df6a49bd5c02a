package actors

import "github.com/gobdk/bdk/actors/agent"

// builtIn are the channels that every agent has; none of an author's has their names.
var builtIn = []string{"http", "mcp", "cli", "eval", "schedule", "tools"}

// admissions are the values that a setting can have; empty is the default.
var admissions = []string{"", agent.AdmissionQueue, agent.AdmissionInterrupt, agent.AdmissionCoalesce, agent.AdmissionReject}

// channel gives a channel of the agent, nil when it has none of that id.
func (r *agentRuntime) channel(id string) *agent.Channel {
	for _, c := range r.Channels {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// canApprove says whether somebody can answer on a channel: a built-in one, or one
// that says so.
func (r *agentRuntime) canApprove(id string) bool {
	switch id {
	case "http", "mcp", "cli", "eval":
		return true
	}
	c := r.channel(id)
	return c != nil && c.Approvals
}

// channelUpdated is the type of the events that channels themselves cause.
const channelUpdated = "channel.updated"

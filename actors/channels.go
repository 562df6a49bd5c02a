package actors

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
)

// builtIn are the channels that every agent has; none of an author's has their names.
var builtIn = []string{"http", "mcp", "cli", "eval", "schedule", "tools"}

var channelForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// checkChannels says what a host cannot honour of an agent's channels.
func checkChannels(channels []*agent.Channel) error {
	seen := map[string]bool{}
	for _, c := range channels {
		if err := checkChannel(c); err != nil {
			return fmt.Errorf("channel %q: %w", c.ID, err)
		}
		if err := c.Check(); err != nil {
			return err
		}
		if seen[c.ID] {
			return fmt.Errorf("channel %q is there twice", c.ID)
		}
		seen[c.ID] = true
	}
	return nil
}

func checkChannel(c *agent.Channel) error {
	switch {
	case !channelForm.MatchString(c.ID):
		return errors.New("its id must begin with a letter or a digit and have letters, digits, _ and - alone")
	case slices.Contains(builtIn, c.ID):
		return errors.New("the host has a channel of that name; choose another")
	case !slices.Contains(admissions, c.Admission):
		return fmt.Errorf("its admission is %q; it can be queue, interrupt, coalesce or reject", c.Admission)
	case c.On[channelUpdated] != nil:
		return errors.New("channel.updated is what the channel itself did: it is not delivered, and a handler for it would never run")
	case c.State != nil && !json.Valid(c.State):
		return errors.New("the state that its sessions begin with is not JSON")
	}
	return nil
}

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

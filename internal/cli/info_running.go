package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/transport"
)

// askRunning is how long a host that runs is waited for.
const askRunning = 2 * time.Second

// addRunning adds what a host that serves the project knows of its schedules: when they
// fire and fired, and what went wrong. Without such a host, or without access to it,
// nothing is added.
func (a *app) addRunning(ctx context.Context, dir string, list []described) {
	if !slices.ContainsFunc(list, func(d described) bool { return len(d.Schedules) > 0 }) {
		return
	}
	owner, held, err := journal.ReadOwner((&rootFlags{}).directory(a, dir))
	if err != nil || !held || owner.URL == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askRunning)
	defer cancel()
	for i := range list {
		clients, err := client.Discover(ctx, owner.URL, list[i].Slug, &client.Options{})
		if err != nil || len(clients) != 1 {
			continue
		}
		var now runningInfo
		if raw, err := clients[0].Info(ctx); err == nil && json.Unmarshal(raw, &now) == nil && now.Agent.Slug == list[i].Slug {
			list[i].running(&now)
		}
	}
}

// A runningInfo is what a host says of an agent.
type runningInfo struct {
	Agent       transport.AgentInfo
	Diagnostics []agent.Diagnostic
}

// running takes in what a host says of the agent's schedules.
func (d *described) running(now *runningInfo) {
	for i := range d.Schedules {
		for _, s := range now.Agent.Schedules {
			if s.ID == d.Schedules[i].ID {
				d.Schedules[i].Next, d.Schedules[i].LastFired = s.Next, s.LastFired
			}
		}
	}
	for _, diag := range now.Diagnostics {
		if strings.HasPrefix(diag.Rule, "schedule/") && !slices.Contains(d.Diagnostics, diag) {
			d.Diagnostics = append(d.Diagnostics, diag)
		}
	}
}

// scheduleNote is what matters of a schedule at a glance.
func scheduleNote(s transport.ScheduleInfo) string {
	note := s.Cron + " " + s.TimeZone
	for _, at := range []struct {
		what string
		when *time.Time
	}{{"next", s.Next}, {"fired", s.LastFired}} {
		if at.when != nil {
			note += ", " + at.what + " " + at.when.UTC().Format(time.RFC3339)
		}
	}
	return note
}

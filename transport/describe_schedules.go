package transport

import (
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// A ScheduleInfo describes a schedule.
type ScheduleInfo struct {
	ID       string `json:"id"`
	Cron     string `json:"cron"`
	TimeZone string `json:"timeZone"`
	Source   string `json:"source,omitempty"`
	// Next and LastFired are absent where there is none, or nobody serves.
	Next      *time.Time `json:"next,omitempty"`
	LastFired *time.Time `json:"lastFired,omitempty"`
}

func describeSchedules(a *agent.Agent) []ScheduleInfo {
	list := []ScheduleInfo{}
	for _, s := range a.Schedules {
		info := ScheduleInfo{ID: s.ID, Cron: s.Cron, TimeZone: s.TimeZone, Source: s.Source}
		if info.TimeZone == "" {
			info.TimeZone = "UTC"
		}
		list = append(list, info)
	}
	return list
}

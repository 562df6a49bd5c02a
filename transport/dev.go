package transport

import (
	"net/http"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// devRoutes exist under Options.Dev alone, where nothing fires by itself. They are the
// host's, whatever the agent's own chain is.
func devRoutes() []route {
	return []route{
		{method: "POST", path: "/v1/dev/schedules/{scheduleId}", access: byHost, work: true, serve: (*call).fireSchedule, about: "Fires a schedule once"},
		{method: "GET", path: "/v1/dev/reminders", access: byHost, serve: (*call).reminders, about: "Lists the reminders of all sessions"},
		{method: "POST", path: "/v1/dev/reminders/{reminderId}", access: byHost, work: true, serve: (*call).fireReminder, about: "Fires a reminder"},
	}
}

type firedReply struct {
	OK         bool     `json:"ok"`
	ScheduleID string   `json:"scheduleId"`
	SessionIDs []string `json:"sessionIds"`
}

// fireSchedule fires a schedule and answers when the firing has ended.
func (c *call) fireSchedule() error {
	_, body, err := c.readForm()
	if err != nil {
		return err
	}
	key, err := c.idempotency(body)
	if err != nil {
		return err
	}
	id := c.vars["scheduleId"]
	ids, err := c.h.host.FireSchedule(c.r.Context(), c.agent.Slug, id, key)
	if err != nil {
		return err
	}
	c.wrote(c.h.journal.Position())
	return c.reply(http.StatusOK, firedReply{OK: true, ScheduleID: id, SessionIDs: append([]string{}, ids...)})
}

type remindersReply struct {
	OK        bool          `json:"ok"`
	Reminders []reminderRow `json:"reminders"`
}

type reminderRow struct {
	ID        string    `json:"id"`
	SessionID string    `json:"sessionId"`
	At        time.Time `json:"at"`
	Message   string    `json:"message"`
}

// reminders lists those of the sessions that the caller may see.
func (c *call) reminders() error {
	list, err := c.visibleReminders()
	if err != nil {
		return err
	}
	reply := remindersReply{OK: true, Reminders: make([]reminderRow, len(list))}
	for i, r := range list {
		reply.Reminders[i] = reminderRow(r)
	}
	return c.reply(http.StatusOK, reply)
}

func (c *call) visibleReminders() (list []actors.ArmedReminder, err error) {
	all, err := c.h.host.Reminders(c.r.Context(), c.agent.Slug)
	for _, r := range all {
		if _, err := c.owned(r.SessionID); err == nil {
			list = append(list, r)
		}
	}
	return list, err
}

type remindedReply struct {
	OK        bool   `json:"ok"`
	SessionID string `json:"sessionId"`
}

// fireReminder fires a reminder whose session is the caller's.
func (c *call) fireReminder() error {
	if _, _, err := c.readForm(); err != nil {
		return err
	}
	list, err := c.visibleReminders()
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.ID != c.vars["reminderId"] {
			continue
		}
		if _, err := c.h.host.FireReminder(c.r.Context(), c.agent.Slug, r.ID); err != nil {
			return err
		}
		c.wrote(c.h.journal.Position())
		return c.reply(http.StatusOK, remindedReply{OK: true, SessionID: r.SessionID})
	}
	return actors.ErrUnknownReminder
}

// scheduleTimes adds to the description of an agent's schedules when they fire, and
// gives what is to be known of their newest instants.
func (c *call) scheduleTimes(info *AgentInfo) (found []agent.Diagnostic) {
	for i, s := range c.agent.Schedules {
		status, d := c.h.host.ScheduleStatus(c.agent.Slug, s)
		found = append(found, d...)
		if !status.Next.IsZero() {
			at := status.Next.UTC()
			info.Schedules[i].Next = &at
		}
		if !status.LastFired.IsZero() {
			at := status.LastFired.UTC()
			info.Schedules[i].LastFired = &at
		}
	}
	return found
}

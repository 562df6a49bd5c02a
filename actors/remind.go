package actors

import (
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/cron"
)

// remind fires what is due, when the session is woken. What it does not take now is
// tried again; what comes due while the host drains, by the next one.
func (a *sessionActor) remind() {
	a.alarm = time.Time{} // it has rung
	if a.h.o.Manual || a.h.Draining() {
		return
	}
	now := a.h.now()
	for r := a.core.NextReminder(); r != nil && !r.At.After(now); r = a.core.NextReminder() {
		in := &session.FireReminder{ReminderID: r.ID, TurnID: a.h.newID(events.TurnPrefix), Next: nextOf(r, now)}
		a.before(in)
		if err := a.core.Step(in, now); err != nil {
			a.h.o.Logger.Warn().Str("session", a.id).Str("reminder", r.ID).Err(err).Msg("a reminder did not fire: it is tried again in a while")
			a.alarm = r.At
			a.h.alarms.set(a.id, now.Add(lookAgain))
			return
		}
	}
	a.setAlarm()
}

// nextOf is when a reminder fires again after it fires now; nil: it does not.
func nextOf(r *session.Reminder, now time.Time) *time.Time {
	switch {
	case r.Cron == "":
		return nil
	case r.At.After(now): // it is fired by hand
		at := r.At
		return &at
	}
	s, err := cron.Parse(r.Cron, r.TimeZone)
	if err != nil { // it was parsed when it was set: the zone is gone from the database
		return nil
	}
	at, ok := s.Next(now)
	if !ok {
		return nil
	}
	at = at.UTC()
	return &at
}

// setAlarm keeps the alarm at the time of the reminder that fires next.
func (a *sessionActor) setAlarm() {
	var at time.Time
	if r := a.core.NextReminder(); r != nil && !a.h.o.Manual {
		at = r.At
	}
	switch {
	case at.Equal(a.alarm):
		return
	case at.IsZero():
		a.h.alarms.drop(a.id)
	default:
		a.h.alarms.set(a.id, at)
	}
	a.alarm = at
}

// sleepUntil leaves the alarms what a sleeping session is to be woken for.
func (a *sessionActor) sleepUntil() {
	m := markedTimes(&a.core.State)
	if at := m.wake(a.h.o.Manual); !at.IsZero() {
		a.h.alarms.set(a.id, at)
	}
}

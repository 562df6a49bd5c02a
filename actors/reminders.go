package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/cron"
)

// Bounds of one reminder: all that are armed are part of the session's state.
const (
	maxReminderMessage = 16 << 10
	maxReminderKey     = 512
	maxReminderData    = 64 << 10
)

// reminders are agent.Reminders for one call, or for a hook.
type reminders struct {
	j      *job
	origin session.Origin
}

// remindersOf gives those of a call; nil where there is no session.
func (j *job) remindersOf(turn, callID, parent string) agent.Reminders {
	if j.unbound {
		return nil
	}
	return &reminders{j, session.Origin{TurnID: turn, CallID: callID, ParentCallID: parent}}
}

// Set is agent.Reminders'. What does not fit is an *agent.InputError.
func (r *reminders) Set(ctx context.Context, in agent.Reminder) (string, error) {
	h := r.j.h
	if r.j.info.Mode == events.ModeTask {
		return "", ErrTaskReminder
	}
	if err := checkReminder(&in); err != nil {
		return "", err
	}
	at, err := firstTime(&in, h.now())
	if err != nil {
		return "", err
	}
	set := &events.ReminderSet{
		ReminderID: h.newID(events.ReminderPrefix), Key: in.Key, At: &at, Cron: in.Cron, TimeZone: in.TimeZone,
		Message: in.Message, Data: events.RawJSON(in.Data),
	}
	_, err = r.exchange(ctx, &session.SetReminder{Set: set, Max: h.o.MaxReminders, Origin: r.origin})
	return set.ReminderID, err
}

// exchange hands an input to the session and waits for the disk, whatever becomes of ctx.
func (r *reminders) exchange(ctx context.Context, in session.Input) (reply, error) {
	if err := ctx.Err(); err != nil {
		return reply{}, err
	}
	return r.j.h.exchange(context.WithoutCancel(ctx), &command{id: r.j.info.ID, inputs: []session.Input{in}, hook: r.j.hook})
}

func checkReminder(in *agent.Reminder) error {
	var bad agent.InputError
	note := func(path, message string) {
		if message != "" {
			bad.Issues = append(bad.Issues, agent.Issue{Path: path, Message: message})
		}
	}
	switch n := len(in.Message); {
	case strings.TrimSpace(in.Message) == "":
		note("message", "is required: it is what the session is told")
	case n > maxReminderMessage:
		note("message", fmt.Sprintf("has %d bytes, at most %d are allowed", n, maxReminderMessage))
	case !utf8.ValidString(in.Message):
		note("message", "is not valid UTF-8")
	}
	note("key", checkWord(in.Key, maxReminderKey))
	switch n := len(in.Data); {
	case n > maxReminderData:
		note("data", fmt.Sprintf("has %d bytes, at most %d are allowed", n, maxReminderData))
	case n > 0 && !json.Valid(in.Data):
		note("data", "is not JSON")
	}
	given := 0
	for _, is := range []bool{in.At != nil, in.In != 0, in.Cron != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		note("", "give one of at, in and cron: an instant, how long from now, or a cron expression")
	}
	if in.In < 0 {
		note("in", "is in the past")
	}
	if in.TimeZone != "" && in.Cron == "" {
		note("timeZone", "goes with cron alone: an instant has a zone of its own")
	}
	if len(bad.Issues) > 0 {
		return &bad
	}
	return nil
}

// firstTime is when a reminder is due, as the log keeps it.
func firstTime(in *agent.Reminder, now time.Time) (time.Time, error) {
	at := now.Add(in.In)
	switch {
	case in.At != nil:
		at = *in.At
	case in.Cron != "":
		s, err := cron.Parse(in.Cron, in.TimeZone)
		var zone *cron.ZoneError
		switch {
		case errors.As(err, &zone):
			return at, invalid("timeZone", err.Error())
		case err != nil:
			return at, invalid("cron", err.Error())
		}
		at, _ = s.Next(now) // what never fires was refused
	}
	return logTime(at.UTC()), nil
}

// List is agent.Reminders'. It shows what was set before.
func (r *reminders) List(context.Context) ([]agent.Reminder, error) {
	armed, err := r.j.h.armed(r.j.info.ID)
	list := make([]agent.Reminder, len(armed))
	for i := range armed {
		a := &armed[i]
		list[i] = agent.Reminder{ID: a.ID, Key: a.Key, At: &a.At, Cron: a.Cron, TimeZone: a.TimeZone, Message: a.Message, Data: json.RawMessage(a.Data)}
	}
	return list, err
}

// armed reads the reminders of a session from its log, by their time.
func (h *Host) armed(sessionID string) ([]session.Reminder, error) {
	head, err := h.journal.Head(sessionID)
	if err != nil {
		return nil, refusal(err)
	}
	st, err := h.StateAt(sessionID, head)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(st.Reminders, func(a, b session.Reminder) int { return a.At.Compare(b.At) })
	return st.Reminders, nil
}

// Cancel is agent.Reminders'.
func (r *reminders) Cancel(ctx context.Context, idOrKey string) (bool, error) {
	_, err := r.exchange(ctx, &session.CancelReminder{IDOrKey: idOrKey, Origin: r.origin})
	if errors.Is(err, ErrUnknownReminder) {
		return false, nil
	}
	return err == nil, err
}

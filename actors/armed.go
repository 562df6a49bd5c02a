package actors

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// An ArmedReminder is a reminder that waits for its time.
type ArmedReminder struct {
	ID        string
	SessionID string
	At        time.Time
	Message   string
}

// Reminders lists those of all sessions of an agent, by their time. It reads open
// marks and the logs that they name.
func (h *Host) Reminders(ctx context.Context, slug string) ([]ArmedReminder, error) {
	list := []ArmedReminder{}
	for m, err := range h.journal.Marks() {
		if err != nil {
			return nil, refusal(err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, isLog := agentOf(m.Stream); isLog || readMark(m.Value).Reminder == nil {
			continue
		}
		info, err := h.Session(ctx, m.Stream)
		if err != nil || info.Agent != slug {
			continue
		}
		armed, err := h.armed(m.Stream)
		if err != nil {
			return nil, err
		}
		for _, r := range armed {
			list = append(list, ArmedReminder{ID: r.ID, SessionID: m.Stream, At: r.At, Message: r.Message})
		}
	}
	slices.SortFunc(list, func(a, b ArmedReminder) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

// FireReminder fires a reminder of an agent now, and gives its session. One that
// repeats stays armed for its next time. ErrUnknownReminder: none has the id.
func (h *Host) FireReminder(ctx context.Context, slug, id string) (string, error) {
	if err := h.Admit(); err != nil {
		return "", err
	}
	list, err := h.Reminders(ctx, slug)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(list, func(r ArmedReminder) bool { return r.ID == id })
	if i < 0 {
		return "", ErrUnknownReminder
	}
	armed, err := h.armed(list[i].SessionID)
	if err != nil {
		return "", err
	}
	j := slices.IndexFunc(armed, func(r session.Reminder) bool { return r.ID == id })
	if j < 0 {
		return "", ErrUnknownReminder
	}
	in := &session.FireReminder{ReminderID: id, TurnID: h.newID(events.TurnPrefix), Next: nextOf(&armed[j], h.now())}
	_, err = h.ask(ctx, &command{id: list[i].SessionID, inputs: []session.Input{in}})
	return list[i].SessionID, err
}

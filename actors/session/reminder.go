package session

import (
	"errors"
	"slices"
	"time"

	"github.com/gobdk/bdk/events"
)

// Refusals of reminders.
var (
	ErrTaskReminder     = errors.New("session: a task has no reminders")
	ErrTooManyReminders = errors.New("session: too many reminders are armed")
	ErrUnknownReminder  = errors.New("session: unknown reminder")
)

// A Reminder is armed: at its time the session gets its message.
type Reminder struct {
	ID  string `json:"id"`
	Key string `json:"key,omitempty"`
	// At is when it fires next; it comes with each event that arms it, since the
	// session knows no zones.
	At       time.Time      `json:"at"`
	Cron     string         `json:"cron,omitempty"`
	TimeZone string         `json:"timeZone,omitempty"`
	Message  string         `json:"message"`
	Data     events.RawJSON `json:"data,omitempty"`
}

type (
	// SetReminder arms a reminder. One that has its key is cancelled first.
	SetReminder struct {
		// Set has At, also for one that repeats.
		Set *events.ReminderSet
		// Max is how many may be armed.
		Max int
		Origin
	}

	// CancelReminder disarms one, by its id or key.
	CancelReminder struct {
		IDOrKey string
		Origin
	}

	// FireReminder gives the session the message of a reminder.
	FireReminder struct {
		ReminderID string
		// TurnID is the id of the turn that the message opens.
		TurnID string
		// Next is when it fires again; nil: it is disarmed.
		Next *time.Time
		// Place says that a started turn would have a place to run.
		Place bool
	}
)

func (*SetReminder) input()    {}
func (*CancelReminder) input() {}
func (*FireReminder) input()   {}

func (s *Session) setReminder(in *SetReminder) error {
	turn, err := s.placeOf(&in.Origin)
	if err != nil {
		return err
	}
	old := -1
	if key := in.Set.Key; key != "" {
		old = slices.IndexFunc(s.Reminders, func(r Reminder) bool { return r.Key == key })
	}
	switch {
	case s.Mode == events.ModeTask:
		return ErrTaskReminder
	case old < 0 && len(s.Reminders) >= in.Max:
		return ErrTooManyReminders
	case old >= 0:
		s.recordFor(turn, &events.ReminderCancelled{ReminderID: s.Reminders[old].ID, ParentCallID: in.ParentCallID})
	}
	in.Set.ParentCallID = in.ParentCallID
	in.Set.Data = events.AsLogged(in.Set.Data)
	s.recordFor(turn, in.Set)
	return nil
}

func (s *Session) cancelReminder(in *CancelReminder) error {
	turn, err := s.placeOf(&in.Origin)
	if err != nil {
		return err
	}
	i := s.reminder(in.IDOrKey)
	if i < 0 {
		i = slices.IndexFunc(s.Reminders, func(r Reminder) bool { return r.Key != "" && r.Key == in.IDOrKey })
	}
	if i < 0 {
		return ErrUnknownReminder
	}
	s.recordFor(turn, &events.ReminderCancelled{ReminderID: s.Reminders[i].ID, ParentCallID: in.ParentCallID})
	return nil
}

// fireReminder records the firing with its message, whose turn waits behind those
// that are there.
func (s *Session) fireReminder(in *FireReminder) error {
	i := s.reminder(in.ReminderID)
	if i < 0 {
		return ErrUnknownReminder
	}
	msg := &Message{TurnID: in.TurnID, Text: s.Reminders[i].Message, From: events.FromReminder, Place: in.Place}
	if err := s.Admits(msg); err != nil {
		return err
	}
	s.recordFor("", &events.ReminderFired{ReminderID: in.ReminderID, Next: in.Next})
	return s.message(msg)
}

// applyReminder folds what happens to reminders.
func (s *Session) applyReminder(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.ReminderSet:
		r := Reminder{ID: d.ReminderID, Key: d.Key, Cron: d.Cron, TimeZone: d.TimeZone, Message: d.Message, Data: d.Data}
		if d.At != nil {
			r.At = *d.At
		}
		s.Reminders = append(s.Reminders, r)
	case *events.ReminderCancelled:
		s.disarm(d.ReminderID)
	case *events.ReminderFired:
		if i := s.reminder(d.ReminderID); i >= 0 && d.Next != nil {
			s.Reminders[i].At = *d.Next
			return
		}
		s.disarm(d.ReminderID)
	}
}

func (s *Session) disarm(id string) {
	s.Reminders = slices.DeleteFunc(s.Reminders, func(r Reminder) bool { return r.ID == id })
}

func (s *State) reminder(id string) int {
	return slices.IndexFunc(s.Reminders, func(r Reminder) bool { return r.ID == id })
}

// NextReminder is the armed reminder that fires first; nil when none does. None fires
// in an eval session.
func (s *State) NextReminder() (next *Reminder) {
	if s.Eval {
		return nil
	}
	for i := range s.Reminders {
		if r := &s.Reminders[i]; next == nil || r.At.Before(next.At) {
			next = r
		}
	}
	return next
}

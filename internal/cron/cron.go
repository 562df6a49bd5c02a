// Package cron says at which instants a cron expression fires in a time zone, also
// around the changes of its clocks.
package cron

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// A Schedule gives the instants of one expression in one zone. It is immutable.
type Schedule struct {
	// civil finds the wall times that match, in a calendar without clock changes.
	civil *cron.SpecSchedule
	zone  *time.Location
	// hourly says that no hour is left out: such an expression counts minutes that pass.
	hourly bool
}

// An Error says what is wrong with an expression. Column counts characters from 1; 0:
// it is wrong as a whole.
type Error struct {
	Column  int
	Message string
}

// Error is one sentence.
func (e *Error) Error() string { return e.Message }

// A field is one of the five of an expression.
type field struct {
	name, range_ string
}

var fields = []field{
	{"minute", "0 to 59"},
	{"hour", "0 to 23"},
	{"day of month", "1 to 31"},
	{"month", "1 to 12, or JAN to DEC"},
	{"day of week", "0 (Sunday) to 6, or SUN to SAT"},
}

var parser = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)

// Parse reads five fields and the IANA name of a zone; no name means UTC. A fault of
// the expression is *Error, one of the zone *ZoneError.
func Parse(expr, zone string) (*Schedule, error) {
	loc, err := Zone(zone)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(expr)
	if len(words) != len(fields) {
		return nil, &Error{Message: fmt.Sprintf("a cron expression has five fields, minute, hour, day of month, month and day of week: %q has %d", expr, len(words))}
	}
	for i := range words {
		if err := checkField(expr, words, i); err != nil {
			return nil, err
		}
	}
	found, err := parser.Parse(strings.Join(words, " "))
	if err != nil {
		return nil, &Error{Message: err.Error()}
	}
	civil, ok := found.(*cron.SpecSchedule)
	if !ok {
		return nil, &Error{Message: fmt.Sprintf("%q is no cron expression", expr)}
	}
	civil.Location = time.UTC
	const allHours = 1<<24 - 1
	s := &Schedule{civil: civil, zone: loc, hourly: civil.Hour&allHours == allHours}
	if _, ok := s.Next(time.Now()); !ok {
		return nil, &Error{Message: fmt.Sprintf("%q never fires: no month that it names has such a day", expr)}
	}
	return s, nil
}

// checkField parses one field among fields that are right, so that its fault has a place.
func checkField(expr string, words []string, i int) error {
	one := []string{"*", "*", "*", "*", "*"}
	one[i] = words[i]
	err := errors.New("a zone is given beside the expression, not in it")
	if !strings.Contains(words[i], "=") {
		_, err = parser.Parse(strings.Join(one, " "))
	}
	if err == nil {
		return nil
	}
	return &Error{
		Column:  column(expr, i),
		Message: fmt.Sprintf("%q cannot be the %s (%s): %v", words[i], fields[i].name, fields[i].range_, err),
	}
}

// column is where the i-th word begins, from 1.
func column(expr string, i int) int {
	n, inWord := 0, false
	for at, r := range []rune(expr) {
		space := strings.ContainsRune(" \t\r\n", r)
		if !space && !inWord {
			if n == i {
				return at + 1
			}
			n++
		}
		inWord = !space
	}
	return 0
}

// Zone of the schedule.
func (s *Schedule) Zone() *time.Location { return s.zone }

// Next is the first instant after t; false: there is none.
//
// What matches is the wall time of the zone. A wall time that a change of the clocks
// repeats fires the first time; one that it skips fires right after, at the change.
// An expression that names every hour fires by the minutes that pass instead: also in
// a repeated hour, and not once more for a skipped one, unless the change is no whole
// number of hours.
func (s *Schedule) Next(t time.Time) (time.Time, bool) {
	for range 64 { // two changes a year, and ten years at the most
		p := s.periodAt(t)
		if at, ok := s.within(p, t); ok {
			return at, true
		}
		if p.end.IsZero() || p.end.Sub(t) > farthest {
			return time.Time{}, false
		}
		t = p.end
		if next := s.periodAt(t); s.skipsTo(next) || s.matches(next, t) {
			return t, true
		}
	}
	return time.Time{}, false
}

// farthest is longer than any two firings of an expression lie apart: a 29 February
// comes after eight years at the latest.
const farthest = 10 * 366 * 24 * time.Hour

// Last is the newest instant after from and not after to; false: there is none.
func (s *Schedule) Last(from, to time.Time) (last time.Time, found bool) {
	for back := time.Minute; ; back *= 4 {
		start := to.Add(-back)
		if start.Before(from) || back > farthest {
			start = from
		}
		for at, ok := s.Next(start); ok && !at.After(to); at, ok = s.Next(at) {
			last, found = at, true
		}
		if found || !start.After(from) {
			return last, found
		}
	}
}

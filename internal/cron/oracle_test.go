package cron_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/cron"
)

// An oracle reads an expression of numbers, lists, steps and stars, and goes over time
// minute by minute. It shares no code with the package.
type oracle struct {
	minute, hour, dom, month, dow map[int]bool
	anyDom, anyDow, hourly        bool
}

func numbers(text string, from, to int) map[int]bool {
	set := map[int]bool{}
	for _, part := range strings.Split(text, ",") {
		step := 1
		if head, tail, ok := strings.Cut(part, "/"); ok {
			part, step = head, number(tail)
		}
		low, high := from, to
		if part != "*" {
			a, b, ok := strings.Cut(part, "-")
			if !ok {
				b = a
			}
			low, high = number(a), number(b)
		}
		for n := low; n <= high; n += step {
			set[n] = true
		}
	}
	return set
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func newOracle(expr string) *oracle {
	f := strings.Fields(expr)
	o := &oracle{numbers(f[0], 0, 59), numbers(f[1], 0, 23), numbers(f[2], 1, 31), numbers(f[3], 1, 12), numbers(f[4], 0, 6), f[2] == "*", f[4] == "*", false}
	o.hourly = len(o.hour) == 24
	return o
}

// matches looks at a wall time, written as if it were UTC.
func (o *oracle) matches(wall time.Time) bool {
	day, week := o.dom[wall.Day()], o.dow[int(wall.Weekday())]
	if o.anyDom || o.anyDow {
		day = day && week
	} else {
		day = day || week
	}
	return o.minute[wall.Minute()] && o.hour[wall.Hour()] && o.month[int(wall.Month())] && day
}

// fires goes over the minutes: each wall time that is newly shown fires, or, where the
// clocks jumped, the newest minute fires for all that they left out.
func (o *oracle) fires(zone *time.Location, from, to time.Time) (at []time.Time) {
	wall := func(t time.Time) time.Time {
		_, off := t.In(zone).Zone()
		return t.UTC().Add(time.Duration(off) * time.Second)
	}
	newest := wall(from)
	for t := from.Add(time.Minute); !t.After(to); t = t.Add(time.Minute) {
		now, before := wall(t), wall(t.Add(-time.Minute))
		jump := now.Sub(before) - time.Minute
		fire := o.matches(now) && (o.hourly || now.After(newest))
		if jump > 0 && !(o.hourly && jump%time.Hour == 0) {
			for w := before.Add(time.Minute); w.Before(now); w = w.Add(time.Minute) {
				fire = fire || o.matches(w)
			}
		}
		if now.After(newest) {
			newest = now
		}
		if fire {
			at = append(at, t)
		}
	}
	return at
}

// changes lists the days around the changes of a zone's clocks in some years.
func changes(zone *time.Location, from, to time.Time) (list []time.Time) {
	for t := from; t.Before(to); {
		_, end := t.In(zone).ZoneBounds()
		if end.IsZero() || end.After(to) {
			return list
		}
		list = append(list, end)
		t = end
	}
	return list
}

// differ says where two lists part.
func differ(got, want []time.Time) string {
	for i := range min(len(got), len(want)) {
		if !got[i].Equal(want[i]) {
			return fmt.Sprintf("got %s, want %s", got[i], want[i])
		}
	}
	return fmt.Sprintf("got %d, want %d", len(got), len(want))
}

// "A schedule fires once per due instant per documented DST rule": 5 zones × 3 years
// of changes, against a slow oracle.
func TestAgainstOracle(t *testing.T) {
	exprs := []string{
		"* * * * *", "*/15 * * * *", "*/20 * * * *", "7 * * * *", "0 */2 * * *", "0 */3 * * *", "30 1 * * *", "30 2 * * *", "0,15,30,45 0-3 * * *",
		"0 0 * * *", "59 23 * * *", "15 2 * * 0", "0 2 1 * 0", "*/10 1 * * *", "45 1-2 */2 3,4,10,11 *", "10 0-23 * * *",
	}
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "Africa/Casablanca"} {
		zone, err := cron.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		days := changes(zone, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
		if len(days) < 6 {
			t.Fatalf("%s has %d changes", name, len(days))
		}
		for _, expr := range exprs {
			s, err := cron.Parse(expr, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, day := range days {
				from, to := day.UTC().Add(-26*time.Hour), day.UTC().Add(26*time.Hour)
				want := newOracle(expr).fires(zone, from, to)
				var got []time.Time
				for at, ok := s.Next(from); ok && !at.After(to); at, ok = s.Next(at) {
					got = append(got, at.UTC())
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s in %s around %s: %s", expr, name, day.In(zone), differ(got, want))
				}
			}
		}
	}
}

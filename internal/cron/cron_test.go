package cron_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/cron"
)

// next lists the instants after from, as the zone's clocks show them.
func next(t *testing.T, expr, zone, from string, n int) []string {
	t.Helper()
	s, err := cron.Parse(expr, zone)
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339, from)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for range n {
		var ok bool
		if at, ok = s.Next(at); !ok {
			t.Fatalf("%s ends after %v", expr, list)
		}
		list = append(list, at.In(s.Zone()).Format("01-02T15:04-07:00"))
	}
	return list
}

// "A local time that a clock change repeats fires once (the first); one that it
// skips fires right after."
func TestChangesOfTheClocks(t *testing.T) {
	for _, c := range []struct{ name, expr, zone, from, want string }{
		{"repeated", "30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", "11-01T01:30-04:00 11-02T01:30-05:00"},
		{"repeated, from between", "30 1 * * *", "America/New_York", "2026-11-01T06:00:00Z", "11-02T01:30-05:00"},
		{"skipped", "30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", "03-08T03:00-04:00 03-09T02:30-04:00"},
		{"skipped twice, fires once", "0,30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "03-29T03:00+02:00 03-30T02:00+02:00"},
		{"midnight skipped", "0 0 * * *", "Asia/Beirut", "2026-03-28T12:00:00Z", "03-29T01:00+03:00 03-30T00:00+03:00"},
		{"on the other side of the skipped", "0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "03-29T03:00+02:00 03-30T03:00+02:00"},
		{"hours repeated", "0 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", "10-25T02:00+01:00 10-25T03:00+01:00"},
		{"hours skipped", "5 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "03-29T01:05+01:00 03-29T03:05+02:00"},
		{"a day is skipped", "0 9 * * *", "Pacific/Apia", "2011-12-29T12:00:00Z", "12-29T09:00-10:00 12-31T00:00+14:00 12-31T09:00+14:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.Fields(c.want)
			if got := next(t, c.expr, c.zone, c.from, len(want)); strings.Join(got, " ") != c.want {
				t.Errorf("%s fires at %v, want %v", c.expr, got, want)
			}
		})
	}
}

// "`*/15 * * * *` through both transitions of Lord_Howe (30 min shift): every 15 real
// minutes, no hole, no double."
func TestIntervalsCountMinutesThatPass(t *testing.T) {
	for _, zone := range []string{"Australia/Lord_Howe", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"} {
		s, err := cron.Parse("*/15 * * * *", zone)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for at.Year() < 2027 {
			then, ok := s.Next(at)
			if !ok || then.Sub(at) != 15*time.Minute {
				t.Fatalf("%s: after %s comes %s", zone, at, then)
			}
			at = then
		}
	}
}

func TestCalendar(t *testing.T) {
	for _, c := range []struct{ expr, zone, from, want string }{
		{"0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", "02-29T00:00+00:00"},
		{"0 9 * JAN-FEB MON", "", "2026-01-30T00:00:00Z", "02-02T09:00+00:00"},
		{"0 12 13 * FRI", "UTC", "2026-02-13T12:00:00Z", "02-20T12:00+00:00"}, // either day
		{"59 23 31 12 ?", "Asia/Tokyo", "2026-06-01T00:00:00Z", "12-31T23:59+09:00"},
	} {
		if got := next(t, c.expr, c.zone, c.from, 1); got[0] != c.want {
			t.Errorf("%s fires at %v, want %v", c.expr, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		expr, says string
		column     int
	}{
		{"", "has five fields", 0},
		{"* * * *", `"* * * *" has 4`, 0},
		{"@daily", "has five fields", 0},
		{"0 0 1 1 * 2027", "has 6", 0},
		{"TZ=UTC\t0 0 1 1", "beside the expression", 1},
		{"60 * * * *", `"60" cannot be the minute (0 to 59)`, 1},
		{"0  9-25 * * *", `"9-25" cannot be the hour`, 4},
		{"0 0 * FOO *", "month", 7},
		{"0 0 * * 7", "day of week", 9},
		{"*/0 * * * *", "minute", 1},
		{"0 0 31 2 *", "never fires", 0},
		{"0 0 30 FEB *", "never fires", 0},
	} {
		_, err := cron.Parse(c.expr, "")
		var bad *cron.Error
		if !errors.As(err, &bad) || bad.Column != c.column || !strings.Contains(bad.Message, c.says) {
			t.Errorf("%q: %v, want column %d and %q", c.expr, err, c.column, c.says)
		}
	}
}

func TestZones(t *testing.T) {
	for name, near := range map[string]string{
		"Europe/Berln": "Europe/Berlin", "berlin": "Europe/Berlin", "america/new york": "America/New_York", "Local": "", "Mars/Olympus": "", "../etc/passwd": "",
	} {
		_, err := cron.Zone(name)
		var bad *cron.ZoneError
		if !errors.As(err, &bad) || bad.Near != near {
			t.Errorf("%q: %v, want near %q", name, err, near)
		}
	}
}

func TestLast(t *testing.T) {
	s, err := cron.Parse("0 9 * * *", "Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := func(d, h int) time.Time { return time.Date(2026, 6, d, h, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		from, to, want time.Time
	}{
		{day(1, 0), day(20, 8), day(20, 7)},
		{day(1, 0), day(20, 7), day(20, 7)},
		{day(1, 0), day(20, 6), day(19, 7)},
		{day(20, 7), day(21, 6), time.Time{}},
		{day(20, 6), day(20, 7), day(20, 7)},
		{day(20, 8), day(20, 8), time.Time{}},
	} {
		if got, ok := s.Last(c.from, c.to); ok == c.want.IsZero() || !got.Equal(c.want) {
			t.Errorf("last in (%s, %s] is %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

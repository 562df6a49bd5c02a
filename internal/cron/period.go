package cron

import "time"

// A period is a stretch of time in which the clocks of a zone are not changed.
type period struct {
	// start is inclusive, end exclusive; zero: none.
	start, end time.Time
	// off is what the clocks show beyond UTC, before what they showed until start.
	off, before time.Duration
}

func (s *Schedule) periodAt(t time.Time) period {
	local := t.In(s.zone)
	start, end := local.ZoneBounds()
	p := period{start: start.UTC(), end: end.UTC(), off: offset(local)}
	p.before = p.off
	if start.IsZero() {
		p.start = time.Time{}
	} else {
		p.before = offset(start.Add(-time.Nanosecond).In(s.zone))
	}
	if end.IsZero() {
		p.end = time.Time{}
	}
	return p
}

func offset(local time.Time) time.Duration {
	_, seconds := local.Zone()
	return time.Duration(seconds) * time.Second
}

// within gives the first instant after t in the period, whose own beginning is not
// looked at.
func (s *Schedule) within(p period, t time.Time) (time.Time, bool) {
	wall := t.UTC().Add(p.off)
	if first := p.start.Add(p.before); !s.hourly && p.repeats() && wall.Before(first) {
		wall = first.Add(-time.Nanosecond) // what was shown before the change fired then
	}
	next, ok := s.nextWall(wall)
	if !ok {
		return next, false
	}
	at := next.Add(-p.off)
	return at, p.end.IsZero() || at.Before(p.end)
}

// matches says whether an instant of the period fires by the wall time that it has.
func (s *Schedule) matches(p period, t time.Time) bool {
	at, ok := s.within(p, t.Add(-time.Nanosecond))
	return ok && at.Equal(t)
}

// skipsTo says whether the period's beginning fires for wall times that were skipped.
func (s *Schedule) skipsTo(p period) bool {
	gap := p.off - p.before
	if gap <= 0 || s.hourly && gap%time.Hour == 0 {
		return false
	}
	skipped, ok := s.nextWall(p.start.Add(p.before - time.Nanosecond))
	return ok && skipped.Before(p.start.Add(p.off))
}

// repeats says whether the period begins by showing again what was shown before.
func (p *period) repeats() bool { return !p.start.IsZero() && p.off < p.before }

// nextWall is the first matching wall time after one, both written as if they were UTC.
func (s *Schedule) nextWall(wall time.Time) (time.Time, bool) {
	next := s.civil.Next(wall)
	if next.IsZero() { // the parser's package looks five years ahead; a 29 February may be eight away
		next = s.civil.Next(wall.AddDate(5, 0, 0))
	}
	return next, !next.IsZero()
}

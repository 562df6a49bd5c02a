package agent

import (
	"errors"
	"fmt"

	"github.com/gobdk/bdk/internal/cron"
)

// Check says everything that is wrong with a schedule, nil when it fires.
func (s *Schedule) Check() error {
	if s == nil {
		return errors.New("a schedule is nil")
	}
	faults := []error{formed("a schedule's id", s.ID, idForm)}
	if _, err := cron.Parse(s.Cron, s.TimeZone); err != nil {
		faults = append(faults, err)
	}
	switch s.Overlap {
	case "", OverlapSkip, OverlapAllow:
	default:
		faults = append(faults, fmt.Errorf("overlap is %q; it is skip or allow", s.Overlap))
	}
	if (s.Markdown == "") == (s.Run == nil) {
		faults = append(faults, errors.New("it needs a prompt in Markdown or a function Run, and not both"))
	}
	return under(fmt.Sprintf("schedule %q", s.ID), errors.Join(faults...))
}

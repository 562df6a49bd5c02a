package cli

import "github.com/gobdk/bdk/internal/eval"

// snapshots makes of a run that is looked at from time to time what its console is told.
type snapshots struct {
	console eval.Observer
	// told are the cases that were told to have begun, or ended.
	told map[string]bool
}

// take tells what is new.
func (s *snapshots) take(r *eval.Run) {
	if !s.once("") {
		_ = s.console.RunStarted(r) // an error of writing comes back at the end
	}
	for _, res := range r.Results {
		if !s.once("ended " + res.ID) {
			s.told["began "+res.ID] = true
			_ = s.console.CaseEnded(res)
		}
	}
	for _, id := range r.Running {
		if !s.once("began " + id) {
			_ = s.console.CaseStarted(&eval.Case{ID: id})
		}
	}
}

// once says whether it was asked this before.
func (s *snapshots) once(key string) (before bool) {
	before = s.told[key]
	s.told[key] = true
	return before
}

// evalOutcome is the exit code of a run that has ended.
func evalOutcome(r *eval.Run, strict bool) error {
	t := &r.Totals
	switch {
	case r.Green(strict):
		return nil
	case r.Status == eval.RunCompleted && r.Error == "" && t.Executed() == 0 && t.Done == t.Cases:
		return usagef("no case was run: every one was skipped")
	}
	return quiet(ExitFailed)
}

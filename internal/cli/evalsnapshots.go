package cli

import (
	"slices"

	"github.com/gobdk/bdk/internal/eval"
)

// snapshots makes of a run that is looked at from time to time what its console is told.
type snapshots struct {
	console *evalConsole
	// told are the cases that were told to have begun, or ended.
	told map[string]bool
}

// take tells what is new.
func (s *snapshots) take(r *eval.Run) {
	s.console.expect(r.Totals.Cases)
	for _, res := range r.Results {
		if key := "ended " + res.ID; !s.told[key] {
			s.told[key] = true
			s.console.ended(res)
		}
	}
	for _, id := range r.Running {
		if key := "began " + id; !s.told[key] && !slices.ContainsFunc(r.Results, func(res *eval.Result) bool { return res.ID == id }) {
			s.told[key] = true
			s.console.begun(id)
		}
	}
}

// expect says how many cases there are, where their names are not known before they begin.
func (c *evalConsole) expect(cases int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cases = cases
	c.show()
}

// evalOutcome is the exit code of a run that has ended.
func evalOutcome(r *eval.Run, strict bool) error {
	t := &r.Totals
	switch {
	case r.Green(strict):
		return nil
	case r.Status == eval.RunCompleted && r.Error == "" && t.Executed() == 0 && t.Done == t.Cases:
		return usagef("no case was run: all %d were skipped", t.Cases)
	}
	return quiet(ExitFailed)
}

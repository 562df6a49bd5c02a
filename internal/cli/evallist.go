package cli

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/internal/eval"
)

// listEvals prints the cases that a selection has.
func (a *app) listEvals(s *eval.Suite, slug string, by *eval.Selection, f *evalFlags) error {
	a.saySuite(slug, s)
	all := *s
	all.Config = &eval.Config{MaxConcurrency: 1} // a list needs none
	if err := (&eval.Runner{Suite: &all}).Check(&eval.RunOptions{Selection: *by}); err != nil {
		return &coded{ExitUsage, err}
	}
	a.sayUnmet(s, by)
	return a.printListing(s.List(slug, by), f.asJSON)
}

// printListing prints the cases that there are, one a line. Its error is the exit code of
// what is wrong with them.
func (a *app) printListing(l *eval.Listing, asJSON bool) error {
	if asJSON {
		if err := a.printRedacted(l); err != nil {
			return err
		}
	} else {
		if err := a.print("%s", a.shown(a.redactor.Text(caseTable(l.Cases)))); err != nil {
			return err
		}
		a.say("%s", plural(len(l.Cases), "case"))
	}
	switch {
	case l.ConfigBroken():
		return quiet(ExitUsage) // nothing of it can run
	case len(l.Broken) > 0:
		return quiet(ExitFailed) // each was named with its finding
	}
	return nil
}

// caseTable has a line for each case: its id, tags, and description.
func caseTable(cases []eval.ListedCase) string {
	ids, tags := 0, 0
	for _, c := range cases {
		ids = min(maxID, max(ids, len([]rune(c.ID))))
		tags = min(maxID/2, max(tags, len([]rune(strings.Join(c.Tags, ",")))))
	}
	var b strings.Builder
	for _, c := range cases {
		line := fmt.Sprintf("%-*s  %-*s  %s", ids, c.ID, tags, strings.Join(c.Tags, ","), oneLine(c.Description))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

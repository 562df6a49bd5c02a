package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobdk/bdk/internal/eval"
)

// lastRun names the newest run in --compare.
const lastRun = "last"

// compared finds the run that this one is laid beside; nil where none is asked for.
func (l *localEval) compared() (*eval.Run, error) {
	name := l.compare
	switch {
	case name == "":
		return nil, nil
	case name == lastRun:
		return l.newest()
	case eval.IsRunID(name):
		return l.readRun(l.store().Dir(name))
	}
	dir := l.app.path(name)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		if filepath.Base(dir) != eval.SummaryName {
			return nil, usagef("--compare %s: it is a file, and no %s of a run", name, eval.SummaryName)
		}
		dir = filepath.Dir(dir)
	}
	return l.readRun(dir)
}

// newest is the newest run of the project that completed.
func (l *localEval) newest() (*eval.Run, error) {
	runs, err := l.store().Runs(0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for the last run: %w", err)
	}
	for _, r := range runs {
		if r.Status == eval.RunCompleted {
			return l.readRun(l.store().Dir(r.ID))
		}
	}
	return nil, usagef("--compare last: no run of %s has completed yet: let one come to its end first", l.place.Slug)
}

func (l *localEval) readRun(dir string) (*eval.Run, error) {
	run, err := eval.ReadRun(dir)
	if errors.Is(err, eval.ErrUnknownRun) || errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("--compare %s: there is no run in %s: name the id of one in .bdk/evals, its folder, or last", l.compare, l.app.shortPath(dir))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the run of --compare: %w", err)
	}
	return run, nil
}

// tell prints what is not said while the run goes.
func (l *localEval) tell(run, before *eval.Run) error {
	var c *eval.Comparison
	if before != nil {
		c = eval.Compare(before, run)
	}
	if l.asJSON {
		results := run.Results
		if results == nil {
			results = []*eval.Result{}
		}
		return l.app.printRedacted(&toldRun{Run: run, Results: results, Compare: c})
	}
	if c == nil {
		return nil
	}
	return l.app.print("\n%s", l.console.text(compareTable(c)))
}

// compareTable has a line for each case that came out otherwise, and one for all.
func compareTable(c *eval.Comparison) string {
	rows := [][]string{}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Change != eval.ChangeNone {
			rows = append(rows, compareRow(r))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "since %s: %s\n", c.Old.ID, changes(c))
	rows = append(rows, []string{"all cases", "", "",
		beside(float64(c.Old.Tokens), float64(c.New.Tokens), "tokens"), costBeside(c.Old.Totals.CostUSD, c.New.Totals.CostUSD)})
	writeColumns(&b, rows)
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Change == eval.ChangeWorse && r.New != nil {
			for _, why := range r.New.Why {
				fmt.Fprintf(&b, "  %s: %s\n", r.ID, oneLine(why))
			}
		}
	}
	return b.String()
}

// changes counts them.
func changes(c *eval.Comparison) string {
	var parts []string
	for _, p := range []struct {
		n    int
		name string
	}{{c.Worse, "worse"}, {c.Better, "better"}, {c.Changed, "skipped before or now"}, {c.Added, "added"}, {c.Removed, "removed"}, {c.Same, "as before"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.name))
		}
	}
	if parts == nil {
		return "nothing to compare"
	}
	return strings.Join(parts, ", ")
}

func compareRow(r *eval.CompareRow) []string {
	row := []string{r.ID, r.Change, side(r.Old) + " → " + side(r.New)}
	if r.Old == nil || r.New == nil {
		return row
	}
	return append(row, beside(float64(r.Old.Tokens), float64(r.New.Tokens), "tokens"), costBeside(r.Old.CostUSD, r.New.CostUSD))
}

// side is how a case came out in one of the runs.
func side(s *eval.CompareSide) string {
	switch {
	case s == nil:
		return "none"
	case s.Iterations > 1:
		return fmt.Sprintf("%s (%d of %d passed)", s.Verdict, s.Passed, s.Iterations)
	}
	return s.Verdict
}

// beside are two numbers and how the new one relates to the old.
func beside(before, now float64, unit string) string {
	return fmt.Sprintf("%s → %s %s%s", grouped(int64(before)), grouped(int64(now)), unit, ratio(before, now))
}

func costBeside(before, now *float64) string {
	if before == nil || now == nil {
		return "cost not known"
	}
	if *before == 0 && *now == 0 {
		return ""
	}
	return dollars(*before) + " → " + dollars(*now) + ratio(*before, *now)
}

// ratio is empty where nothing stands below the line.
func ratio(before, now float64) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf(" (×%.2f)", now/before)
}

// writeColumns aligns cells.
func writeColumns(b *strings.Builder, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := "  "
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

package cli

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/internal/eval"
)

// What a report shows of one case where nobody asked for everything.
const (
	maxFinding = 2000 // characters of a finding
	maxLogs    = 20   // the newest logs
)

// RunEnded says what is wrong, in the order of the suite, and the totals.
func (c *evalConsole) RunEnded(r *eval.Run) error {
	c.app.status.end()
	for _, result := range r.Results {
		if c.verbose || result.Verdict == eval.Failed || result.Verdict == eval.Scored {
			c.block(result)
		}
	}
	c.write("\n" + c.totals(r))
	return c.err
}

// block is all there is to say about a case.
func (c *evalConsole) block(r *eval.Result) {
	m := marks[r.Verdict]
	c.write("\n" + c.paint(m.color, m.mark+" "+c.text(r.ID)+" "+r.Verdict) + "\n")
	if r.Description != "" {
		c.line("", c.cut(r.Description))
	}
	if r.SkipReason != "" {
		c.line("skipped: ", r.SkipReason)
	}
	if f := r.Error; f != nil {
		at := *f
		at.Place, at.Message = c.place(f.Place), c.cut(f.Message)
		c.line(c.paint(31, "! "), at.Line())
		if f.Stack != "" && c.verbose {
			c.line("  ", strings.TrimRight(f.Stack, "\n"))
		}
	}
	c.assertions(r)
	c.logs(r.Logs)
	if r.SessionID == "" {
		return
	}
	session := r.SessionID
	if c.opens != nil {
		session = c.opens(session)
	}
	c.line(c.paint(90, "session: "), session)
}

// assertions are those that were missed, or all.
func (c *evalConsole) assertions(r *eval.Result) {
	for i := range r.Assertions {
		as := r.Assertions[i]
		missed := !as.Passed && as.Severity != eval.Soft
		if !missed && !c.verbose {
			continue
		}
		as.Place, as.Message = c.place(as.Place), c.cut(as.Message)
		mark := c.paint(32, "✓ ")
		switch {
		case missed && as.Severity == eval.Gate:
			mark = c.paint(31, "✗ ")
		case !as.Passed:
			mark = c.paint(33, "~ ")
		}
		c.line(mark, as.Line())
	}
}

// logs are what the test logged, the newest of them.
func (c *evalConsole) logs(lines []string) {
	if left := len(lines) - maxLogs; left > 0 && !c.verbose {
		c.line(c.paint(90, "log: "), fmt.Sprintf("… (%d before; --verbose shows them)", left))
		lines = lines[left:]
	}
	for _, l := range lines {
		c.line(c.paint(90, "log: "), c.cut(l))
	}
}

// cut is a text without secrets that is not too long.
func (c *evalConsole) cut(s string) string {
	s = c.app.redactor.Text(s) // first: no part of a secret is to be left
	if r := []rune(s); len(r) > maxFinding && !c.verbose {
		return fmt.Sprintf("%s… (%d more characters)", string(r[:maxFinding]), len(r)-maxFinding)
	}
	return s
}

// line writes a text of a block, indented, after a mark.
func (c *evalConsole) line(mark, s string) {
	c.write("  " + mark + strings.ReplaceAll(strings.TrimRight(c.text(s), "\n"), "\n", "\n    ") + "\n")
}

// totals are the last lines of a report.
func (c *evalConsole) totals(r *eval.Run) string {
	t := r.Totals
	var b strings.Builder
	var parts []string
	for _, p := range []struct {
		n       int
		verdict string
	}{{t.Passed, eval.Passed}, {t.Scored, eval.Scored}, {t.Failed, eval.Failed}, {t.Skipped, eval.Skipped}} {
		if p.n > 0 || p.verdict == eval.Passed {
			parts = append(parts, c.paint(marks[p.verdict].color, fmt.Sprintf("%d %s", p.n, p.verdict)))
		}
	}
	if left := t.Cases - t.Done; left > 0 {
		parts = append(parts, fmt.Sprintf("%d not run", left))
	}
	fmt.Fprintf(&b, "%s: %s in %s\n", plural(t.Cases, "case"), strings.Join(parts, ", "), briefly(r.DurationMs))
	b.WriteString(spending(&t.Spent) + "\n")
	if c.kept != "" {
		b.WriteString("kept in " + c.text(c.kept) + "\n")
	}
	if r.Error != "" {
		b.WriteString(c.paint(31, "! ") + c.text(r.Error) + "\n")
	}
	return b.String()
}

// spending is what a run used.
func spending(s *eval.Spent) string {
	u := s.Usage
	text := fmt.Sprintf("tokens: %s in, %s cached, %s out", grouped(u.InputTokens+u.CacheWriteTokens), grouped(u.CacheReadTokens), grouped(u.OutputTokens))
	switch {
	case s.CostUSD == nil:
		return text + "; cost: not known, since a model has no price"
	case s.JudgeCostUSD != nil && *s.JudgeCostUSD > 0:
		return text + fmt.Sprintf("; cost: %s, %s of it for judges", dollars(*s.CostUSD), dollars(*s.JudgeCostUSD))
	}
	return text + "; cost: " + dollars(*s.CostUSD)
}

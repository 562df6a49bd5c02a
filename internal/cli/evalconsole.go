package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/logs"
)

// An evalConsole tells people how a run goes: on a terminal a line that says what is
// under way, a line for each case as it ends, and at last what is wrong, in the order
// of the suite.
type evalConsole struct {
	app *app
	// out is where lines go; color says that they may be painted.
	out   io.Writer
	color bool
	// dir is the project's, from which places count.
	dir     string
	verbose bool
	// opens gives the command that shows a session; nil: none is kept.
	opens func(id string) string
	// kept is where the run is; empty: nowhere.
	kept string

	// width is that of the longest id.
	width   int
	cases   int
	done    int
	failed  int
	running []string
	err     error // of writing
}

var _ eval.Observer = (*evalConsole)(nil)

// maxID is the widest column of ids.
const maxID = 60

// newEvalConsole writes to stdout, or to stderr where that is for JSON.
func (a *app) newEvalConsole(dir string, f *evalFlags, cases []*eval.Case) *evalConsole {
	c := &evalConsole{app: a, out: a.Stdout, dir: dir, verbose: f.verbose}
	if f.asJSON {
		c.out = a.Stderr
	}
	c.color = a.color(c.out)
	for _, cs := range cases {
		c.width = min(maxID, max(c.width, len([]rune(cs.ID))))
	}
	return c
}

// String names it, for what is said of its errors.
func (c *evalConsole) String() string { return "the console" }

// RunStarted says how many cases there are.
func (c *evalConsole) RunStarted(r *eval.Run) error {
	c.cases = r.Totals.Cases
	c.show()
	return c.err
}

// CaseStarted says that a case is under way.
func (c *evalConsole) CaseStarted(cs *eval.Case) error {
	c.running = append(c.running, cs.ID)
	c.show()
	return c.err
}

// CaseEnded says how a case came out.
func (c *evalConsole) CaseEnded(r *eval.Result) error {
	c.running = slices.DeleteFunc(c.running, func(id string) bool { return id == r.ID })
	c.done++
	if r.Verdict == eval.Failed {
		c.failed++
	}
	c.write(c.caseLine(r) + "\n")
	c.show()
	return c.err
}

// show keeps the live line true.
func (c *evalConsole) show() {
	text := fmt.Sprintf("%d/%d", c.done, c.cases)
	if c.failed > 0 {
		text += fmt.Sprintf(", %d failed", c.failed)
	}
	for i, id := range c.running {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		if more := fmt.Sprintf(" and %d more", len(c.running)-i); i > 0 && len(text)+len(id)+len(more)+2 > liveWidth {
			text += more
			break
		}
		text += sep + id
	}
	c.app.status.show(text)
}

// marks of verdicts, with the number of their colour.
var marks = map[string]struct {
	mark  string
	color int
}{
	eval.Passed: {"✓", 32}, eval.Failed: {"✗", 31}, eval.Scored: {"~", 33}, eval.Skipped: {"-", 90},
}

// caseLine is one case: its mark, id, time, tokens and cost.
func (c *evalConsole) caseLine(r *eval.Result) string {
	m := marks[r.Verdict]
	line := c.paint(m.color, m.mark) + " " + c.text(r.ID)
	if r.Verdict == eval.Skipped {
		if r.SkipReason != "" {
			line += c.paint(90, "  skipped: "+c.text(oneLine(r.SkipReason)))
		}
		return line
	}
	return line + strings.Repeat(" ", max(0, c.width-len([]rune(r.ID)))) + c.paint(90, "  "+spent(r.DurationMs, &r.Metrics.Spent))
}

// spent is what a case took, in columns.
func spent(ms int64, s *eval.Spent) string {
	text := fmt.Sprintf("%7s  %8s tokens", briefly(ms), grouped(s.Usage.Total()))
	if s.CostUSD != nil && *s.CostUSD > 0 {
		text += "  " + dollars(*s.CostUSD)
	}
	return text
}

// briefly is a time with the digits that count.
func briefly(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", ms)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// grouped writes a number with a comma before each three digits.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// dollars is a cost.
func dollars(usd float64) string {
	if usd == 0 {
		return "$0"
	}
	if usd < 0.01 {
		return fmt.Sprintf("$%.6f", usd)
	}
	return fmt.Sprintf("$%.4f", usd)
}

// paint colours a text where that is wanted.
func (c *evalConsole) paint(color int, s string) string {
	if !c.color {
		return s
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", color, s)
}

// text is one that can do nothing to a terminal and has no secret in it.
func (c *evalConsole) text(s string) string {
	return logs.Visible(c.app.redactor.Text(s), "\n\t")
}

// place is one of the project, as seen from the working directory.
func (c *evalConsole) place(s string) string {
	if rel, err := filepath.Rel(c.app.Dir, filepath.Join(c.dir, filepath.FromSlash(s))); err == nil && s != "" {
		return rel
	}
	return s
}

// write keeps the first error.
func (c *evalConsole) write(s string) {
	if _, err := io.WriteString(c.out, s); err != nil && c.err == nil {
		c.err = fmt.Errorf("writing the report: %w", err)
	}
}

// oneLine puts a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

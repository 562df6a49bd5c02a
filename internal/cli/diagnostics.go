package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// counts says how many errors and warnings the agents have.
func counts(agents []*agent.Agent) (errs, warnings int) {
	for _, ag := range agents {
		for _, d := range ag.Diagnostics {
			if d.Severity == agent.SeverityError {
				errs++
				continue
			}
			warnings++
		}
	}
	return errs, warnings
}

// diagnosticLine is one finding for people: place, severity, message, rule, and
// the mend on a line of its own. The file is as seen from the working directory.
func (a *app) diagnosticLine(ag *agent.Agent, d agent.Diagnostic) string {
	var b strings.Builder
	b.WriteString(a.placeOf(ag, d))
	fmt.Fprintf(&b, ": %s: %s [%s]", d.Severity, d.Message, d.Rule)
	if d.Fix != "" {
		b.WriteString("\n    " + d.Fix)
	}
	return b.String()
}

func (a *app) placeOf(ag *agent.Agent, d agent.Diagnostic) string {
	if d.File == "" {
		return ag.Slug
	}
	place := filepath.FromSlash(d.File)
	if !filepath.IsAbs(place) { // a file outside the project's folder is
		place = filepath.Join(ag.Dir, place)
	}
	if rel, err := filepath.Rel(a.Dir, place); err == nil {
		place = rel
	}
	if d.Line > 0 {
		place += fmt.Sprintf(":%d", d.Line)
	}
	if d.Line > 0 && d.Column > 0 {
		place += fmt.Sprintf(":%d", d.Column)
	}
	return place
}

// sayDiagnostics writes the findings of the agents to stderr.
func (a *app) sayDiagnostics(agents []*agent.Agent) {
	for _, ag := range agents {
		for _, d := range ag.Diagnostics {
			a.say("%s", a.redactor.Text(a.diagnosticLine(ag, d)))
		}
	}
}

// plural gives "1 error", "2 errors".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

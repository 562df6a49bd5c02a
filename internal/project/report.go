package project

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
)

// A report gathers what is found about one project.
type report struct {
	found []agent.Diagnostic
	// faults counts the errors, those that were found before as well: a file that two
	// mounts have in common is at fault for both.
	faults int
}

// A place is where a finding lies; File is relative to the project's folder.
type place struct {
	File         string
	Line, Column int
}

// top is the place of what is wrong with a file as a whole.
func top(file string) place { return place{File: file, Line: 1} }

// project is the place of what is wrong with the project's folder itself.
var project = place{File: "."}

// add records a finding. A nil report is one that nobody will read.
func (r *report) add(id string, at place, message, fix string) {
	if r == nil {
		return
	}
	rule, ok := ruleByID[id]
	if !ok {
		panic(fmt.Sprintf("rule %q is not in the table", id))
	}
	if rule.Severity == agent.SeverityError {
		r.faults++
	}
	d := agent.Diagnostic{Rule: id, Severity: rule.Severity, File: at.File, Line: at.Line, Column: at.Column, Message: message, Fix: fix}
	if !slices.Contains(r.found, d) {
		r.found = append(r.found, d)
	}
}

// sorted gives the findings, errors first, then by place.
func (r *report) sorted() []agent.Diagnostic {
	slices.SortStableFunc(r.found, func(a, b agent.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)),
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
	return r.found
}

func severityRank(s string) int {
	if s == agent.SeverityError {
		return 0
	}
	return 1
}

// errors counts what was found that keeps a project from being served; it grows with
// each such finding.
func (r *report) errors() int { return r.faults }

// has says whether a rule was found broken.
func (r *report) has(rule string) bool {
	return slices.ContainsFunc(r.found, func(d agent.Diagnostic) bool { return d.Rule == rule })
}

package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// Check says why a run of a selection would not begin: ErrNoConfig, ErrNoCases or
// ErrOptions. It starts nothing.
func (r *Runner) Check(o *RunOptions) error {
	if r.Suite.Config == nil {
		return fmt.Errorf("%w%s", ErrNoConfig, r.Suite.configFault())
	}
	switch {
	case o.MaxConcurrency < 0 || o.MaxConcurrency > MaxConcurrency:
		return fmt.Errorf("%w: the concurrency is %d, and must be from 1 to %d", ErrOptions, o.MaxConcurrency, MaxConcurrency)
	case o.Timeout < 0:
		return fmt.Errorf("%w: the time limit is %s, and must be above 0", ErrOptions, o.Timeout)
	case o.Replay && o.Model != "":
		return fmt.Errorf("%w: under replay the model is the recording of each case, so that it cannot be %q", ErrOptions, o.Model)
	case o.ID != "" && !IsRunID(o.ID):
		return fmt.Errorf("%w: %q is no id of a run", ErrOptions, o.ID)
	}
	cases, broken := r.Suite.Select(&o.Selection)
	if len(cases)+len(broken) == 0 {
		return fmt.Errorf("%w: %s", ErrNoCases, r.Suite.nothing(&o.Selection))
	}
	if o.Replay && len(broken) == 0 && !slices.ContainsFunc(cases, func(c *Case) bool { return c.Replay != "" }) {
		return fmt.Errorf("%w: no selected case was made from a recording; bdk eval record makes one", ErrNoCases)
	}
	return nil
}

// configFault is the first error about the config, or what to write.
func (s *Suite) configFault() string {
	if d := configFinding(s.Diagnostics); d != nil {
		return ": " + d.File + ": " + d.Message
	}
	return ": export defineEvalConfig({ maxConcurrency: 4 }) from evals/evals.config.ts"
}

// configFinding is the first error about the config; nil: there is none.
func configFinding(all []agent.Diagnostic) *agent.Diagnostic {
	for i, d := range all {
		if strings.Contains(d.File, "evals.config.") && d.Severity == agent.SeverityError {
			return &all[i]
		}
	}
	return nil
}

// nothing says why a selection is empty.
func (s *Suite) nothing(by *Selection) string {
	if len(s.Cases) == 0 {
		return "evals/ has none; a file ending in .eval.ts holds them"
	}
	var parts []string
	ids := Selection{IDs: by.IDs}
	if len(by.IDs) > 0 && !slices.ContainsFunc(s.Cases, ids.Has) {
		parts = append(parts, "no id is or lies below "+quoted(by.IDs)+s.hint(by.IDs))
	}
	tags := Selection{Tags: by.Tags}
	if len(by.Tags) > 0 && !slices.ContainsFunc(s.Cases, tags.Has) {
		parts = append(parts, "no case has the tag "+quoted(by.Tags)+known(s.tags()))
	}
	if len(parts) == 0 {
		return "no case has both one of the ids " + quoted(by.IDs) + " and one of the tags " + quoted(by.Tags)
	}
	return strings.Join(parts, "; ")
}

// Unmet says which parts of a selection that is not empty select nothing, a sentence each:
// a slip in one of several names would go unseen.
func (s *Suite) Unmet(by *Selection) []string {
	var out []string
	for _, id := range by.IDs {
		if cases, broken := s.Select(&Selection{IDs: []string{id}}); len(cases)+len(broken) == 0 {
			out = append(out, fmt.Sprintf("no id is or lies below %q%s", id, s.hint([]string{id})))
		}
	}
	for _, tag := range by.Tags {
		if !slices.Contains(s.tags(), tag) {
			out = append(out, fmt.Sprintf("no case has the tag %q%s", tag, known(s.tags())))
		}
	}
	return out
}

func (s *Suite) hint(ids []string) string {
	var near []string
	for _, id := range ids {
		for _, n := range s.Near(id) {
			if !slices.Contains(near, n) {
				near = append(near, n)
			}
		}
	}
	if len(near) == 0 {
		return "; bdk eval --list shows those that there are"
	}
	return " (near: " + strings.Join(near, ", ") + ")"
}

func known(tags []string) string {
	if len(tags) == 0 {
		return ": no case has any"
	}
	const most = 10
	if len(tags) > most {
		tags = append(tags[:most:most], "…")
	}
	return " (there are: " + strings.Join(tags, ", ") + ")"
}

func quoted(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = fmt.Sprintf("%q", t)
	}
	return strings.Join(out, " or ")
}

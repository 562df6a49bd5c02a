package agent

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Check says everything that is wrong with an agent and with all that it has, one
// line for each fault; nil when a host can be started with it. It opens nothing.
func (a *Agent) Check() error {
	if a == nil {
		return errors.New("there is no agent: it is nil")
	}
	faults := []error{a.checkSelf(), checkAuth(a.Auth)}
	faults = append(faults,
		checkEach("tool", a.Tools, func(v *Tool) string { return v.Name }),
		checkEach("skill", a.Skills, func(v *Skill) string { return v.Name }),
		checkEach("subagent", a.Subagents, func(v *Subagent) string { return v.Name }),
		checkEach("hook", a.Hooks, func(v *Hook) string { return v.Name }),
		checkEach("channel", a.Channels, func(v *Channel) string { return v.ID }),
		checkEach("schedule", a.Schedules, func(v *Schedule) string { return v.ID }),
		checkEach("connection", a.Connections, func(v *Connection) string { return v.Name }),
		checkSeeds(a.Seeds))
	if slices.Contains(a.Mounts, nil) {
		faults = append(faults, errors.New("one of its mounts is nil: leave it out"))
	}
	return under("agent "+a.Slug, errors.Join(faults...))
}

// checkSelf holds what the agent says of itself.
func (a *Agent) checkSelf() error {
	var faults []error
	if !idForm.MatchString(a.Slug) {
		faults = append(faults, fmt.Errorf("the slug %q cannot stand in a URL: write letters, digits, - and _, a letter or a digit first", a.Slug))
	}
	if s := a.Local.Sandbox; s != "" && s != SandboxWorkspace && s != SandboxOff {
		faults = append(faults, fmt.Errorf("the sandbox is %q; it can be %s, %s or empty", s, SandboxWorkspace, SandboxOff))
	}
	if p := a.Compaction.ThresholdPercent; p < 0 || p > 100 {
		faults = append(faults, fmt.Errorf("the compaction threshold is %d percent; it must be from 1 to 100, or 0 for the default", p))
	}
	if a.Result != nil && a.Result.Resolve == nil {
		faults = append(faults, errors.New("the rule for its results has no function; make one with agent.NewResult"))
	}
	if a.Artifacts != nil && a.Artifacts.Max < 0 {
		faults = append(faults, fmt.Errorf("artifacts: Max is %d; it cannot be negative", a.Artifacts.Max))
	}
	return errors.Join(append(faults, a.checkLimits())...)
}

func (a *Agent) checkLimits() error {
	var faults []error
	for _, l := range []struct {
		name  string
		value float64
	}{
		{"Limits.MaxSteps", float64(a.Limits.MaxSteps)}, {"Limits.TurnTimeout", float64(a.Limits.TurnTimeout)},
		{"Limits.MaxOutputTokens", float64(a.Limits.MaxOutputTokens)}, {"Limits.MaxTurnUSD", a.Limits.MaxTurnUSD},
		{"Limits.MaxSessionUSD", a.Limits.MaxSessionUSD}, {"Limits.MaxSessionTokens", float64(a.Limits.MaxSessionTokens)},
		{"Concurrency.MaxRunningTurns", float64(a.Concurrency.MaxRunningTurns)}, {"Approvals.Timeout", float64(a.Approvals.Timeout)},
	} {
		if !(l.value >= 0) { // NaN is not
			faults = append(faults, fmt.Errorf("%s is %v; it cannot be negative, and 0 means the default or no limit", l.name, l.value))
		}
	}
	return errors.Join(faults...)
}

// checkEach checks a list whose names are to be there once each.
func checkEach[T any, P interface {
	*T
	Check() error
}](what string, list []P, name func(P) string) error {
	var faults []error
	seen := map[string]bool{}
	for i, v := range list {
		if v == nil {
			faults = append(faults, fmt.Errorf("%s %d of %d is nil: leave it out", what, i+1, len(list)))
			continue
		}
		n := name(v)
		if faults = append(faults, v.Check()); seen[n] && n != "" {
			faults = append(faults, fmt.Errorf("%s %q is there twice: rename one of them", what, n))
		}
		seen[n] = true
	}
	return errors.Join(faults...)
}

func checkAuth(list []AuthPolicy) error {
	var faults []error
	for i := range list {
		if err := list[i].Check(); err != nil {
			faults = append(faults, fmt.Errorf("auth: policy %d: %w", i+1, err))
		}
	}
	return errors.Join(faults...)
}

// under says of each fault where it lies.
func under(where string, err error) error {
	if err == nil {
		return nil
	}
	list, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s: %w", where, err)
	}
	var faults []error
	for _, err := range list.Unwrap() {
		faults = append(faults, under(where, err))
	}
	return errors.Join(faults...)
}

// formed refuses a name that is not of a form, but for the prefix that a mount gives.
func formed(what, name string, form *regexp.Regexp) error {
	_, short, mounted := strings.Cut(name, "__")
	if !mounted {
		short = name
	}
	if form.MatchString(name) && form.MatchString(short) && !strings.Contains(short, "__") {
		return nil
	}
	return fmt.Errorf("%q cannot be %s: write letters, digits, - and _, without \"__\"", name, what)
}

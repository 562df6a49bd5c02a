package eval

import (
	"fmt"
	"strings"
)

// Misses are the assertions of a result that its verdict comes from: those missed whose
// severity is gate or atLeast, in the order in which the test made them.
func (r *Result) Misses() []Assertion {
	var misses []Assertion
	for _, a := range r.Assertions {
		if !a.Passed && a.Severity != Soft {
			misses = append(misses, a)
		}
	}
	return misses
}

// Line is an assertion for people: its name, what was found, and where the test makes it.
func (a *Assertion) Line() string {
	var b strings.Builder
	b.WriteString(a.Name)
	if a.Severity != Gate || a.Score != 0 && a.Score != 1 {
		fmt.Fprintf(&b, " scored %.3g", a.Score)
		if a.Severity != Soft {
			fmt.Fprintf(&b, " of %.3g", a.Threshold)
		}
	}
	if a.Turn > 0 {
		fmt.Fprintf(&b, " in turn %d", a.Turn)
	}
	if a.Message != "" {
		b.WriteString(": " + a.Message)
	}
	if a.Place != "" {
		b.WriteString(" (" + a.Place + ")")
	}
	return b.String()
}

// Line is a fault for people.
func (f *Fault) Line() string {
	line := f.Kind + ": " + f.Message
	if f.Place != "" {
		line += " (" + f.Place + ")"
	}
	return line
}

// Findings are all that is wrong with a result, as lines of text: its fault, its misses,
// the session and the logs.
func Findings(r *Result) string {
	var lines []string
	if r.Error != nil {
		lines = append(lines, r.Error.Line())
		if r.Error.Stack != "" {
			lines = append(lines, strings.TrimRight(r.Error.Stack, "\n"))
		}
	}
	misses := r.Misses()
	for i := range misses {
		lines = append(lines, misses[i].Line())
	}
	if r.SessionID != "" {
		lines = append(lines, "session: "+r.SessionID)
	}
	for _, l := range r.Logs {
		lines = append(lines, "log: "+l)
	}
	return strings.Join(lines, "\n")
}

// firstMiss is one sentence about what was missed.
func firstMiss(r *Result) string {
	misses := r.Misses()
	switch len(misses) {
	case 0:
		return "the case " + r.Verdict
	case 1:
		return misses[0].Line()
	}
	return fmt.Sprintf("%s, and %d more", misses[0].Line(), len(misses)-1)
}

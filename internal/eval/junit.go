package eval

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// JUnitOptions shape a JUnit report.
type JUnitOptions struct {
	// SuiteName is the name of the one test suite. Empty: "evals of" and the agent.
	SuiteName string
	// Strict makes a scored case a failure.
	Strict bool
	// Redact takes secrets out of every text. Nil: nothing is taken out.
	Redact func(text string) string
}

// JUnit gives a run, as it stands, as a JUnit report: one test suite, a test case for
// each result. A missed gate is a failure, a fault is an error, and so is what keeps a run
// from being green beside its cases: it did not complete, a reporter failed, or every case
// was skipped. It keeps to what both schemas in use allow, that of Ant's reports and
// that of Jenkins, which is why the logs of all cases are the output of the suite.
func JUnit(r *Run, o *JUnitOptions) ([]byte, error) {
	w := &junitWriter{JUnitOptions: *o, run: r}
	if w.Redact == nil {
		w.Redact = func(text string) string { return text }
	}
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	// The totals stay out of the root: Ant's schema has none there.
	all := junit.Testsuites{Suites: []junit.Testsuite{w.suite()}}
	if err := all.WriteXML(&b); err != nil {
		return nil, fmt.Errorf("writing the JUnit report: %w", err)
	}
	return b.Bytes(), nil
}

// A junitWriter makes one report.
type junitWriter struct {
	JUnitOptions
	run *Run
	out strings.Builder
}

func (w *junitWriter) suite() junit.Testsuite {
	r := w.run
	s := junit.Testsuite{
		Name:      w.text(r.suiteName(w.SuiteName)),
		Package:   w.text(cmp.Or(r.Agent, "bdk")),
		Hostname:  w.text(hostname()),
		Timestamp: r.StartedAt.UTC().Format("2006-01-02T15:04:05"),
		Time:      seconds(r.DurationMs),
	}
	w.properties(&s)
	for _, result := range r.Results {
		s.AddTestcase(w.testcase(result))
	}
	if message := w.broken(); message != "" {
		s.AddTestcase(junit.Testcase{
			Name: "the run", Classname: w.text(classname(r.Agent, "")), Time: seconds(0),
			Error: &junit.Result{Message: message, Type: r.Status, Data: w.text(strings.TrimSpace(message + "\n" + r.Error))},
		})
	}
	s.SystemOut, s.SystemErr = &junit.Output{Data: w.out.String()}, &junit.Output{Data: w.text(r.Error)}
	return s
}

func (w *junitWriter) properties(s *junit.Testsuite) {
	r := w.run
	for _, p := range [][2]string{{"runId", r.ID}, {"status", r.Status}, {"agent", r.Agent}, {"model", r.Model}, {"stateRoot", r.StateRoot}} {
		if p[1] != "" {
			s.AddProperty(p[0], w.text(p[1]))
		}
	}
}

func (w *junitWriter) testcase(result *Result) junit.Testcase {
	c := junit.Testcase{Name: w.text(result.ID), Classname: w.text(classname(w.run.Agent, result.File)), Time: seconds(result.DurationMs)}
	for _, line := range result.Logs {
		fmt.Fprintf(&w.out, "[%s] %s\n", c.Name, w.text(line))
	}
	switch {
	case result.Error != nil:
		c.Error = &junit.Result{Message: w.text(result.Error.Message), Type: result.Error.Kind, Data: w.text(Findings(result))}
	case result.Verdict == Failed:
		c.Failure = &junit.Result{Message: w.text(firstMiss(result)), Type: Gate, Data: w.text(Findings(result))}
	case result.Verdict == Scored && w.Strict:
		c.Failure = &junit.Result{Message: w.text(firstMiss(result)), Type: Scored, Data: w.text(Findings(result))}
	case result.Verdict == Skipped:
		c.Skipped = &junit.Result{Message: w.text(result.SkipReason)}
	}
	return c
}

// broken says why the run lets nothing through, whatever its cases did; empty: it does.
func (w *junitWriter) broken() string {
	r := w.run
	switch ended := fmt.Sprintf("%d of %d cases ended", r.Totals.Done, r.Totals.Cases); {
	case r.Status == RunRunning:
		return "the run has not ended: while nothing runs, it was killed"
	case r.Status == RunFailed:
		return "the run failed: " + ended
	case r.Status != RunCompleted:
		return fmt.Sprintf("the run was %s: %s", r.Status, ended)
	case r.Error != "":
		return "the run is not green: what is told of it failed"
	case r.Totals.Executed() == 0 && !r.part: // others may have run
		return "no case was run: every one was skipped"
	}
	return ""
}

// text is one without secrets and without what XML cannot hold.
func (w *junitWriter) text(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 {
			return r
		}
		return -1
	}, w.Redact(s))
}

// suiteName is the one that was asked for, or else one of the agent.
func (r *Run) suiteName(given string) string {
	return cmp.Or(strings.TrimSpace(given), strings.TrimSpace("evals of "+r.Agent))
}

// classname is how reports group cases: by agent and file, with dots.
func classname(agent, file string) string {
	file = strings.TrimPrefix(file, "evals/")
	for _, ending := range []string{".eval.ts", ".eval.js"} {
		file = strings.TrimSuffix(file, ending)
	}
	return strings.Trim(cmp.Or(agent, "bdk")+"."+strings.ReplaceAll(file, "/", "."), ".")
}

// seconds is a duration as reports have it.
func seconds(ms int64) string {
	return fmt.Sprintf("%.3f", (time.Duration(max(0, ms)) * time.Millisecond).Seconds())
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		name = ""
	}
	return cmp.Or(name, "localhost")
}

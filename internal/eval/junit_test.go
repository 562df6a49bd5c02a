package eval

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A rule says what one element of a JUnit report may be, as both schemas in use allow
// it: that for Ant's reports, which is the stricter one, and that of Jenkins.
type rule struct {
	// children in their order; each occurs as often as its mark says: 1, ? or *.
	children []string
	// required attributes with the form of their values, optional ones likewise.
	required, optional map[string]*regexp.Regexp
	// text says that the element may hold text.
	text bool
	// one says that of the children one alone may be there.
	one bool
}

var (
	anyText  = regexp.MustCompile(`(?s)^.*$`)
	token    = regexp.MustCompile(`^\S(?s:.*)$`)
	count    = regexp.MustCompile(`^\d+$`)
	decimal  = regexp.MustCompile(`^\d+\.\d{3}$`)
	dateTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`)
	fault    = rule{required: map[string]*regexp.Regexp{"type": token}, optional: map[string]*regexp.Regexp{"message": anyText}, text: true}
)

var schema = map[string]rule{
	"testsuites": {children: []string{"testsuite*"}},
	"testsuite": {
		children: []string{"properties1", "testcase*", "system-out1", "system-err1"},
		required: map[string]*regexp.Regexp{
			"name": token, "package": token, "id": count, "hostname": token, "timestamp": dateTime,
			"tests": count, "failures": count, "errors": count, "time": decimal,
		},
		optional: map[string]*regexp.Regexp{"skipped": count},
	},
	"properties": {children: []string{"property*"}},
	"property":   {required: map[string]*regexp.Regexp{"name": token, "value": anyText}},
	"testcase": {
		children: []string{"skipped?", "error?", "failure?"}, one: true,
		required: map[string]*regexp.Regexp{"name": token, "classname": token, "time": decimal},
	},
	"skipped": {optional: map[string]*regexp.Regexp{"message": anyText}, text: true},
	"error":   fault, "failure": fault,
	"system-out": {text: true}, "system-err": {text: true},
}

// A node is an element of a report.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// faults are all the ways in which a node and those below it break the schema.
func (n *node) faults() []string {
	name := n.XMLName.Local
	r, ok := schema[name]
	if !ok {
		return []string{"there is no element " + name}
	}
	found := append(n.attrFaults(&r), n.childFaults(&r)...)
	if !r.text && strings.TrimSpace(n.Text) != "" {
		found = append(found, name+" holds text")
	}
	for i := range n.Nodes {
		found = append(found, n.Nodes[i].faults()...)
	}
	return found
}

func (n *node) attrFaults(r *rule) (found []string) {
	for want := range r.required {
		if !slices.ContainsFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Local == want }) {
			found = append(found, n.XMLName.Local+" has no "+want)
		}
	}
	for _, a := range n.Attrs {
		form := r.required[a.Name.Local]
		if form == nil {
			form = r.optional[a.Name.Local]
		}
		if form == nil || !form.MatchString(a.Value) {
			found = append(found, fmt.Sprintf("%s may not have %s=%q", n.XMLName.Local, a.Name.Local, a.Value))
		}
	}
	return found
}

func (n *node) childFaults(r *rule) (found []string) {
	at := 0
	for _, want := range r.children {
		name, often := want[:len(want)-1], want[len(want)-1]
		times := 0
		for at < len(n.Nodes) && n.Nodes[at].XMLName.Local == name {
			at++
			times++
		}
		if often == '1' && times != 1 || often == '?' && times > 1 {
			found = append(found, fmt.Sprintf("%s has %d times %s, in its place", n.XMLName.Local, times, name))
		}
	}
	if at < len(n.Nodes) {
		found = append(found, n.XMLName.Local+" has a misplaced "+n.Nodes[at].XMLName.Local)
	}
	if r.one && len(n.Nodes) > 1 {
		found = append(found, n.XMLName.Local+" has more than one outcome")
	}
	return found
}

// read parses a report and holds it to the schema, its counts included.
func read(t *testing.T, report []byte) *node {
	t.Helper()
	n := &node{}
	dec := xml.NewDecoder(bytes.NewReader(report))
	if err := dec.Decode(n); err != nil {
		t.Fatalf("%v in %s", err, report)
	}
	if _, err := dec.Token(); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	for _, f := range n.faults() {
		t.Errorf("%s in\n%s", f, report)
	}
	for i := range n.Nodes {
		counts(t, &n.Nodes[i])
	}
	return n
}

func counts(t *testing.T, suite *node) {
	t.Helper()
	got := map[string]int{"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
	for i := range suite.Nodes {
		c := &suite.Nodes[i]
		if c.XMLName.Local != "testcase" {
			continue
		}
		got["tests"]++
		for _, o := range c.Nodes {
			got[map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"}[o.XMLName.Local]]++
		}
	}
	for name, n := range got {
		if said, _ := strconv.Atoi(suite.attr(name)); said != n {
			t.Errorf("the suite says %s=%d and has %d", name, said, n)
		}
	}
}

// cases of a suite by their names.
func (n *node) cases() map[string]*node {
	found := map[string]*node{}
	for i := range n.Nodes[0].Nodes {
		if c := &n.Nodes[0].Nodes[i]; c.XMLName.Local == "testcase" {
			found[c.attr("name")] = c
		}
	}
	return found
}

// aRun has a case of every verdict.
func aRun() *Run {
	skipReason := "not on this \x1b[31mmachine"
	return &Run{
		ID: "20260131-120000-abcd", Status: RunCompleted, Agent: "desk", StartedAt: time.Date(2026, 1, 31, 13, 0, 0, 0, time.FixedZone("", 3600)), DurationMs: 61_234,
		Totals: Totals{Cases: 6, Done: 6},
		Results: []*Result{
			{ID: "smoke/adds", File: "evals/smoke.eval.ts", Verdict: Passed, DurationMs: 1500, Logs: []string{"one ]]> two", "three\x00"}},
			{ID: "smoke/clears", File: "evals/smoke.eval.ts", Verdict: Failed, SessionID: "ses_1", Assertions: []Assertion{
				{Name: `calledTool("a")`, Severity: Gate, Threshold: 1, Message: "called <b> & 'c' \ufffe", Place: "evals/smoke.eval.ts:3:5"},
				{Name: "succeeded()", Severity: Gate, Threshold: 1, Score: 1, Passed: true},
				{Name: "score(\"tone\")", Severity: Soft, Score: 0.1},
				{Name: "judge.closedQA(\"x\")", Severity: AtLeast, Threshold: 0.8, Score: 0.25, Turn: 2},
			}},
			{ID: "deep/er/scored", File: "evals/deep/er.eval.js", Verdict: Scored, Assertions: []Assertion{{Name: "similar", Severity: AtLeast, Threshold: 0.8, Score: 0.5}}},
			{ID: "deep/skipped", File: "evals/deep.eval.ts", Verdict: Skipped, SkipReason: skipReason},
			{ID: "deep/late", File: "evals/deep.eval.ts", Verdict: Failed, Error: &Fault{Kind: FaultTimeout, Message: "too long\nby far", Stack: "at x\n"}},
			{ID: "broken", Verdict: Failed, Error: &Fault{Kind: FaultLoad, Message: "token sk-secret"}},
		},
	}
}

// "JUnit output is valid against the common schema".
func TestJUnit_IsValid(t *testing.T) {
	t.Parallel()
	report, err := JUnit(aRun(), &JUnitOptions{Redact: func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[redacted]") }})
	if err != nil {
		t.Fatal(err)
	}
	n := read(t, report)
	suite := &n.Nodes[0]
	for name, want := range map[string]string{
		"name": "evals of desk", "package": "desk", "tests": "6", "failures": "1", "errors": "2", "skipped": "1",
		"timestamp": "2026-01-31T12:00:00", "time": "61.234",
	} {
		if got := suite.attr(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	cases := n.cases()
	if c := cases["smoke/adds"]; c == nil || c.attr("classname") != "desk.smoke" || c.attr("time") != "1.500" || len(c.Nodes) != 0 {
		t.Errorf("the one that passed: %+v", c)
	}
	if c := cases["deep/er/scored"]; c == nil || c.attr("classname") != "desk.deep.er" || len(c.Nodes) != 0 {
		t.Errorf("a scored case is no failure: %+v", c)
	}
	failed := cases["smoke/clears"].Nodes[0]
	want := "calledTool(\"a\"): called <b> & 'c'  (evals/smoke.eval.ts:3:5)\njudge.closedQA(\"x\") scored 0.25 of 0.8 in turn 2\nsession: ses_1"
	if failed.XMLName.Local != "failure" || failed.attr("type") != "gate" || failed.Text != want || !strings.HasSuffix(failed.attr("message"), ", and 1 more") {
		t.Errorf("the failure is %q %q, want %q", failed.attr("message"), failed.Text, want)
	}
	if e := cases["deep/late"].Nodes[0]; e.XMLName.Local != "error" || e.attr("type") != "timeout" || e.attr("message") != "too long\nby far" {
		t.Errorf("the timeout is %+v", e)
	}
	if s := cases["deep/skipped"].Nodes[0]; s.attr("message") != "not on this [31mmachine" {
		t.Errorf("the reason is %+v", s)
	}
	if strings.Contains(string(report), "sk-secret") {
		t.Error("a secret is in the report")
	}
	if out := suite.Nodes[len(suite.Nodes)-2]; out.Text != "[smoke/adds] one ]]> two\n[smoke/adds] three\n" {
		t.Errorf("the output is %q", out.Text)
	}
}

// evals.md: "A scored result exits 0 unless --strict is set."
func TestJUnit_StrictFailsAScoredCase(t *testing.T) {
	t.Parallel()
	report, err := JUnit(aRun(), &JUnitOptions{Strict: true, SuiteName: "  nightly "})
	if err != nil {
		t.Fatal(err)
	}
	n := read(t, report)
	if f := n.cases()["deep/er/scored"].Nodes; len(f) != 1 || f[0].attr("type") != Scored {
		t.Errorf("the scored case has %+v", f)
	}
	if n.Nodes[0].attr("name") != "nightly" {
		t.Errorf("the suite is %q", n.Nodes[0].attr("name"))
	}
}

// C85: "runner killed mid-run … JUnit written".
func TestJUnitFile_SaysThatTheRunHasNotEnded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "reports", "junit.xml")
	f := NewJUnit(file, &JUnitOptions{})
	run := aRun()
	results := run.Results
	run.Status, run.Results, run.Totals.Done = RunRunning, nil, 0
	for i, want := range []string{"the run has not ended: while nothing runs, it was killed", "the run was cancelled: 2 of 6 cases ended", ""} {
		var err error
		switch i {
		case 0:
			err = f.RunStarted(run)
		case 1:
			run.Status, run.Results, run.Totals.Done = RunCancelled, results[:2], 2
			err = f.RunEnded(run)
		case 2:
			run.Status, run.Results = RunCompleted, results
			err = f.RunEnded(run)
		}
		if err != nil {
			t.Fatal(err)
		}
		report, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := read(t, report).cases()["the run"]
		if (c == nil) != (want == "") || c != nil && c.Nodes[0].attr("message") != want {
			t.Errorf("report %d says %+v, want %q", i, c, want)
		}
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the report: %v, %v", left, err)
	}
}

// P48: "An eval run that executed no case is never green", and C85: "reporter that throws":
// a report that is read in the place of the exit code says so too.
func TestJUnit_ARunThatIsNotGreenHasAnError(t *testing.T) {
	t.Parallel()
	skipped := &Run{ID: "20260131-120000-abcd", Status: RunCompleted, Agent: "desk", Totals: Totals{Cases: 1, Done: 1, Skipped: 1}, Results: []*Result{{ID: "a", Verdict: Skipped}}}
	told := &Run{ID: "20260131-120000-abcd", Status: RunCompleted, Agent: "desk", Error: "JUnit(x): no room", Totals: Totals{Cases: 1, Done: 1, Passed: 1}, Results: []*Result{{ID: "a", Verdict: Passed}}}
	for want, run := range map[string]*Run{"no case was run: every one was skipped": skipped, "the run is not green: what is told of it failed": told} {
		report, err := JUnit(run, &JUnitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n := read(t, report)
		if c := n.cases()["the run"]; c == nil || c.Nodes[0].attr("message") != want || !strings.HasSuffix(c.Nodes[0].Text, run.Error) || n.Nodes[0].attr("errors") != "1" {
			t.Errorf("%s: %s", want, report)
		}
	}
	part := (&listener{ids: map[string]bool{"a": true}}).part(skipped)
	if report, err := JUnit(part, &JUnitOptions{}); err != nil || len(read(t, report).cases()) != 1 {
		t.Errorf("the report of a reporter whose cases were skipped: %s, %v", report, err)
	}
}

func TestJUnitFile_SaysWhereItCannotWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plain"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := NewJUnit(filepath.Join(dir, "plain", "junit.xml"), &JUnitOptions{})
	if err := f.RunEnded(aRun()); err == nil || !strings.Contains(err.Error(), filepath.Join("plain", "junit.xml")) {
		t.Errorf("the error is %v", err)
	}
}

// evals.md: "Built-in reporters include JUnit({ filePath, suiteName? }) and Artifacts({ dir })."
func TestFileReporters_KindsAndPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reporter := FileReporters(dir, &JUnitOptions{Strict: true})
	o, err := reporter(Reporter{Kind: ReporterJUnit, FilePath: "out/j.xml", SuiteName: "s"})
	if j, ok := o.(*JUnitFile); err != nil || !ok || j.file != filepath.Join(dir, "out", "j.xml") || j.options.SuiteName != "s" || !j.options.Strict {
		t.Errorf("JUnit gives %+v, %v", o, err)
	}
	abs := filepath.Join(t.TempDir(), "a")
	o, err = reporter(Reporter{Kind: ReporterArtifacts, Dir: abs})
	if f, ok := o.(*Folder); err != nil || !ok || f.Dir() != abs {
		t.Errorf("Artifacts gives %+v, %v", o, err)
	}
	if _, err = reporter(Reporter{Kind: ReporterCustom}); err == nil {
		t.Error("an object of the author's was taken for a file")
	}
}

// A folder in the place of the report is said in words, and not as a rename that failed.
func TestJUnitFile_Folder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := NewJUnit(dir, &JUnitOptions{}).RunStarted(&Run{ID: "20260131-120000-x7ab", Status: RunRunning})
	if want := "it is a folder: name a file, such as " + filepath.Join(dir, "junit.xml"); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

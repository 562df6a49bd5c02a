package eval

import (
	"math"
	"testing"
)

func a(severity string, score, threshold float64) Assertion {
	return Assertion{Name: "x", Severity: severity, Score: score, Threshold: threshold}
}

// ".gate(threshold?) fails the case when it misses", ".soft(threshold?) records a value
// without failing", ".atLeast(threshold) records a soft bar; a miss produces a scored
// verdict." "Case verdicts are passed, failed, scored, or skipped."
func TestVerdict_Table(t *testing.T) {
	t.Parallel()
	reason := "no network"
	for name, c := range map[string]struct {
		assertions []Assertion
		fault      *Fault
		skip       *string
		want       string
	}{
		"nothing asserted":                  {nil, nil, nil, Passed},
		"a gate holds":                      {[]Assertion{a(Gate, 1, 1)}, nil, nil, Passed},
		"a gate misses":                     {[]Assertion{a(Gate, 0, 1)}, nil, nil, Failed},
		"a gate at its threshold":           {[]Assertion{a(Gate, 0.8, 0.8)}, nil, nil, Passed},
		"a gate just below":                 {[]Assertion{a(Gate, 0.79, 0.8)}, nil, nil, Failed},
		"a gate of 0 holds for a miss":      {[]Assertion{a(Gate, 0, 0)}, nil, nil, Passed},
		"a soft one holds":                  {[]Assertion{a(Soft, 1, 1)}, nil, nil, Passed},
		"a soft one misses":                 {[]Assertion{a(Soft, 0, 1)}, nil, nil, Passed},
		"a bar holds":                       {[]Assertion{a(AtLeast, 0.8, 0.8)}, nil, nil, Passed},
		"a bar misses":                      {[]Assertion{a(AtLeast, 0.7, 0.8)}, nil, nil, Scored},
		"a bar and a gate miss":             {[]Assertion{a(AtLeast, 0, 1), a(Gate, 0, 1)}, nil, nil, Failed},
		"a gate and a bar miss":             {[]Assertion{a(Gate, 0, 1), a(AtLeast, 0, 1)}, nil, nil, Failed},
		"all hold but for an error":         {[]Assertion{a(Gate, 1, 1)}, &Fault{Kind: FaultTest}, nil, Failed},
		"a bar misses and an error":         {[]Assertion{a(AtLeast, 0, 1)}, &Fault{Kind: FaultJudge}, nil, Failed},
		"skipped":                           {nil, nil, &reason, Skipped},
		"skipped after what held":           {[]Assertion{a(Gate, 1, 1)}, nil, &reason, Skipped},
		"skipped after a bar missed":        {[]Assertion{a(AtLeast, 0, 1)}, nil, &reason, Skipped},
		"skipped after a gate missed":       {[]Assertion{a(Gate, 0, 1)}, nil, &reason, Failed},
		"skipped, and a turn broke":         {nil, &Fault{Kind: FaultTurn}, &reason, Failed},
		"a severity that nobody knows":      {[]Assertion{a("", 0, 1)}, nil, nil, Failed},
		"a gate whose score is none":        {[]Assertion{a(Gate, math.NaN(), 0)}, nil, nil, Failed},
		"a gate whose score is above 1":     {[]Assertion{a(Gate, 7, 1)}, nil, nil, Failed},
		"a bar whose score is below 0":      {[]Assertion{a(AtLeast, -1, -2)}, nil, nil, Scored},
		"the record lies about a gate":      {[]Assertion{{Severity: Gate, Score: 0, Threshold: 1, Passed: true}}, nil, nil, Failed},
		"the record lies the other way":     {[]Assertion{{Severity: Gate, Score: 1, Threshold: 1, Passed: false}}, nil, nil, Passed},
		"one of many gates":                 {[]Assertion{a(Gate, 1, 1), a(Soft, 0, 1), a(Gate, 0, 1), a(Gate, 1, 1)}, nil, nil, Failed},
		"soft misses beside a gate's score": {[]Assertion{a(Soft, 0.2, 1), a(Gate, 1, 1)}, nil, nil, Passed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := verdict(settled(c.assertions), c.fault, c.skip); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestResult_MissesAreThoseThatCount(t *testing.T) {
	t.Parallel()
	r := &Result{Assertions: settled([]Assertion{a(Gate, 1, 1), a(Gate, 0, 1), a(Soft, 0, 1), a(AtLeast, 0, 1)})}
	if m := r.Misses(); len(m) != 2 || m[0].Severity != Gate || m[1].Severity != AtLeast {
		t.Errorf("missed %+v", m)
	}
}

package eval

import "fmt"

// settled gives the assertions with what passed decided anew from scores and thresholds,
// whatever the record says. A severity that nobody knows is a gate, and a score that is
// none is a miss.
func settled(made []Assertion) []Assertion {
	out := make([]Assertion, 0, len(made))
	for _, a := range made {
		if a.Severity != Soft && a.Severity != AtLeast {
			a.Severity = Gate
		}
		if !(a.Score >= 0 && a.Score <= 1) { // NaN is neither
			a.Message = fmt.Sprintf("the score %v is not from 0 to 1", a.Score)
			a.Score = 0
			a.Passed = false
		} else {
			a.Passed = a.Score >= a.Threshold
		}
		out = append(out, a)
	}
	return out
}

// verdict says how a case came out whose assertions are settled. A miss of a gate stays
// one when the test skips afterwards.
func verdict(assertions []Assertion, fault *Fault, skip *string) string {
	v := Passed
	for i := range assertions {
		switch a := &assertions[i]; {
		case a.Passed:
		case a.Severity == Gate:
			return Failed
		case a.Severity == AtLeast:
			v = Scored
		}
	}
	switch {
	case fault != nil:
		return Failed
	case skip != nil:
		return Skipped
	}
	return v
}

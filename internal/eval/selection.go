package eval

import (
	"slices"
	"strings"
)

// A Selection says which cases run.
type Selection struct {
	// IDs match the case of that id and those below it; any of them counts. None: all.
	IDs []string
	// Tags match the cases that have any of them; none: all. A case must match both.
	Tags []string
}

// Has says whether a case is selected.
func (s *Selection) Has(c *Case) bool {
	return s.hasID(c.ID) && (len(s.Tags) == 0 || slices.ContainsFunc(s.Tags, func(t string) bool { return slices.Contains(c.Tags, t) }))
}

// Reaches says whether an eval file of an id could have held a selected case: what tags
// its cases would have had nobody knows.
func (s *Selection) Reaches(file string) bool {
	return s.hasID(file) || slices.ContainsFunc(s.IDs, func(id string) bool { return strings.HasPrefix(id, file+"/") })
}

func (s *Selection) hasID(id string) bool {
	return len(s.IDs) == 0 || slices.ContainsFunc(s.IDs, func(want string) bool {
		return id == want || strings.HasPrefix(id, strings.TrimSuffix(want, "/")+"/")
	})
}

// Select gives the selected cases in the order of the suite, and the broken files that
// could have held one.
func (s *Suite) Select(by *Selection) (cases []*Case, broken []Broken) {
	for _, c := range s.Cases {
		if by.Has(c) {
			cases = append(cases, c)
		}
	}
	for _, b := range s.Broken {
		if by.Reaches(b.ID) {
			broken = append(broken, b)
		}
	}
	return cases, broken
}

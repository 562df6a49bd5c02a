package eval

import (
	"cmp"
	"slices"
	"strings"
)

// Near gives up to three ids of the suite that are a few slips away from one that nothing
// matches, or contain it, nearest first.
func (s *Suite) Near(id string) []string {
	type candidate struct {
		id   string
		away int
	}
	var found []candidate
	key := strings.ToLower(strings.Trim(id, "/"))
	for _, known := range s.ids() {
		low := strings.ToLower(known)
		away := distance(key, low)
		if away <= max(1, len(low)/4) || len(key) > 2 && (strings.Contains(low, key) || strings.Contains(key, low)) {
			found = append(found, candidate{known, away})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.away, b.away) })
	out := []string{}
	for _, c := range found[:min(3, len(found))] {
		out = append(out, c.id)
	}
	return out
}

// ids are those that a selection may name: of cases without their iterations, and of the
// folders and files above them.
func (s *Suite) ids() []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range s.Cases {
		for id := c.base(); id != ""; id = id[:max(strings.LastIndexByte(id, '/'), 0)] {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// tags are those of all cases, each once.
func (s *Suite) tags() []string {
	var out []string
	for _, c := range s.Cases {
		for _, t := range c.Tags {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// distance is the number of single edits between two texts, at most 64 long.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			c := diagonal
			if a[i] != b[j] {
				c++
			}
			diagonal = row[j+1]
			row[j+1] = min(c, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

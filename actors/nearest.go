package actors

import (
	"slices"
	"strings"
)

// nearest gives up to three names that are a few slips away from name, or
// contain it, nearest first.
func nearest(name string, names []string) []string {
	type candidate struct {
		name string
		away int
	}
	var found []candidate
	key := strings.ToLower(name)
	for _, n := range names {
		low := strings.ToLower(n)
		away := distance(key, low)
		if away <= max(1, len(low)/4) || len(key) > 2 && (strings.Contains(low, key) || strings.Contains(key, low)) {
			found = append(found, candidate{n, away})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.away - b.away })
	out := []string{}
	for _, c := range found[:min(3, len(found))] {
		out = append(out, c.name)
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
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

package agent

import (
	"cmp"
	"slices"
)

// nearestFirst orders names by how little they differ from the given one.
func nearestFirst(given string, names []string) []string {
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(x, y string) int { return cmp.Compare(distance(given, x), distance(given, y)) })
	return sorted
}

// distance counts the letters to insert, remove or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

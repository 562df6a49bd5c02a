package agent

import (
	"cmp"
	"slices"

	"github.com/gobdk/bdk/internal/near"
)

// nearestFirst orders names by how little they differ from the given one.
func nearestFirst(given string, names []string) []string {
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(x, y string) int { return cmp.Compare(near.Distance(given, x), near.Distance(given, y)) })
	return sorted
}

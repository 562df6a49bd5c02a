package project

import (
	"strings"

	"github.com/gobdk/bdk/internal/near"
)

// nearest gives the name that the given one was most likely meant to be, and
// false when none is near.
func nearest(given string, names []string) (string, bool) {
	best, distance := "", min(len(given)/2+1, 5)
	for _, n := range names {
		if d := near.Distance(strings.ToLower(given), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	for _, n := range names {
		if best == "" && len(given) > 2 && strings.Contains(n, strings.ToLower(given)) {
			best = n
		}
	}
	return best, best != ""
}

package project

import "strings"

// nearest gives the name that the given one was most likely meant to be, and
// false when none is near.
func nearest(given string, names []string) (string, bool) {
	best, distance := "", min(len(given)/2+1, 5)
	for _, n := range names {
		if d := editDistance(strings.ToLower(given), strings.ToLower(n)); d < distance {
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

// editDistance counts the letters to insert, remove or change.
func editDistance(a, b string) int {
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

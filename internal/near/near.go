// Package near says which names somebody may have meant by one that is not there.
package near

import (
	"cmp"
	"slices"
	"strings"
)

// longest is the length from which on names are not compared: they are near to nothing.
const longest = 64

// Names gives up to three of names that are a few slips away from name, or contain it or
// lie in it, the nearest first; case counts for nothing. The result is never nil.
func Names(name string, names []string) []string {
	type candidate struct {
		name string
		away int
	}
	var found []candidate
	key := strings.ToLower(name)
	for _, n := range names {
		low := strings.ToLower(n)
		away := longest
		if len(key) <= longest && len(low) <= longest {
			away = Distance(key, low)
		}
		if away <= max(1, len(low)/4) || len(key) > 2 && (strings.Contains(low, key) || strings.Contains(key, low)) {
			found = append(found, candidate{n, away})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.away, b.away) })
	out := []string{}
	for _, c := range found[:min(3, len(found))] {
		out = append(out, c.name)
	}
	return out
}

// Distance counts the characters to add, drop or change from one text to the other. Its
// time is the product of their lengths.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			next := diagonal
			if x[i] != y[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(y)]
}

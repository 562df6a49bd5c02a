package script

import "fmt"

// maxSimilar bounds the texts that are compared, in code points.
const maxSimilar = 100_000

// similarityOps compare texts for similarity and normalizedSimilarity.
func similarityOps(o *ops) {
	o.sync("eval.similarity", func(_ *vm, a args) (any, error) {
		one, two := []rune(a.text(0)), []rune(a.text(1))
		if longest := max(len(one), len(two)); longest > maxSimilar {
			return nil, &hostError{Name: "RangeError", Message: fmt.Sprintf("a text of %d characters is too long to compare: at most %d; compare a part of it", longest, maxSimilar)}
		}
		return likeness(one, two), nil
	})
}

// likeness is (n - distance) / n, n the length of the longer text; two empty texts are alike.
func likeness(a, b []rune) float64 {
	longest := max(len(a), len(b))
	if longest == 0 {
		return 1
	}
	return float64(longest-distance(a, b)) / float64(longest)
}

// distance is the least number of code points to insert, delete or replace that makes
// one text the other. It walks the table of Levenshtein column by column, 64 rows at
// once (Myers, "A fast bit-vector algorithm", 1999): each block of rows is carried over
// the whole text before the next, so that it needs memory for two lines alone.
func distance(a, b []rune) int {
	a, b = unlike(a, b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b)
	}
	symbols, text := numbered(b)
	across := make([]int8, len(text)) // how the row above changes from column to column
	for i := range across {
		across[i] = 1
	}
	for from := 0; from < len(a); from += 64 {
		rows := a[from:min(from+64, len(a))]
		equal := make([]uint64, len(symbols))
		for i, r := range rows {
			if n, known := symbols[r]; known {
				equal[n] |= 1 << i
			}
		}
		carry(equal, text, across, uint(len(rows)-1))
	}
	d := len(a)
	for _, step := range across {
		d += int(step)
	}
	return d
}

// carry takes one block of rows over the text. across is what the row above it does,
// and then what its row last does.
func carry(equal []uint64, text []int32, across []int8, last uint) {
	up, down := ^uint64(0), uint64(0) // where a column grows and shrinks from row to row
	for i, n := range text {
		eq, in := equal[n], across[i]
		vertical := eq | down
		if in < 0 {
			eq |= 1
		}
		horizontal := (((eq & up) + up) ^ up) | eq
		grows, shrinks := down|^(horizontal|up), up&horizontal
		across[i] = int8(grows>>last&1) - int8(shrinks>>last&1)
		grows, shrinks = grows<<1, shrinks<<1
		if in < 0 {
			shrinks |= 1
		} else if in > 0 {
			grows |= 1
		}
		up, down = shrinks|^(vertical|grows), grows&vertical
	}
}

// unlike cuts away what both texts begin and end with.
func unlike(a, b []rune) (restA, restB []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// numbered gives each character of a text a number from 0.
func numbered(text []rune) (symbols map[rune]int32, out []int32) {
	symbols, out = map[rune]int32{}, make([]int32, len(text))
	for i, r := range text {
		n, known := symbols[r]
		if !known {
			n = int32(len(symbols))
			symbols[r] = n
		}
		out[i] = n
	}
	return symbols, out
}

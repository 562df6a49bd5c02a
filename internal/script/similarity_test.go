package script

import (
	"math/rand/v2"
	"testing"
)

// slow is the table of Levenshtein as it is defined.
func slow(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			replace := before
			if x != y {
				replace++
			}
			before = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func TestDistance_IsThatOfLevenshtein(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"abc", "abc", 0}, {"a", "b", 1},
		{"é", "e", 1}, {"👩‍🚒", "👩", 2}, {"日本語", "日本", 1}, {"ab", "ba", 2}, {"intention", "execution", 5},
	} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	text := func() []rune {
		out := make([]rune, r.IntN(200))
		for i := range out {
			out[i] = rune('a' + r.IntN(1+r.IntN(6)))
		}
		return out
	}
	for range 3000 {
		a, b := text(), text()
		if got, want := distance(a, b), slow(a, b); got != want {
			t.Fatalf("%q, %q: %d, want %d", string(a), string(b), got, want)
		}
	}
}

func BenchmarkDistance_20kB(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	one, two := make([]rune, 20_000), make([]rune, 20_000)
	for i := range one {
		one[i], two[i] = rune(r.IntN(60)+'A'), rune(r.IntN(60)+'A')
	}
	for b.Loop() {
		distance(one, two)
	}
}

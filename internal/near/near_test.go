package near

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 70)
	for _, c := range []struct {
		name  string
		names []string
		want  []string
	}{
		{"insepct_pr", []string{"list_checks", "inspect_pr"}, []string{"inspect_pr"}},
		{"Deploy", []string{"deploy"}, []string{"deploy"}},
		{"pay", []string{"payout", "repay", "pays", "pat"}, []string{"pays", "pat", "repay"}},
		{"nothing like it", []string{"deploy"}, []string{}},
		{"", []string{"deploy"}, []string{}},
		{long[1:], []string{long[1:] + "b"}, []string{long[1:] + "b"}}, // contained, however long
		{long[1:] + "c", []string{long[1:] + "b"}, []string{}},
	} {
		if got := Names(c.name, c.names); got == nil || !slices.Equal(got, c.want) {
			t.Errorf("Names(%q, %q) is %q, want %q", c.name, c.names, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"Müller", "Muller", 1}, {"ab", "ba", 2}} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("from %q to %q it is %d and back %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

package eval

import (
	"slices"
	"strings"
	"testing"
)

// "`iterations: 3` … `weather/nyc/1`, `weather/nyc/2`, and `weather/nyc/3`; selecting
// `weather/nyc` runs all three"; "ID filters match an exact ID and its descendants. Repeated
// IDs use OR; repeated tags use OR. When both are present, a case must match both groups."
func TestSuite_Select(t *testing.T) {
	t.Parallel()
	s := &Suite{Broken: []Broken{{ID: "weather/sea"}, {ID: "prs"}}}
	for id, tags := range map[string][]string{"weather/nyc/1": {"smoke"}, "weather/nyc/2": {"smoke"}, "weather/nyc/3": {"slow"}, "weather/nyc-east": nil, "weather": {"fast"}, "builds": {"smoke"}} {
		s.Cases = append(s.Cases, &Case{ID: id, Tags: tags})
	}
	slices.SortFunc(s.Cases, func(a, b *Case) int { return strings.Compare(a.ID, b.ID) })
	for _, c := range []struct {
		ids, tags, want, broken []string
	}{
		{want: []string{"builds", "weather", "weather/nyc-east", "weather/nyc/1", "weather/nyc/2", "weather/nyc/3"}, broken: []string{"weather/sea", "prs"}},
		{ids: []string{"weather/nyc"}, want: []string{"weather/nyc/1", "weather/nyc/2", "weather/nyc/3"}},
		{ids: []string{"weather/nyc/"}, want: []string{"weather/nyc/1", "weather/nyc/2", "weather/nyc/3"}},
		{ids: []string{"weather/nyc/2"}, want: []string{"weather/nyc/2"}},
		{ids: []string{"weather/nyc/2", "builds"}, want: []string{"builds", "weather/nyc/2"}},
		{ids: []string{"weath"}},
		{tags: []string{"fast", "slow"}, want: []string{"weather", "weather/nyc/3"}, broken: []string{"weather/sea", "prs"}},
		{ids: []string{"weather"}, tags: []string{"smoke"}, want: []string{"weather/nyc/1", "weather/nyc/2"}, broken: []string{"weather/sea"}},
		{ids: []string{"prs/checkout"}, broken: []string{"prs"}}, // the file could have held it
	} {
		var got, broken []string
		cases, lost := s.Select(&Selection{IDs: c.ids, Tags: c.tags})
		for _, k := range cases {
			got = append(got, k.ID)
		}
		for _, b := range lost {
			broken = append(broken, b.ID)
		}
		if !slices.Equal(got, c.want) || !slices.Equal(broken, c.broken) {
			t.Errorf("ids %q, tags %q select %q and %q, want %q and %q", c.ids, c.tags, got, broken, c.want, c.broken)
		}
	}
}

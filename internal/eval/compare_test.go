package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// runOf makes a run of results written as "id verdict tokens", in order.
func runOf(id string, texts ...string) *Run {
	r := &Run{ID: id, Status: RunCompleted}
	for i, text := range texts {
		res := &Result{Order: i, Iteration: 1, Iterations: 1, DurationMs: 10}
		var tokens int64
		fmt.Sscan(text, &res.ID, &res.Verdict, &tokens, &res.Iterations)
		res.Metrics.Spent = noneSpent()
		res.Metrics.Steps, res.Metrics.Usage = 1, events.Usage{OutputTokens: tokens}
		cost := float64(tokens) / 2
		res.Metrics.CostUSD = &cost
		if res.Verdict == Failed {
			res.Assertions = misses(Gate).Assertions
		}
		r.Results = append(r.Results, res)
	}
	r.Totals = totalsOf(len(texts), r.Results)
	return r
}

func changes(c *Comparison) string {
	var out []string
	for _, row := range c.Rows {
		out = append(out, row.ID+" "+row.Change)
	}
	return strings.Join(out, "; ")
}

// "bdk eval --compare <run>: which cases changed, tokens and cost beside them".
func TestCompare_Table(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, new []string }{
		"a same":                        {[]string{"a passed"}, []string{"a passed 5"}},
		"a worse":                       {[]string{"a passed"}, []string{"a failed"}},
		"a better":                      {[]string{"a failed"}, []string{"a scored"}},
		"a better; b worse":             {[]string{"b scored", "a scored"}, []string{"a passed", "b failed"}},
		"a changed":                     {[]string{"a passed"}, []string{"a skipped"}},
		"a changed; b same":             {[]string{"a skipped", "b skipped"}, []string{"a failed", "b skipped"}},
		"a added":                       {nil, []string{"a passed"}},
		"b same; c added; a removed":    {[]string{"a passed", "b passed"}, []string{"b passed", "c failed"}},
		"z removed; a removed":          {[]string{"z passed", "a passed"}, nil},
		"i same":                        {[]string{"i/1 failed 0 2", "i/2 passed 0 2"}, []string{"i/1 passed 0 2", "i/2 failed 0 2"}},
		"i worse":                       {[]string{"i/1 failed 0 3", "i/2 passed 0 3", "i/3 passed 0 3"}, []string{"i/1 failed 0 3", "i/2 failed 0 3", "i/3 passed 0 3"}},
		"i better":                      {[]string{"i/1 failed 0 2", "i/2 failed 0 2"}, []string{"i/1 failed 0 2", "i/2 scored 0 2"}},
		"n same":                        {[]string{"n passed"}, []string{"n/1 passed 0 2", "n/2 passed 0 2"}}, // repeated now
		"folder/1 same; folder/2 added": {[]string{"folder/1 passed"}, []string{"folder/1 passed", "folder/2 passed"}},
	} {
		got := Compare(runOf("o", c.old...), runOf("n", c.new...))
		if text := changes(got); text != name {
			t.Errorf("got %q, want %q", text, name)
		}
		if n := got.Same + got.Better + got.Worse + got.Changed + got.Added + got.Removed; n != len(got.Rows) {
			t.Errorf("%s: counts of %d for %d rows", name, n, len(got.Rows))
		}
	}
}

// A run of some cases is held against the same of an older one: the others were not removed.
func TestCompare_Selection(t *testing.T) {
	t.Parallel()
	old := runOf("o", "a/x passed 10", "a/y passed 20", "b failed 30")
	old.Results[2].Tags = []string{"smoke"}
	for want, by := range map[string]Selection{
		"a/x same; a/y removed":            {IDs: []string{"a"}},
		"a/x same":                         {IDs: []string{"a/x"}},
		"a/x added; b removed":             {Tags: []string{"smoke"}},
		"a/x same; a/y removed; b removed": {},
	} {
		new := runOf("n", "a/x passed 10")
		new.FilterIDs, new.Tags = by.IDs, by.Tags
		if c := Compare(old, new); changes(c) != want {
			t.Errorf("%+v: %s", by, changes(c))
		} else if want == "a/x same" && (c.Old.Tokens != 10 || c.Old.Totals.Cases != 1) {
			t.Errorf("totals %+v", c.Old)
		}
	}
	if len(old.Results) != 3 {
		t.Error("the old run was changed")
	}
}

func TestCompare_Numbers(t *testing.T) {
	t.Parallel()
	old, new := runOf("o", "a passed 10", "i/1 passed 3 2", "i/2 failed 4 2"), runOf("n", "a failed 20", "i/1 passed 1 2", "i/2 passed 1 2")
	new.Results[1].Metrics.CostUSD = nil
	new.Totals = totalsOf(3, new.Results)
	c := Compare(old, new)
	a, i := c.Rows[0], c.Rows[1]
	if a.Old.Tokens != 10 || a.New.Tokens != 20 || *a.Old.CostUSD != 5 || *a.New.CostUSD != 10 || fmt.Sprint(a.New.Why) != "[succeeded(): it failed]" || a.Old.Why != nil {
		t.Errorf("%+v\n%+v", a.Old, a.New)
	}
	if i.Old.Verdict != Failed || i.Old.Passed != 1 || i.Old.Failed != 1 || i.Old.Tokens != 7 || i.Old.DurationMs != 20 || i.Old.Steps != 2 || i.New.CostUSD != nil || i.New.Iterations != 2 {
		t.Errorf("%+v\n%+v", i.Old, i.New)
	}
	if c.Old.Tokens != 17 || c.New.Tokens != 22 || *c.Old.Totals.CostUSD != 8.5 || c.New.Totals.CostUSD != nil || c.Better != 1 || c.Worse != 1 {
		t.Errorf("%+v", c)
	}
	if text := encoded(t, c); text != encoded(t, Compare(old, new)) || !strings.Contains(text, `"costUsd":null`) {
		t.Errorf("JSON %s", text)
	}
}

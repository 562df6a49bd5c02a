package projections

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
)

// TestCost_PricesAreNotInRows: views without prices, such as those of a process that
// only lists sessions, fold the same rows as the host's, and a price that changed is
// the one that counts for a turn that runs.
func TestCost_PricesAreNotInRows(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	blind := startViews(t, j)
	turn := append(opening("turn_1"), ev("turn_1", &events.StepCompleted{
		Step: 1, Attempt: 1, FinishReason: events.FinishToolCalls, Usage: &events.Usage{InputTokens: 7},
	}))
	add(t, j, sessionID(0), turn...)
	caughtUp(t, blind, j)
	if row, _, err := blind.Session(t.Context(), sessionID(0)); err != nil || row.Cost != nil {
		t.Errorf("without prices the row says %+v, %v", row.Cost, err)
	}
	rows := dump(t, blind, nameSessions) + dump(t, blind, nameCosts)
	closeViews(t, blind)

	for _, each := range []int64{1, 3} {
		v := startPriced(t, j, testPrices{"scripted": each})
		caughtUp(t, v, j)
		want := float64(7*each) / 1e6
		row, _, err := v.Session(t.Context(), sessionID(0))
		if err != nil || row.Cost == nil || row.Cost.TotalUSD != want {
			t.Errorf("at %d the row says %+v, %v", each, row.Cost, err)
		}
		list, _, err := v.Sessions(t.Context(), SessionQuery{})
		if err != nil || len(list) != 1 || list[0].Cost == nil || *list[0].Cost != *row.Cost {
			t.Errorf("at %d the list says %+v, %v", each, list, err)
		}
		c, _, err := v.Cost(t.Context(), sessionID(0))
		if err != nil || c.Total.TotalUSD == nil || *c.Total.TotalUSD != want || !c.Total.Complete {
			t.Errorf("at %d the cost is %+v, %v", each, c.Total, err)
		}
		checkRebuilt(t, v, j)
		if got := dump(t, v, nameSessions) + dump(t, v, nameCosts); got != rows {
			t.Errorf("at %d the rows are\n%s\nwithout prices they were\n%s", each, got, rows)
		}
		closeViews(t, v)
	}
}

// TestSpending_OddPrices: a price below nothing is none.
func TestSpending_OddPrices(t *testing.T) {
	t.Parallel()
	s := spending{model: "m"}
	s.spend("m", &events.Usage{InputTokens: 1})
	if sum, ok := s.price(testPrices{"m": -1}); ok {
		t.Errorf("a negative price is taken as %v", sum)
	}
	if sum, ok := s.price(nil); ok {
		t.Errorf("no prices give %v", sum)
	}
	if sum, ok := s.price(testPrices{"m": 2}); !ok || sum != 2e6 {
		t.Errorf("two millionths are %v, %v", sum, ok)
	}
}

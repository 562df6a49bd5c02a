package projections

import (
	"cmp"

	"github.com/gobdk/bdk/events"
)

// A tally sums tokens and money over a session. Tokens come from step.completed
// and context.compacted alone: what a turn or a subagent sums up itself would
// count them twice. Money is what ended turns recorded; what the open one used, and
// compactions between turns, have a price when they are read, not before.
type tally struct {
	usage events.Usage
	// sum is the money of priced turns, model that of the last of them.
	sum    amount
	priced int
	model  string
	// unknown says that a turn ended with something to pay for and no price.
	unknown bool
	// open is what the open turn used, loose what was used outside of any turn.
	open, loose spending
}

// fold is told which turn runs: a queued one may end without having started.
func (t *tally) fold(e *events.Event, running string) {
	inTurn := e.TurnID != "" && e.TurnID == running
	switch d := e.Data.(type) {
	case *events.TurnStarted:
		t.open.fold(e)
	case *events.StepStarted:
		if inTurn {
			t.open.fold(e)
		}
	case *events.StepCompleted:
		t.spend(e, d.Usage, inTurn)
	case *events.ContextCompacted:
		t.spend(e, d.Usage, inTurn)
	case *events.TurnCompleted:
		t.end(d.Cost, inTurn)
	case *events.TurnFailed:
		t.end(d.Cost, inTurn)
	}
}

func (t *tally) spend(e *events.Event, u *events.Usage, inTurn bool) {
	if u != nil {
		t.usage.Add(*u)
	}
	if !inTurn { // no turn will record what this cost
		t.loose.fold(e)
		return
	}
	t.open.fold(e)
}

func (t *tally) end(c *events.Cost, inTurn bool) {
	spent := inTurn && t.open.spent
	if inTurn {
		t.open = spending{}
	}
	if c == nil {
		t.unknown = t.unknown || spent
		return
	}
	a, ok := amountOf(c.TotalUSD)
	if !ok {
		t.unknown = true
		return
	}
	t.sum = t.sum.plus(a)
	t.priced++
	t.model = valid(c.Model)
}

// cost is nil when an ended turn's cost is unknown, and while no turn has a known
// one. The open turn counts where its price is known; what it records in the end
// takes the place of that.
func (t *tally) cost(p Prices) *events.Cost {
	sum, priced, model := t.sum, t.priced, t.model
	if open, ok := t.open.price(p); ok {
		sum, priced, model = sum.plus(open), priced+1, t.open.model
	}
	unknown := t.unknown
	if t.loose.spent {
		loose, ok := t.loose.price(p)
		sum, priced, unknown = sum.plus(loose), priced+1, unknown || !ok
		model = cmp.Or(model, t.loose.first())
	}
	if unknown || priced == 0 {
		return nil
	}
	return &events.Cost{TotalUSD: sum.usd(), Model: model}
}

package projections

import "github.com/gobdk/bdk/events"

// A tally sums tokens and money over a session. Tokens come from step.completed
// and context.compacted alone: what a turn or a subagent sums up itself would
// count them twice. Money is what ended turns recorded.
type tally struct {
	usage events.Usage
	// sum is the money of priced turns, model that of the last of them.
	sum    amount
	priced int
	model  string
	// unknown says that a turn ended with something to pay for and no price.
	unknown bool
	// spent says that the open turn has something to pay for.
	spent bool
}

// fold is told which turn runs: a queued one may end without having started.
func (t *tally) fold(e *events.Event, running string) {
	inTurn := e.TurnID != "" && e.TurnID == running
	switch d := e.Data.(type) {
	case *events.StepCompleted:
		t.spend(d.Usage, inTurn)
	case *events.ContextCompacted:
		t.spend(d.Usage, inTurn)
	case *events.TurnCompleted:
		t.end(d.Cost, inTurn)
	case *events.TurnFailed:
		t.end(d.Cost, inTurn)
	}
}

func (t *tally) spend(u *events.Usage, inTurn bool) {
	if u != nil {
		t.usage.Add(*u)
	}
	if !inTurn {
		t.unknown = true // no turn will record what this cost
	}
	t.spent = t.spent || inTurn
}

func (t *tally) end(c *events.Cost, inTurn bool) {
	spent := inTurn && t.spent
	if inTurn {
		t.spent = false
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

// cost is nil when a turn's cost is unknown, and before one was recorded.
func (t *tally) cost() *events.Cost {
	if t.unknown || t.priced == 0 {
		return nil
	}
	return &events.Cost{TotalUSD: t.sum.usd(), Model: t.model}
}

package hosted

import (
	"cmp"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// A bill is money in units of 1e-12 US dollars, as far as it is known.
type bill struct {
	pico    int64
	unknown bool
}

// add adds what usage of a model costs; a usage of nil was not told.
func (b *bill) add(prices model.Prices, name string, u *events.Usage) {
	if prices == nil || u == nil {
		b.unknown = true
		return
	}
	pico, ok := prices.Price(name, *u)
	b.unknown = b.unknown || !ok
	b.pico += pico
}

func (b *bill) join(c bill) {
	b.pico += c.pico
	b.unknown = b.unknown || c.unknown
}

// usd is nil where a part is not known.
func (b *bill) usd() *float64 {
	if b.unknown {
		return nil
	}
	usd := float64(b.pico) / 1e12
	return &usd
}

// Spent is eval.Session's. A log that cannot be read counts as a price that is not known.
func (s *session) Spent() eval.Spent {
	f := fold{prices: s.t.o.Prices, model: map[string]string{}}
	if id := s.sessionID(); id != "" {
		f.log(s.t, id)
	}
	s.judges.mu.Lock()
	defer s.judges.mu.Unlock()
	out := f.out
	out.JudgeCalls, out.JudgeUsage, out.JudgeCostUSD = s.judges.calls, s.judges.usage, s.judges.cost.usd()
	out.Usage.Add(s.judges.usage)
	f.cost.join(s.judges.cost)
	out.CostUSD = f.cost.usd()
	return out
}

// A fold sums up what the models of a session used.
type fold struct {
	prices model.Prices
	out    eval.Spent
	cost   bill
	turn   string // the model of the turn
	// model is that of the newest step, by the call whose subagent steps; "" for the turn's own.
	model map[string]string
}

func (f *fold) log(t *Target, id string) {
	lines, err := t.lines(id, 0)
	if err != nil {
		f.cost.unknown = true
	}
	for _, l := range lines {
		switch events.TypeOf(l.Data) {
		case "turn.started", "step.started", "step.completed", "context.compacted":
		default:
			continue
		}
		e, err := events.Decode(l.Data)
		if err != nil {
			f.cost.unknown = true
			return
		}
		f.event(e)
	}
}

func (f *fold) event(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.TurnStarted:
		f.turn = d.Model
	case *events.StepStarted:
		f.model[d.ParentCallID] = cmp.Or(d.Model, f.turn)
		f.out.Steps++
	case *events.StepCompleted:
		f.charge(f.model[d.ParentCallID], d.Usage)
	case *events.ContextCompacted:
		f.charge(cmp.Or(d.Model, f.turn), d.Usage)
	}
}

func (f *fold) charge(name string, u *events.Usage) {
	f.cost.add(f.prices, name, u)
	if u != nil {
		f.out.Usage.Add(*u)
	}
}

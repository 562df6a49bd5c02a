package projections

import (
	"cmp"
	"slices"

	"github.com/gobdk/bdk/events"
)

// Prices knows what tokens cost. It is asked when a view is read, from any
// goroutine: rows hold what was used and never a price that was not recorded, so
// that they are the same whoever folded them.
type Prices interface {
	// Price gives what the usage costs with a model, in units of 1e-12 US dollars;
	// ok is false where that is not known.
	Price(model string, u events.Usage) (picoUSD int64, ok bool)
}

// A spending is what the turn that runs has used by now, or what was used outside of
// any turn. Slices are cloned before they change.
type spending struct {
	// model is the turn's; empty outside of one.
	model string
	// stepping are the steps that run with another model than the turn's: "" is the
	// turn's own step, another scope a subagent's.
	stepping []steppingModel
	// used sums the usage by model, in the order in which they came.
	used []modelUsage
	// spent says that there is something to pay for, unknown that a part of it can
	// have no price: a step that did not say how much it used, or something of which
	// nothing says the model.
	spent, unknown bool
}

type steppingModel struct{ scope, model string }

type modelUsage struct {
	model string
	usage events.Usage
}

// fold takes the events of the turn from its turn.started on, and those of no turn.
func (s *spending) fold(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.TurnStarted:
		*s = spending{model: valid(d.Model)}
	case *events.StepStarted:
		s.start(d)
	case *events.StepCompleted:
		s.spend(s.modelOf(d.ParentCallID), d.Usage)
	case *events.ContextCompacted:
		s.spend(cmp.Or(valid(d.Model), s.model), d.Usage)
	}
}

// start notes the model of a step that names one; a later attempt counts.
func (s *spending) start(d *events.StepStarted) {
	s.stepping = slices.DeleteFunc(slices.Clone(s.stepping), func(m steppingModel) bool { return m.scope == d.ParentCallID })
	if d.Model != "" {
		s.stepping = append(s.stepping, steppingModel{scope: d.ParentCallID, model: valid(d.Model)})
	}
}

func (s *spending) modelOf(scope string) string {
	for _, m := range s.stepping {
		if m.scope == scope {
			return m.model
		}
	}
	return s.model
}

func (s *spending) spend(model string, u *events.Usage) {
	s.spent = true
	s.unknown = s.unknown || u == nil || model == ""
	if u == nil {
		return
	}
	s.used = slices.Clone(s.used)
	i := slices.IndexFunc(s.used, func(m modelUsage) bool { return m.model == model })
	if i < 0 {
		i = len(s.used)
		s.used = append(s.used, modelUsage{model: model})
	}
	s.used[i].usage.Add(*u)
}

// price is what it costs by now; false where a part of it has no known price, and
// where nothing was used.
func (s *spending) price(p Prices) (sum amount, ok bool) {
	if p == nil || !s.spent || s.unknown {
		return 0, false
	}
	for _, m := range s.used {
		pico, ok := p.Price(m.model, m.usage)
		if !ok || pico < 0 {
			return 0, false
		}
		sum = sum.plus(amount(pico))
	}
	return sum, true
}

// usage sums it over all models.
func (s *spending) usage() (sum events.Usage) {
	for _, m := range s.used {
		sum.Add(m.usage)
	}
	return sum
}

// first is the model that was used first; empty when none was.
func (s *spending) first() string {
	if len(s.used) == 0 {
		return ""
	}
	return s.used[0].model
}

func (s *spending) pack(p *packer) {
	p.strs(s.model)
	p.uint(uint64(len(s.stepping)))
	for _, m := range s.stepping {
		p.strs(m.scope, m.model)
	}
	p.uint(uint64(len(s.used)))
	for _, m := range s.used {
		p.strs(m.model)
		packUsage(p, m.usage)
	}
	p.bools(s.spent, s.unknown)
}

func (s *spending) unpack(u *unpacker) {
	u.strs(&s.model)
	for range u.count() {
		var m steppingModel
		u.strs(&m.scope, &m.model)
		s.stepping = append(s.stepping, m)
	}
	for range u.count() {
		var m modelUsage
		u.strs(&m.model)
		m.usage = unpackUsage(u)
		s.used = append(s.used, m)
	}
	u.bools(&s.spent, &s.unknown)
}

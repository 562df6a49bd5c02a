package projections

import (
	"context"
	"fmt"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A TurnCost is what one turn used, its subagents included.
type TurnCost struct {
	TurnID string       `json:"turnId"`
	Model  string       `json:"model"`
	Usage  events.Usage `json:"usage"`
	// Cost is what the turn's end recorded, and while it runs what Options.Prices says
	// of its finished steps; nil where a price is unknown, and before the first step.
	Cost *events.Cost `json:"cost,omitempty"`
}

// A TotalCost is the sum over a session.
type TotalCost struct {
	Usage events.Usage `json:"usage"`
	// TotalUSD sums the costs that are known, those of compactions between turns by
	// Options.Prices; nil when none is.
	TotalUSD *float64 `json:"totalUsd,omitempty"`
	// Complete is false when a turn's price or usage is unknown, of a turn that runs
	// too, or that of a compaction between turns. A turn without a finished step used
	// nothing.
	Complete bool `json:"complete"`
}

// A SessionCost is the cost of a session: its turns in the order in which they
// started, without those that a fork copied.
type SessionCost struct {
	Turns []TurnCost `json:"turns"`
	Total TotalCost  `json:"total"`
}

// Cost gives what a session cost; ok is false for a session that the view does
// not know, or that was deleted.
func (v *Views) Cost(ctx context.Context, sessionID string) (c SessionCost, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return SessionCost{}, false, fmt.Errorf("projections: reading costs: %w", err)
	}
	sum := costSum{SessionCost: SessionCost{Turns: []TurnCost{}, Total: TotalCost{Complete: true}}}
	from, to := costBounds(sessionID)
	for kv, err := range v.Reader(nameCosts).Scan(from, to, false) {
		if err == nil {
			err = sum.row(kv, len(sessionID))
		}
		if err != nil {
			return SessionCost{}, false, fmt.Errorf("projections: reading costs: %w", err)
		}
	}
	if sum.head == nil {
		return SessionCost{}, false, nil
	}
	return sum.end(v.prices), true, nil
}

// A costSum adds up a session's rows in the order of their keys: the head, then the turns that ended.
type costSum struct {
	SessionCost
	head  *costHead
	known bool
	money amount
}

func (s *costSum) row(kv journal.KV, idLen int) (err error) {
	if kv.Key[idLen] == 0 {
		s.head, err = decodeCostHead(kv.Value)
		return err
	}
	u := unpacker{b: kv.Value}
	var t costTurn
	t.unpack(&u)
	if u.short {
		return errRow
	}
	s.add(&t)
	return nil
}

func (s *costSum) add(t *costTurn) {
	turn := TurnCost{TurnID: t.id, Model: t.model, Usage: t.usage}
	if t.hasCost {
		turn.Cost = &events.Cost{TotalUSD: t.cost.usd(), Model: t.costOf}
		s.money = s.money.plus(t.cost)
		s.known = true
	}
	if t.blind || t.spent && !t.hasCost {
		s.Total.Complete = false
	}
	s.Total.Usage.Add(t.usage)
	s.Turns = append(s.Turns, turn)
}

// end adds what is not in a turn that ended.
func (s *costSum) end(p Prices) SessionCost {
	if t := s.head.open; t.id != "" {
		t.cost, t.hasCost = s.head.spending.price(p)
		t.costOf = t.model
		s.add(&t)
	}
	if loose := &s.head.loose; loose.spent {
		cost, ok := loose.price(p)
		s.money, s.known = s.money.plus(cost), s.known || ok
		s.Total.Complete = s.Total.Complete && ok
		s.Total.Usage.Add(loose.usage())
	}
	if s.known {
		usd := s.money.usd()
		s.Total.TotalUSD = &usd
	}
	return s.SessionCost
}

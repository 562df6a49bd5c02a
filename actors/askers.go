package actors

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/mcp"
)

// maxAskers is how many agents a message may come through: those that ask each other
// in a circle end there.
const maxAskers = 8

// askers are the agents that an ask comes through, the one that asks last. They are
// read from the log, so that a restart forgets none.
func (h *Host) askers(a *mcp.Ask) ([]string, error) {
	before, err := h.askersOf(a.Session, a.Turn)
	if err != nil {
		return nil, err
	}
	through := append(slices.Clip(before), a.From)
	if len(through) > maxAskers {
		return nil, fmt.Errorf("this was asked through %d agents already (%s), and goes no further: answer without asking another agent", len(before), strings.Join(before, " → "))
	}
	return through, nil
}

// askersOf are the agents that the message of a turn came through; without a turn
// it is the newest message. None are those of what has no log.
func (h *Host) askersOf(id, turn string) (found []string, err error) {
	for from := uint64(0); id != ""; {
		lines, err := h.journal.ReadSome(id, from, math.MaxUint64)
		if errors.Is(refusal(err), ErrUnknownSession) {
			return nil, nil
		}
		if err != nil || len(lines) == 0 {
			return found, err
		}
		for i := range lines {
			if events.TypeOf(lines[i].Data) != "message.received" {
				continue
			}
			e, err := events.Decode(lines[i].Data)
			if err != nil {
				return nil, err
			}
			if d, ok := e.Data.(*events.MessageReceived); ok && (turn == "" || e.TurnID == turn) {
				found = d.Askers
			}
		}
		from += uint64(len(lines))
	}
	return found, nil
}

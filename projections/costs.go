package projections

import (
	"encoding/binary"
	"strings"

	"github.com/gobdk/bdk/events"
)

// costs is the built-in projection behind GET …/cost.
//
// Its key space, layout 3: an id and 00 hold a session's head, with the turn that
// runs and what it used by model; an id, 01 and a number of 4 bytes hold the turns
// that ended, in the order in which they started. So a turn is written once,
// however many came before it, and one scan from id 00 to id 02 reads a session as
// it was at one moment.
type costs struct{}

// Name is "costs".
func (costs) Name() string { return nameCosts }

// Version is the version of the fold and of its layout.
func (costs) Version() int { return 3 }

// Apply folds what tells of tokens and money; other events cost nothing.
func (costs) Apply(w *Writer, e *events.Event) error {
	switch data := e.Data.(type) {
	case *events.SessionStarted:
		if !strings.HasPrefix(e.SessionID, events.AgentLogPrefix) {
			w.put(e.SessionID, &costHead{ownFrom: data.Copied()})
		}
		return nil
	case *events.SessionDeleted:
		return deleteCosts(w, e.SessionID)
	case *events.TurnStarted, *events.StepStarted, *events.StepCompleted, *events.ContextCompacted,
		*events.TurnCompleted, *events.TurnFailed:
	default:
		return nil
	}
	old, err := load(w, e.SessionID, readCostHead)
	if old == nil || err != nil || e.Index < old.ownFrom {
		return err
	}
	h := *old
	h.fold(w, e)
	w.put(e.SessionID, &h)
	return nil
}

// A costHead is what is needed to fold the next event of a session.
type costHead struct {
	// ownFrom is the index of the first event that is not a fork's copy.
	ownFrom uint64
	// turns is the number of turns that ended.
	turns uint32
	// open is the turn that runs; its id is empty when there is none.
	open costTurn
	// spending is what it used, by model.
	spending spending
	// loose is what was used outside of any turn; it has a price when it is read.
	loose spending
}

// A costTurn is a turn's tokens, and its money once it ended.
type costTurn struct {
	id, model string
	usage     events.Usage
	// spent says that it has something to pay for, blind that a step did not say how much.
	spent, blind bool
	// hasCost says that the turn's end recorded cost.
	hasCost bool
	cost    amount
	costOf  string // the model that the cost names
}

func (h *costHead) fold(w *Writer, e *events.Event) {
	switch d := e.Data.(type) {
	case *events.TurnStarted:
		h.open = costTurn{id: valid(e.TurnID), model: valid(d.Model)}
		h.spending.fold(e)
	case *events.StepStarted:
		if e.TurnID != "" && e.TurnID == h.open.id {
			h.spending.fold(e)
		}
	case *events.StepCompleted:
		h.spend(e, d.Usage)
	case *events.ContextCompacted:
		h.spend(e, d.Usage)
	case *events.TurnCompleted:
		h.end(w, e, d.Cost)
	case *events.TurnFailed:
		h.end(w, e, d.Cost)
	}
}

func (h *costHead) spend(e *events.Event, u *events.Usage) {
	if e.TurnID == "" || e.TurnID != h.open.id {
		h.loose.fold(e)
		return
	}
	h.spending.fold(e)
	h.open.spent = true
	if u == nil {
		h.open.blind = true
		return
	}
	h.open.usage.Add(*u)
}

// end writes the turn; one that never started used nothing and is not listed.
func (h *costHead) end(w *Writer, e *events.Event, c *events.Cost) {
	if h.open.id == "" || e.TurnID != h.open.id {
		return
	}
	t := h.open
	if c != nil {
		t.cost, t.hasCost = amountOf(c.TotalUSD)
		t.costOf = valid(c.Model)
		t.spent = true
	}
	p := packer{make([]byte, 0, 128)}
	t.pack(&p)
	w.Set(costTurnKey(e.SessionID, h.turns), p.b)
	h.turns++
	h.open, h.spending = costTurn{}, spending{}
}

func deleteCosts(w *Writer, id string) error {
	from, to := costBounds(id)
	var keys [][]byte
	for kv, err := range w.Scan(from, to, false) {
		if err != nil {
			return err
		}
		keys = append(keys, kv.Key)
	}
	for _, k := range keys {
		w.Delete(k)
	}
	w.put(id, nil)
	return nil
}

func costHeadKey(id string) []byte { return append([]byte(id), 0) }

func costTurnKey(id string, n uint32) []byte {
	return binary.BigEndian.AppendUint32(append([]byte(id), 1), n)
}

func costBounds(id string) (from, to []byte) { return append([]byte(id), 0), append([]byte(id), 2) }

func (h *costHead) flush(w *Writer, id string) error {
	p := packer{make([]byte, 0, 128)}
	p.uint(h.ownFrom)
	p.uint(uint64(h.turns))
	h.open.pack(&p)
	h.spending.pack(&p)
	h.loose.pack(&p)
	w.Set(costHeadKey(id), p.b)
	return nil
}

func readCostHead(w *Writer, id string) (*costHead, error) {
	b, ok, err := w.Get(costHeadKey(id))
	if err != nil || !ok {
		return nil, err
	}
	return decodeCostHead(b)
}

func decodeCostHead(b []byte) (*costHead, error) {
	u := unpacker{b: b}
	h := &costHead{ownFrom: u.uint(), turns: uint32(u.uint())}
	h.open.unpack(&u)
	h.spending.unpack(&u)
	h.loose.unpack(&u)
	if u.short || len(u.b) > 0 {
		return nil, errRow
	}
	return h, nil
}

func (t *costTurn) pack(p *packer) {
	p.strs(t.id, t.model, t.costOf)
	packUsage(p, t.usage)
	p.int(int64(t.cost))
	p.bools(t.spent, t.blind, t.hasCost)
}

func (t *costTurn) unpack(u *unpacker) {
	u.strs(&t.id, &t.model, &t.costOf)
	t.usage = unpackUsage(u)
	t.cost = amount(u.int())
	u.bools(&t.spent, &t.blind, &t.hasCost)
}

package projections

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/gobdk/bdk/events"
)

func idKey(id string) []byte { return append([]byte{'i'}, id...) }

func updatedKey(position uint64) []byte { return binary.BigEndian.AppendUint64([]byte{'u'}, position) }

// flush writes the row under the position of its last event, and takes it from the one before.
func (s *sessionState) flush(w *Writer, id string) error {
	s.unlist(w)
	s.listed, s.isListed = s.position, true
	w.Set(idKey(id), binary.BigEndian.AppendUint64(nil, s.position))
	w.Set(updatedKey(s.position), s.encode())
	return nil
}

func (s *sessionState) unlist(w *Writer) {
	if s.isListed {
		w.Delete(updatedKey(s.listed))
	}
}

// readSession reads a row of the store; nil when there is none.
func readSession(w *Writer, id string) (*sessionState, error) {
	at, ok, err := w.Get(idKey(id))
	if err != nil || !ok || len(at) != 8 {
		return nil, err
	}
	position := binary.BigEndian.Uint64(at)
	b, ok, err := w.Get(updatedKey(position))
	if err != nil || !ok {
		return nil, err
	}
	return decodeSession(position, b)
}

// encode writes the fields that a list filters by first, so that a row that does
// not match is not read to its end.
func (s *sessionState) encode() []byte {
	p := packer{make([]byte, 0, 512)}
	r := &s.row
	p.strs(r.ID, r.Title, r.Agent, r.Purpose, r.Status)
	p.strs(r.Principal.Kind, r.Principal.ID, r.Principal.Issuer, r.Principal.Tenant)
	p.strs(r.ChannelID, r.Mode, r.LastMessage, r.LastError)
	p.int(r.CreatedAt.UnixMilli())
	p.int(r.UpdatedAt.UnixMilli())
	p.uint(uint64(r.Turns))
	p.uint(s.ownFrom)
	p.bools(s.copying)
	if f := r.ForkedFrom; f != nil {
		p.strs(f.SessionID)
	}
	s.money.pack(&p)
	s.turn.pack(&p)
	return p.b
}

var errRow = errors.New("projections: a row cannot be read: rebuild the view")

func decodeSession(position uint64, b []byte) (*sessionState, error) {
	u := unpacker{b: b}
	s := &sessionState{position: position, listed: position, isListed: true}
	s.row.unpackFilters(&u)
	r := &s.row
	u.strs(&r.ChannelID, &r.Mode, &r.LastMessage, &r.LastError)
	r.CreatedAt = time.UnixMilli(u.int()).UTC()
	r.UpdatedAt = time.UnixMilli(u.int()).UTC()
	r.Turns = int(u.uint())
	s.ownFrom = u.uint()
	u.bools(&s.copying)
	if s.ownFrom > 0 {
		r.ForkedFrom = &events.ForkRef{Index: s.ownFrom - 1}
		u.strs(&r.ForkedFrom.SessionID)
	}
	s.money.unpack(&u)
	s.turn.unpack(&u)
	r.Usage = s.money.usage
	if u.short || len(u.b) > 0 {
		return nil, errRow
	}
	return s, nil
}

func (r *SessionRow) unpackFilters(u *unpacker) {
	u.strs(&r.ID, &r.Title, &r.Agent, &r.Purpose, &r.Status)
	u.strs(&r.Principal.Kind, &r.Principal.ID, &r.Principal.Issuer, &r.Principal.Tenant)
}

func (t *tally) pack(p *packer) {
	packUsage(p, t.usage)
	p.int(int64(t.sum))
	p.uint(uint64(t.priced))
	p.strs(t.model)
	p.bools(t.unknown)
	t.open.pack(p)
	t.loose.pack(p)
}

func (t *tally) unpack(u *unpacker) {
	t.usage = unpackUsage(u)
	t.sum = amount(u.int())
	t.priced = int(u.uint())
	u.strs(&t.model)
	u.bools(&t.unknown)
	t.open.unpack(u)
	t.loose.unpack(u)
}

func packUsage(p *packer, u events.Usage) {
	p.int(u.InputTokens)
	p.int(u.CacheReadTokens)
	p.int(u.CacheWriteTokens)
	p.int(u.OutputTokens)
	p.int(u.ReasoningTokens)
}

func unpackUsage(u *unpacker) events.Usage {
	return events.Usage{
		InputTokens: u.int(), CacheReadTokens: u.int(), CacheWriteTokens: u.int(),
		OutputTokens: u.int(), ReasoningTokens: u.int(),
	}
}

func (t *turnState) pack(p *packer) {
	p.strs(t.ended, t.running)
	p.list(t.queued)
	p.list(t.steps)
	p.list(t.grants)
	p.uint(uint64(len(t.calls)))
	for _, c := range t.calls {
		p.strs(c.id, c.connection)
		p.bools(c.waits, c.subagent)
	}
}

func (t *turnState) unpack(u *unpacker) {
	u.strs(&t.ended, &t.running)
	t.queued, t.steps, t.grants = u.list(), u.list(), u.list()
	for range u.count() {
		var c openCall
		u.strs(&c.id, &c.connection)
		u.bools(&c.waits, &c.subagent)
		t.calls = append(t.calls, c)
	}
}

package journal

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// A Claim takes a unique key in the append's own batch, until a time (zero: for ever).
type Claim struct {
	Key   string
	Value []byte
	Until time.Time
}

// A flight is a key whose claim, or freeing, is on its way to the disk.
type flight struct {
	key    string
	claim  Claim
	freed  bool
	landed chan struct{} // closed when it is on disk; made by the first who waits
}

// holder is who has a key.
type holder struct {
	until int64 // Unix nanoseconds, 0 for ever
	value []byte
}

func (h *holder) holds(now time.Time) bool { return h.until == 0 || now.UnixNano() < h.until }

// untilOf is the stored form of a time.
func untilOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func parseClaim(v []byte) (*holder, error) {
	if len(v) < 8 {
		return nil, fmt.Errorf("%w: a claim has %d bytes", ErrCorrupt, len(v))
	}
	return &holder{until: int64(binary.BigEndian.Uint64(v)), value: v[8:]}, nil
}

func (p *pending) fillClaims(a *Append) error {
	for _, key := range a.Frees {
		if err := p.batch.Delete(plainKey(kindClaim, key), nil); err != nil {
			return err
		}
	}
	for i := range a.Claims {
		c := &a.Claims[i]
		until := untilOf(c.Until)
		v := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(c.Value)), uint64(until))
		if err := p.batch.Set(plainKey(kindClaim, c.Key), append(v, c.Value...), nil); err != nil {
			return err
		}
		if until == 0 {
			continue
		}
		if err := p.batch.Set(expiryKey(until, c.Key), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// admitClaims looks whether all keys are free. It runs under Journal.order.
func (j *Journal) admitClaims(p *pending, a *Append) error {
	for i := range a.Claims {
		c := &a.Claims[i]
		for k := range i {
			if a.Claims[k].Key == c.Key {
				return &TakenError{Key: c.Key, Value: bytes.Clone(a.Claims[k].Value)}
			}
		}
		if slices.Contains(a.Frees, c.Key) { // given up and taken anew in one
			continue
		}
		h, flying, err := j.holderOf(c.Key)
		if err != nil {
			return err
		}
		if h == nil || !h.holds(a.Now) {
			continue
		}
		taken := &TakenError{Key: c.Key, Value: bytes.Clone(h.value)}
		if !flying {
			return taken
		}
		p.discard()
		p.batch, p.err = nil, taken
		return nil
	}
	for _, key := range a.Frees {
		p.claims = append(p.claims, &flight{key: key, freed: true})
	}
	for _, c := range a.Claims {
		p.claims = append(p.claims, &flight{key: c.Key, claim: c})
	}
	return nil
}

// holderOf finds who has, or is about to have, a key; flying says that this is not on disk yet.
func (j *Journal) holderOf(key string) (h *holder, flying bool, err error) {
	j.mu.Lock()
	f := j.claims[key]
	j.mu.Unlock()
	if f != nil && f.freed {
		return nil, true, nil
	}
	if f != nil {
		return &holder{until: untilOf(f.claim.Until), value: f.claim.Value}, true, nil
	}
	h, err = j.storedHolder(key)
	return h, false, err
}

func (j *Journal) storedHolder(key string) (*holder, error) {
	if !j.gate.enter() {
		return nil, ErrClosed
	}
	defer j.gate.leave()
	v, err := get(j.db, plainKey(kindClaim, key))
	if err != nil {
		return nil, fmt.Errorf("journal: reading a claim: %w", err)
	}
	if v == nil {
		return nil, nil
	}
	return parseClaim(v)
}

// flyClaims says of each key that it is on its way, before the store shows it.
func (j *Journal) flyClaims(p *pending) {
	if len(p.claims) == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range p.claims {
		j.claims[f.key] = f
	}
}

// landLocked ends the flights of an append that is on disk.
func (j *Journal) landLocked(p *pending) {
	for _, f := range p.claims {
		if f.landed != nil {
			close(f.landed)
		}
		if j.claims[f.key] == f {
			delete(j.claims, f.key)
		}
	}
}

// Lookup finds the holder of a key; ok is false when it is free, or its time was
// over at now. It answers only from what is on disk: where the claim is being
// written it waits.
func (j *Journal) Lookup(ctx context.Context, key string, now time.Time) (value []byte, ok bool, err error) {
	for {
		h, err := j.storedHolder(key)
		if err != nil {
			return nil, false, err
		}
		// Where nothing is in flight after the read, what was read is on disk.
		landed := j.landing(key)
		if landed == nil && (h == nil || !h.holds(now)) {
			return nil, false, nil
		}
		if landed == nil {
			return h.value, true, nil
		}
		if err := j.await(ctx, landed); err != nil {
			return nil, false, err
		}
	}
}

// landing is closed when the key's flight is over; nil when there is none.
func (j *Journal) landing(key string) chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := j.claims[key]
	if f == nil {
		return nil
	}
	if f.landed == nil {
		f.landed = make(chan struct{})
	}
	return f.landed
}

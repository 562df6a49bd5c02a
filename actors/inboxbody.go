package actors

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/events/journal"
)

// The bodies of requests lie beside the agent's log, by the ids of their receipts,
// until they are handled: then the log alone tells of them.
func (b *inbox) bodies() *journal.Space { return b.h.journal.Space("inbox/" + b.slug) }

// keepBody has it on disk when it returns.
func (b *inbox) keepBody(receipt string, body []byte) error {
	return b.changeBodies(true, func(batch *journal.Batch) { batch.Set([]byte(receipt), body) })
}

// dropBodies forgets them; what a crash keeps is forgotten by the next start.
func (b *inbox) dropBodies(receipts ...string) {
	err := b.changeBodies(false, func(batch *journal.Batch) {
		for _, r := range receipts {
			batch.Delete([]byte(r))
		}
	})
	if err != nil && b.h.life.Err() == nil {
		b.h.o.Logger.Warn().Str("agent", b.slug).Err(err).Msg("the body of an acknowledged request is kept longer than it is needed")
	}
}

func (b *inbox) changeBodies(sync bool, change func(*journal.Batch)) error {
	batch := b.bodies().NewBatch()
	defer func() { _ = batch.Close() }()
	change(batch)
	return batch.Commit(sync)
}

func (b *inbox) body(receipt string) ([]byte, error) {
	body, ok, err := b.bodies().Get([]byte(receipt))
	if err == nil && !ok {
		err = fmt.Errorf("%w: it is gone", ErrCorrupt)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the request's body: %w", err)
	}
	return body, nil
}

// dropLeftovers forgets bodies that nothing in the open mark names. It is called before
// the first request of this life.
func (b *inbox) dropLeftovers() error {
	mark, err := b.h.journal.Mark(b.log.stream)
	if err != nil {
		return err
	}
	var open []openCall
	_ = json.Unmarshal(mark, &open) // no mark: nothing is open; recover tells of a broken one
	var gone []string
	for kv, err := range b.bodies().Scan(nil, nil, false) {
		if err != nil {
			return err
		}
		named := func(c openCall) bool { return c.Receipt != nil && c.Receipt.ID == string(kv.Key) }
		if !slices.ContainsFunc(open, named) {
			gone = append(gone, string(kv.Key))
		}
	}
	if len(gone) > 0 {
		b.dropBodies(gone...)
	}
	return nil
}

package actors

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// An inbox holds the requests of an agent that were acknowledged before they are
// handled: they are in the agent's log, and in its open mark until they are handled.
// Handlers begin in the order of receipt, and so many run side by side. What an
// earlier life of the host left is handled one at a time, so that a request which
// stops the host each time is known, and given up.
type inbox struct {
	h    *Host
	slug string
	log  *agentLog

	mu      sync.Mutex
	queue   []uint64 // indexes of requests whose handler has not begun
	running int
	before  []openReceipt // from before this life
}

// An openReceipt is a request that was not handled.
type openReceipt struct {
	// At is the index of its delivery.received, ID that of the receipt.
	At uint64 `json:"at"`
	ID string `json:"id"`
	// Tries is how many lives of the host took it up again.
	Tries int `json:"tries,omitempty"`
}

const (
	// maxReceipts is how many requests of an agent may wait for their handlers: each
	// is part of the agent's open mark, which is written with every append.
	maxReceipts = 256
	// maxHandling is how many handlers of acknowledged requests run at once.
	maxHandling = 16
	// maxTries is in how many lives of the host a request is handled.
	maxTries = 3
)

// receiptKey is claimed by the first request with a delivery id.
func receiptKey(agent, channel, id string) string {
	return "receipt/" + agent + "/" + channel + "/" + id
}

func (b *inbox) claims(d *events.DeliveryReceived, index uint64, now time.Time) []journal.Claim {
	if d.DeliveryID == "" {
		return nil
	}
	return []journal.Claim{{Key: receiptKey(b.slug, d.ChannelID, d.DeliveryID), Value: holder(b.log.stream, index, ""), Until: now.Add(deliveryTime)}}
}

// full says whether as many requests wait as may.
func (l *agentLog) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return receipts(l.open) >= maxReceipts
}

// receive records a request, in an append with its open mark.
func (l *agentLog) receive(ctx context.Context, d *events.DeliveryReceived) (index uint64, err error) {
	_, err = l.append(ctx, d, nil, func(open []openCall) ([]openCall, error) {
		if receipts(open) >= maxReceipts {
			return nil, ErrTooManyMessages
		}
		index = l.next
		return append(open[:len(open):len(open)], openCall{Receipt: &openReceipt{At: index, ID: d.ReceiptID}}), nil
	})
	return index, err
}

func receipts(open []openCall) (n int) {
	for i := range open {
		if open[i].Receipt != nil {
			n++
		}
	}
	return n
}

// handled records that a handler has ended.
func (l *agentLog) handled(ctx context.Context, at uint64, d *events.DeliveryHandled) error {
	_, err := l.append(ctx, d, nil, func(open []openCall) ([]openCall, error) {
		return slices.DeleteFunc(slices.Clone(open), func(c openCall) bool { return c.Receipt != nil && c.Receipt.At == at }), nil
	})
	return err
}

// tried records that a request is taken up again.
func (l *agentLog) tried(ctx context.Context, r openReceipt) error {
	_, err := l.append(ctx, nil, nil, func(open []openCall) ([]openCall, error) {
		open = slices.Clone(open)
		for i, c := range open {
			if c.Receipt != nil && c.Receipt.At == r.At {
				open[i].Receipt = &r
			}
		}
		return open, nil
	})
	return err
}

// left keeps what an earlier life left, for takeUp.
func (b *inbox) left(r openReceipt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before = append(b.before, r)
}

// add has a request handled that is on disk. Its caller is counted.
func (b *inbox) add(at uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, at)
	b.beginLocked()
}

// beginLocked begins handlers while there is room. A host that drains leaves the rest
// to its next start.
func (b *inbox) beginLocked() {
	for b.running < maxHandling && len(b.queue) > 0 && !b.h.Draining() {
		at := b.queue[0]
		b.queue = b.queue[1:]
		b.running++
		b.spawn(func() { b.handle(at) }, b.ended)
	}
}

func (b *inbox) ended() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	b.beginLocked()
}

// takeUp handles what an earlier life left, in order. Its caller is counted.
func (b *inbox) takeUp() {
	b.mu.Lock()
	left := b.before
	b.before = nil
	b.mu.Unlock()
	if len(left) == 0 {
		return
	}
	b.spawn(func() {
		for _, r := range left {
			if b.h.Draining() {
				return
			}
			b.again(r)
		}
	}, func() {})
}

// spawn runs f on a counted goroutine, and then what follows.
func (b *inbox) spawn(f, then func()) {
	b.h.effects.Add(1)
	b.h.hooking.Add(1)
	b.h.spawnEffect(func() {
		defer b.h.hooking.Add(-1)
		defer then()
		f()
	}, func(any) {})
}

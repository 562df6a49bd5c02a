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
// Each channel has a lane of its own, so that one whose handlers hang holds up no other.
type inbox struct {
	h    *Host
	slug string
	log  *agentLog

	mu     sync.Mutex
	lanes  map[string]*lane
	before []openReceipt // from before this life
}

// A lane holds the requests of one channel. Handlers begin in the order of receipt, and
// so many run side by side. What a life of the host took up again and left is handled
// one at a time, so that a request which stops the host each time is known, and given up.
type lane struct {
	queue    []openReceipt // whose handlers have not begun
	suspects []openReceipt // … that were taken up before
	running  int
	suspect  bool // one of those runs
}

// An openReceipt is a request that was not handled.
type openReceipt struct {
	// At is the index of its delivery.received, ID that of the receipt.
	At uint64 `json:"at"`
	ID string `json:"id"`
	// Channel is whose request it is.
	Channel string `json:"channel,omitempty"`
	// Tries is how many lives of the host took it up again.
	Tries int `json:"tries,omitempty"`
	// Drained says that the last of them stopped in order: that is no fault of the request.
	Drained bool `json:"drained,omitempty"`

	again bool // it is from before this life
}

const (
	// maxReceipts is how many requests of a channel may wait for their handlers: each
	// is part of the agent's open mark, which is written with every append.
	maxReceipts = 256
	// maxHandling is how many handlers of a channel's acknowledged requests run at once.
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

// full says whether as many requests of a channel wait as may.
func (l *agentLog) full(channel string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return receipts(l.open, channel) >= maxReceipts
}

// receive records a request, in an append with its open mark.
func (l *agentLog) receive(ctx context.Context, d *events.DeliveryReceived) (r openReceipt, err error) {
	_, err = l.append(ctx, d, nil, func(open []openCall) ([]openCall, error) {
		if receipts(open, d.ChannelID) >= maxReceipts {
			return nil, ErrTooManyMessages
		}
		r = openReceipt{At: l.next, ID: d.ReceiptID, Channel: d.ChannelID}
		return append(open[:len(open):len(open)], openCall{Receipt: &r}), nil
	})
	return r, err
}

func receipts(open []openCall, channel string) (n int) {
	for i := range open {
		if r := open[i].Receipt; r != nil && r.Channel == channel {
			n++
		}
	}
	return n
}

// handled records that a handler has ended. Of a request that it failed the delivery id
// is given up: its sender may deliver it again.
func (l *agentLog) handled(ctx context.Context, at uint64, d *events.DeliveryHandled, key string) error {
	_, err := l.record(ctx, []events.Payload{d}, func(open []openCall) ([]openCall, error) {
		return slices.DeleteFunc(slices.Clone(open), func(c openCall) bool { return c.Receipt != nil && c.Receipt.At == at }), nil
	}, func(ap *journal.Append) {
		if d.IsError && key != "" {
			ap.Frees = append(ap.Frees, key)
		}
	})
	return err
}

// tried records how often a request was taken up again.
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
func (b *inbox) add(r openReceipt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.laneLocked(r.Channel)
	l.queue = append(l.queue, r)
	b.beginLocked(l)
}

// takeUp handles what an earlier life left. Its caller is counted.
func (b *inbox) takeUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.before {
		r.again = true
		l := b.laneLocked(r.Channel)
		if r.Tries > 0 {
			l.suspects = append(l.suspects, r)
		} else {
			l.queue = append(l.queue, r)
		}
	}
	b.before = nil
	for _, l := range b.lanes {
		b.beginLocked(l)
	}
}

func (b *inbox) laneLocked(channel string) *lane {
	if b.lanes[channel] == nil {
		if b.lanes == nil {
			b.lanes = map[string]*lane{}
		}
		b.lanes[channel] = &lane{}
	}
	return b.lanes[channel]
}

// beginLocked begins handlers while there is room. A host that drains leaves the rest
// to its next start.
func (b *inbox) beginLocked(l *lane) {
	for l.running < maxHandling && !b.h.Draining() {
		r, suspect, ok := l.next()
		if !ok {
			return
		}
		l.running++
		l.suspect = l.suspect || suspect
		b.spawn(func() { b.take(r) }, func() { b.ended(l, suspect) })
	}
}

// next takes the request whose handler may begin.
func (l *lane) next() (r openReceipt, suspect, ok bool) {
	switch {
	case !l.suspect && len(l.suspects) > 0:
		r, l.suspects = l.suspects[0], l.suspects[1:]
		return r, true, true
	case len(l.queue) > 0:
		r, l.queue = l.queue[0], l.queue[1:]
		return r, false, true
	}
	return r, false, false
}

func (b *inbox) ended(l *lane, suspect bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l.running--
	l.suspect = l.suspect && !suspect
	b.beginLocked(l)
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

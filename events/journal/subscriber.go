package journal

import (
	"context"
	"encoding/binary"
	"strconv"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
)

// TopicEvents is the topic of all logs. Every other topic is the log of that id.
const TopicEvents = "events"

// nackDelay is how long a message waits that was not acknowledged.
const nackDelay = 10 * time.Millisecond

// SubscriberOptions are the options of Subscriber; nil means defaults.
type SubscriberOptions struct {
	// Ranges gives one message per range of up to 256 events instead of one per event.
	// The payload is then two big-endian uint64: from and to; nothing is acknowledged on disk.
	Ranges bool
	// From is where a Ranges subscriber begins. Defaults to position 0.
	From func() (uint64, error)

	// rewrite changes plain messages in tests.
	rewrite func(*message.Message)
}

// Subscriber is a Watermill subscriber over the log, driven by acknowledgements:
// the next message comes when the one before was acknowledged, in order, and one
// that was refused comes again after a moment.
//
// A plain one gives each event at least once: its payload is the event's line,
// its metadata type, sessionId, index and, with TopicEvents, position. The
// acknowledged position is kept under the name, for each topic, without a sync:
// after a crash some events may come again. One subscription to a name and topic
// is served at a time, the others wait for their turn.
func (j *Journal) Subscriber(name string, o *SubscriberOptions) message.Subscriber {
	s := &subscriber{j: j, name: name, done: make(chan struct{})}
	if o != nil {
		s.o = *o
	}
	return s
}

type subscriber struct {
	j    *Journal
	name string
	o    SubscriberOptions

	mu     sync.Mutex
	closed bool
	done   chan struct{}
	wg     sync.WaitGroup
}

// Subscribe starts a goroutine that ends, and closes the channel, with ctx, Close
// or the journal.
func (s *subscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	out := make(chan *message.Message)
	ctx, cancel := context.WithCancel(ctx)
	s.wg.Go(func() {
		select {
		case <-s.done:
		case <-s.j.done:
		case <-ctx.Done():
		}
		cancel()
	})
	s.wg.Go(func() {
		defer close(out)
		defer cancel()
		d := &delivery{j: s.j, ctx: ctx, out: out, topic: topic, name: s.name, rewrite: s.o.rewrite}
		if s.o.Ranges {
			d.ranges(s.o.From)
		} else {
			d.events()
		}
	})
	return out, nil
}

// Close ends all subscriptions and waits for them. Closing again does nothing.
func (s *subscriber) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	s.mu.Unlock()
	s.wg.Wait()
	return nil
}

// A delivery is one subscription at work.
type delivery struct {
	j     *Journal
	ctx   context.Context
	out   chan<- *message.Message
	name  string
	topic string

	rewrite func(*message.Message)
}

// send gives one message until it is acknowledged; false when the subscription has ended.
func (d *delivery) send(make func() *message.Message) bool {
	for {
		m := make()
		ctx, cancel := context.WithCancel(d.ctx)
		m.SetContext(ctx)
		acked, more := d.offer(m)
		cancel()
		if acked || !more {
			return more
		}
		if !d.pause(nackDelay) {
			return false
		}
	}
}

func (d *delivery) offer(m *message.Message) (acked, more bool) {
	select {
	case d.out <- m:
	case <-d.ctx.Done():
		return false, false
	}
	select {
	case <-m.Acked():
		return true, true
	case <-m.Nacked():
		return false, true
	case <-d.ctx.Done():
		return false, false
	}
}

// pause waits; false when the subscription has ended.
func (d *delivery) pause(t time.Duration) bool {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.ctx.Done():
		return false
	}
}

// ranges gives the whole log in ranges.
func (d *delivery) ranges(from func() (uint64, error)) {
	at := uint64(0)
	for from != nil {
		var err error
		if at, err = from(); err == nil {
			break
		}
		d.j.log.Error().Err(err).Str("subscriber", d.name).Msg("journal: where to begin is not known")
		if !d.pause(nackDelay) {
			return
		}
	}
	for d.j.Wait(d.ctx, at+1) == nil {
		to := min(d.j.Position(), at+readLines)
		if !d.send(func() *message.Message { return rangeMessage(d.name, at, to) }) {
			return
		}
		at = to
	}
}

func rangeMessage(name string, from, to uint64) *message.Message {
	p := binary.BigEndian.AppendUint64(make([]byte, 0, 16), from)
	p = binary.BigEndian.AppendUint64(p, to)
	return message.NewMessage(name+"-"+strconv.FormatUint(from, 10), p)
}

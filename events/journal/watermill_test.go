package journal

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
)

// A publisher appends a Watermill message as an event of the log that the topic
// names, since Watermill's suite publishes what it wants to get.
type publisher struct {
	j      *Journal
	mu     sync.Mutex
	closed bool
}

type wrapped struct {
	UUID     string           `json:"uuid"`
	Metadata message.Metadata `json:"metadata"`
	Payload  []byte           `json:"payload"`
}

func (p *publisher) Publish(topic string, messages ...*message.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	var evs []events.Event
	for _, m := range messages {
		raw, err := json.Marshal(wrapped{m.UUID, m.Metadata, m.Payload})
		if err != nil {
			return err
		}
		evs = append(evs, events.New("", testTime, &events.Unknown{Name: "test.message", Raw: raw}))
	}
	for next := uint64(0); ; {
		r := <-appendAsync(p.j, Append{Stream: topic, Expect: next, Events: evs})
		moved, ok := errors.AsType[*MovedError](r.err)
		if !ok {
			return r.err
		}
		next = moved.Next
	}
}

func (p *publisher) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return nil
}

// unwrap makes of an event the message that was published.
func unwrap(m *message.Message) {
	var line struct{ Data wrapped }
	if err := json.Unmarshal(m.Payload, &line); err != nil {
		panic(err)
	}
	m.UUID, m.Metadata, m.Payload = line.Data.UUID, line.Data.Metadata, line.Data.Payload
}

// The subscriber behaves as every Watermill subscriber does, as far as a log can
// be one: who subscribes anew goes on from the kept position.
func TestSubscriber_WatermillSuite(t *testing.T) {
	t.Parallel()
	j := openFS(t, vfs.NewMem(), nil)
	group := func(_ *testing.T, name string) (message.Publisher, message.Subscriber) {
		return &publisher{j: j}, j.Subscriber(name, &SubscriberOptions{rewrite: unwrap})
	}
	features := tests.Features{
		ConsumerGroups:                      true,
		GuaranteedOrder:                     true,
		GuaranteedOrderWithSingleSubscriber: true,
		Persistent:                          true,
		ForceShort:                          scale() == 1,
	}
	start := time.Now()
	t.Run("suite", func(t *testing.T) {
		tests.TestPubSub(t, features, func(t *testing.T) (message.Publisher, message.Subscriber) { return group(t, "test") }, group)
	})
	t.Logf("the suite took %v", time.Since(start))
}

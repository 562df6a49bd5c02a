package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/cockroachdb/pebble/v2"

	"github.com/gobdk/bdk/events"
)

// owners keeps one subscription of each name and topic active.
type owners struct {
	mu    sync.Mutex
	turns map[string]chan struct{}
}

// turn is a channel of capacity 1: who can send into it is active, and receives from it to end.
func (o *owners) turn(key string) chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.turns == nil {
		o.turns = map[string]chan struct{}{}
	}
	if o.turns[key] == nil {
		o.turns[key] = make(chan struct{}, 1)
	}
	return o.turns[key]
}

// An item is an event on its way to a subscriber.
type item struct {
	place
	line []byte
}

// events gives one message per event, from the kept position on, when it is this
// subscription's turn.
func (d *delivery) events() {
	key := joinKey(kindNamed, d.name, []byte(d.topic))
	turn := d.j.subscribers.turn(string(key))
	select {
	case turn <- struct{}{}:
	case <-d.ctx.Done():
		return
	}
	defer func() { <-turn }()
	v, _, err := d.j.get(d.j.db, key)
	if err != nil {
		d.trouble(err)
		return
	}
	at := uint64(0)
	if len(v) == 8 {
		at = binary.BigEndian.Uint64(v)
	}
	if d.topic == TopicEvents {
		d.followAll(key, at)
		return
	}
	for lines, err := range d.j.Follow(d.ctx, d.topic, at) {
		if err != nil {
			d.trouble(err)
			return
		}
		for _, l := range lines {
			if !d.give(key, at+1, item{place: place{stream: d.topic, index: at}, line: l.Data}) {
				return
			}
			at++
		}
	}
}

// followAll gives the events of all logs. One that cannot be read is passed over, with a word in the log.
func (d *delivery) followAll(key []byte, at uint64) {
	for d.j.Wait(d.ctx, at+1) == nil {
		items, next, err := d.j.items(at)
		if err != nil {
			d.trouble(err)
		}
		if next == at {
			return
		}
		for _, it := range items {
			if !d.give(key, it.position+1, it) {
				return
			}
		}
		at = next
	}
}

// items gives some durable events from a position on, and the position after them.
func (j *Journal) items(from uint64) (items []item, next uint64, err error) {
	to := min(j.Position(), from+readLines)
	if j.ring.each(from, to, func(a *recent, i int) {
		p := place{position: a.at + uint64(i), stream: a.stream, index: a.events[i].Index}
		items = append(items, item{place: p, line: a.lines[i].Data})
	}) {
		return items, to, nil
	}
	err = j.eachStored(from, to, func(at place, line []byte) error {
		items = append(items, item{place: at, line: bytes.Clone(line)})
		return nil
	})
	next = from + uint64(len(items))
	if c, ok := errors.AsType[*CorruptError](err); ok && c.Stream != "" {
		next++
	}
	return items, next, err
}

// give sends one event until it is acknowledged, and keeps the position after it.
func (d *delivery) give(key []byte, next uint64, it item) bool {
	if !d.send(func() *message.Message { return d.message(it) }) {
		return false
	}
	err := d.j.write(func() error {
		return d.j.db.Set(key, binary.BigEndian.AppendUint64(nil, next), pebble.NoSync)
	})
	if err != nil {
		d.trouble(err)
	}
	return err == nil
}

func (d *delivery) message(it item) *message.Message {
	index := strconv.FormatUint(it.index, 10)
	m := message.NewMessage(it.stream+"-"+index, bytes.Clone(it.line))
	m.Metadata.Set("type", events.TypeOf(it.line))
	m.Metadata.Set("sessionId", it.stream)
	m.Metadata.Set("index", index)
	if d.topic == TopicEvents {
		m.Metadata.Set("position", strconv.FormatUint(it.position, 10))
	}
	if d.rewrite != nil {
		d.rewrite(m)
	}
	return m
}

func (d *delivery) trouble(err error) {
	if errors.Is(err, ErrClosed) {
		return
	}
	d.j.log.Error().Err(err).Str("subscriber", d.name).Str("topic", d.topic).Msg("journal: a subscriber cannot go on as it should")
}

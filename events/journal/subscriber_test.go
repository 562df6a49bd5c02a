package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func subscribe(t *testing.T, j *Journal, name, topic string, o *SubscriberOptions) (<-chan *message.Message, func()) {
	t.Helper()
	s := j.Subscriber(name, o)
	c, err := s.Subscribe(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	return c, func() {
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	}
}

// One message per event in order, with what it is; an acknowledgement moves the kept position.
func TestSubscriber_EventsOfAllLogs(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	var want []string
	at := 0
	for round := range 3 {
		j := openFS(t, fs, nil)
		for _, id := range []string{"ses_a", "ses_b"} {
			for i := range 2 {
				at++
				want = append(want, fmt.Sprintf("message.received %s %d @%d", id, 2*round+i, at-1))
			}
			mustAppend(t, j, Append{Stream: id, Expect: uint64(2 * round), Events: texts("x", "y")})
		}
		c, end := subscribe(t, j, "hooks", TopicEvents, nil)
		for len(want) > 1 { // one is left for the next round
			m := <-c
			got := fmt.Sprintf("%s %s %s @%s", m.Metadata["type"], m.Metadata["sessionId"], m.Metadata["index"], m.Metadata["position"])
			if got != want[0] {
				t.Fatalf("got %s, want %s", got, want[0])
			}
			lines, err := j.Read(m.Metadata["sessionId"], 0, 100)
			if err != nil || !slices.ContainsFunc(lines, func(l Line) bool { return string(l.Data) == string(m.Payload) }) {
				t.Errorf("the payload is no line of the log: %s, %v", m.Payload, err)
			}
			m.Ack()
			want = want[1:]
		}
		<-c // not acknowledged: it comes again
		end()
		if _, more := <-c; more {
			t.Error("a closed subscription went on")
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSubscriber_NackSendsAgain(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("0", "1")})
	for _, topic := range []string{TopicEvents, "ses_a"} {
		c, end := subscribe(t, j, "n", topic, nil)
		var got []string
		for range 3 {
			m := <-c
			got = append(got, m.UUID)
			m.Nack()
		}
		for range 2 {
			m := <-c
			got = append(got, m.UUID)
			m.Ack()
		}
		if want := []string{"ses_a-0", "ses_a-0", "ses_a-0", "ses_a-0", "ses_a-1"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		end()
	}
}

// Names and topics have positions of their own.
func TestSubscriber_PositionsByNameAndTopic(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("0", "1")})
	mustAppend(t, j, Append{Stream: "ses_b", Events: texts("0")})
	first := func(name, topic string) string {
		c, end := subscribe(t, j, name, topic, nil)
		defer end()
		m := <-c
		m.Ack()
		<-c // the next comes when the position is kept
		return m.UUID
	}
	mustAppend(t, j, Append{Stream: "ses_b", Expect: 1, Events: texts("1", "2")})
	for _, c := range []struct{ name, topic, want string }{
		{"x", TopicEvents, "ses_a-0"}, {"x", "ses_b", "ses_b-0"}, {"y", "ses_b", "ses_b-0"},
		{"x", "ses_b", "ses_b-1"}, {"x", TopicEvents, "ses_a-1"}, {"y", TopicEvents, "ses_a-0"},
	} {
		if got := first(c.name, c.topic); got != c.want {
			t.Errorf("%s on %s began with %s, want %s", c.name, c.topic, got, c.want)
		}
	}
}

// Two subscriptions of one name never work at a time, and the second goes on when the first ends.
func TestSubscriber_OneActivePerName(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("0", "1", "2")})
	first, endFirst := subscribe(t, j, "n", TopicEvents, nil)
	m := <-first
	second, endSecond := subscribe(t, j, "n", TopicEvents, nil)
	defer endSecond()
	m.Ack()
	<-first
	select {
	case m := <-second:
		t.Errorf("the second got %s while the first works", m.UUID)
	default:
	}
	endFirst()
	if m := <-second; m.UUID != "ses_a-1" {
		t.Errorf("the second began with %s", m.UUID)
	}
}

// An event that cannot be read is passed over; the others come.
func TestSubscriber_PassesOverDamage(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	j := openFS(t, fs, nil)
	for i := range uint64(3) {
		mustAppend(t, j, Append{Stream: "ses_a", Expect: i, Events: texts("x")})
	}
	if err := j.db.Delete(eventKey("ses_a", 1), pebble.Sync); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openFS(t, fs, nil)
	c, end := subscribe(t, j, "n", TopicEvents, nil)
	defer end()
	for _, want := range []string{"ses_a-0", "ses_a-2"} {
		m := <-c
		if m.UUID != want {
			t.Errorf("got %s, want %s", m.UUID, want)
		}
		m.Ack()
	}
}

// A subscription ends with its context, and with the journal.
func TestSubscriber_Ends(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	for _, o := range []*SubscriberOptions{nil, {Ranges: true}} {
		s := j.Subscriber("n", o)
		ctx, cancel := context.WithCancel(t.Context())
		c, err := s.Subscribe(ctx, TopicEvents)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, more := <-c; more {
			t.Error("an ended subscription gave a message")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := s.Subscribe(t.Context(), TopicEvents); !errors.Is(err, ErrClosed) {
			t.Errorf("subscribing after Close gave %v", err)
		}
	}
	c, _ := subscribe(t, j, "n", "ses_a", nil)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, more := <-c; more {
		t.Error("a closed journal gave a message")
	}
}

// "one message per range": through Watermill's own router, whose handler keeps the
// position in the batch of its rows, fails now and then, and is begun anew.
func TestSubscriber_RangesThroughRouter(t *testing.T) {
	t.Parallel()
	const total = 3000
	j := openMem(t)
	rows := j.Space("rows")
	for begun := range 3 {
		for i := range uint64(total / 3 / 2) {
			mustAppend(t, j, Append{Stream: fmt.Sprint("ses_", begun), Expect: 2 * i, Events: texts("x", "y")})
		}
		runRanges(t, j, rows, uint64(total/3*(begun+1)))
	}
	n := uint64(0)
	for kv, err := range rows.Scan([]byte("e"), []byte("f"), false) {
		if err != nil {
			t.Fatal(err)
		}
		if at := binary.BigEndian.Uint64(kv.Key[1:]); at != n || kv.Value[0] != 1 {
			t.Fatalf("row %d is of position %d, folded %d times", n, at, kv.Value[0])
		}
		n++
	}
	if n != total {
		t.Errorf("%d events were folded, want %d", n, total)
	}
}

func positionIn(rows *Space) (uint64, error) {
	v, ok, err := rows.Get([]byte("position"))
	if err != nil || !ok {
		return 0, err
	}
	return binary.BigEndian.Uint64(v), nil
}

// runRanges folds up to a position with a router of its own.
func runRanges(t *testing.T, j *Journal, rows *Space, until uint64) {
	t.Helper()
	router, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
	if err != nil {
		t.Fatal(err)
	}
	router.AddMiddleware(middleware.Recoverer)
	done := make(chan struct{})
	calls := 0
	sub := j.Subscriber("rows", &SubscriberOptions{Ranges: true, From: func() (uint64, error) { return positionIn(rows) }})
	router.AddConsumerHandler("rows", TopicEvents, sub, func(m *message.Message) error {
		from, to := binary.BigEndian.Uint64(m.Payload), binary.BigEndian.Uint64(m.Payload[8:])
		if calls++; calls%5 == 0 {
			return errors.New("now and then")
		}
		if at, err := positionIn(rows); err != nil || at != from || to <= from || to-from > 256 {
			t.Errorf("the range [%d, %d) came at %d, %v", from, to, at, err)
		}
		if err := foldRange(j, rows, from, to); err != nil {
			return err
		}
		if to == until {
			close(done)
		}
		return nil
	})
	ran := make(chan error, 1)
	go func() { ran <- router.Run(t.Context()) }()
	<-done
	if err := errors.Join(router.Close(), <-ran, sub.Close()); err != nil {
		t.Error(err)
	}
}

// foldRange counts each event, rows and position in one batch.
func foldRange(j *Journal, rows *Space, from, to uint64) error {
	evs, next, err := j.Range(from, int(to-from))
	if err != nil || next != to {
		return fmt.Errorf("the range [%d, %d) ends at %d: %w", from, to, next, err)
	}
	b := rows.NewBatch()
	defer b.Close()
	for i := range evs {
		key := binary.BigEndian.AppendUint64([]byte("e"), from+uint64(i))
		v, ok, err := b.Get(key)
		if err != nil {
			return err
		}
		if !ok {
			v = []byte{0}
		}
		b.Set(key, []byte{v[0] + 1})
	}
	b.Set([]byte("position"), binary.BigEndian.AppendUint64(nil, to))
	return b.Commit(false)
}

// Where the beginning is not known yet it is asked again.
func TestSubscriber_RangesFromFails(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("0", "1", "2")})
	asked := 0
	c, end := subscribe(t, j, "n", TopicEvents, &SubscriberOptions{Ranges: true, From: func() (uint64, error) {
		if asked++; asked < 3 {
			return 0, errors.New("not yet")
		}
		return 1, nil
	}})
	defer end()
	m := <-c
	if from, to := binary.BigEndian.Uint64(m.Payload), binary.BigEndian.Uint64(m.Payload[8:]); from != 1 || to != 3 {
		t.Errorf("the first range is [%d, %d)", from, to)
	}
	m.Ack()
}

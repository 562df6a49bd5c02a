// Package journaltest is the contract of a journal as a suite of tests that
// anyone who writes one, or stands something in for it, can run.
package journaltest

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A Log is what the suite asks of a journal; *journal.Journal is one.
type Log interface {
	Append(ctx context.Context, a journal.Append) (journal.Appended, error)
	AppendAsync(a journal.Append, done func(journal.Appended, error))
	Hold(stream string) (uint64, error)
	Release(stream string)
	Head(stream string) (uint64, error)
	Read(stream string, from, to uint64) ([]journal.Line, error)
	Follow(ctx context.Context, stream string, from uint64) iter.Seq2[[]journal.Line, error]
	Position() uint64
	Range(from uint64, max int) ([]*events.Event, uint64, error)
	Wait(ctx context.Context, at uint64) error
	Lookup(ctx context.Context, key string, now time.Time) ([]byte, bool, error)
	Marks() iter.Seq2[journal.Mark, error]
	Mark(stream string) ([]byte, error)
	Streams(prefix string) iter.Seq2[journal.Stream, error]
	Snapshot(stream string) (uint64, []byte, bool, error)
	PutSnapshot(stream string, index uint64, state []byte) error
	Close() error
}

var _ Log = (*journal.Journal)(nil)

// A Root opens one state root, which is new and empty at the first call; it is
// called again after Close.
type Root func() (Log, error)

// Run runs the whole contract. Fresh makes a new root for each test.
func Run(t *testing.T, fresh func(t *testing.T) Root) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(*testing.T, *bench)
	}{
		{"Bounds", testBounds},
		{"RangeBounds", testRangeBounds},
		{"FollowBounds", testFollowBounds},
		{"UnencodableEvent", testUnencodable},
		{"MovedIndex", testMoved},
		{"IDs", testIDs},
		{"BadIDs", testBadIDs},
		{"Restart", testRestart},
		{"DenseOverFailures", testDense},
		{"OneWinnerPerIndex", testOneWinner},
		{"DoneInOrder", testDoneInOrder},
		{"DumpIsPrefix", testPrefix},
		{"ReadersAtRandomMoments", testReaders},
		{"Reconnect", testReconnect},
		{"RangeSeesAllOnce", testRangeAll},
		{"Lines", testLines},
		{"Claims", testClaims},
		{"ClaimAndEventsTogether", testClaimAtomic},
		{"ClaimRace", testClaimRace},
		{"Marks", testMarks},
		{"Streams", testStreams},
		{"Snapshots", testSnapshots},
		{"HoldAndRelease", testHold},
		{"Closed", testClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := &bench{t: t, root: fresh(t)}
			b.reopen()
			t.Cleanup(func() { b.ok(b.Close()) })
			c.test(t, b)
		})
	}
}

// A bench is a log under test.
type bench struct {
	Log
	t    *testing.T
	root Root
}

// reopen closes the log, if it is open, and opens the root again.
func (b *bench) reopen() {
	b.t.Helper()
	if b.Log != nil {
		b.ok(b.Close())
	}
	l, err := b.root()
	if err != nil {
		b.t.Fatalf("opening the root: %v", err)
	}
	b.Log = l
}

func (b *bench) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// at is the time of all events here.
var at = time.Date(2026, 7, 1, 12, 0, 0, 123_000_000, time.UTC)

// texts are messages, one event each.
func texts(s ...string) []events.Event {
	out := make([]events.Event, len(s))
	for i := range s {
		out[i] = events.New("", at, &events.MessageReceived{Text: s[i], From: events.FromUser})
	}
	return out
}

// put appends events and must succeed.
func (b *bench) put(stream string, expect uint64, evs ...events.Event) journal.Appended {
	b.t.Helper()
	r, err := b.Append(context.Background(), journal.Append{Stream: stream, Expect: expect, Events: evs})
	b.ok(err)
	return r
}

// dump is the whole log.
func (b *bench) dump(stream string) []journal.Line {
	b.t.Helper()
	head, err := b.Head(stream)
	b.ok(err)
	lines, err := b.Read(stream, 0, head)
	b.ok(err)
	if uint64(len(lines)) != head {
		b.t.Fatalf("%s: head is %d, but %d lines are there", stream, head, len(lines))
	}
	return lines
}

// checkDense says that the lines are the events from on of the stream.
func (b *bench) checkDense(stream string, from uint64, lines []journal.Line) {
	b.t.Helper()
	for i, l := range lines {
		e, err := events.Decode(l.Data)
		if err != nil {
			b.t.Fatalf("%s, line %d: %v", stream, i, err)
		}
		if e.Index != from+uint64(i) || e.SessionID != stream {
			b.t.Fatalf("%s, line %d: it is event %d of %s, want %d", stream, i, e.Index, e.SessionID, from+uint64(i))
		}
	}
}

// follow reads n lines from an index on.
func (b *bench) follow(ctx context.Context, stream string, from uint64, n int) ([]journal.Line, error) {
	var out []journal.Line
	if n == 0 {
		return nil, nil
	}
	for lines, err := range b.Follow(ctx, stream, from) {
		if err != nil {
			return out, err
		}
		if out = append(out, lines...); len(out) >= n {
			break
		}
	}
	return out, nil
}

func sameLines(a, b []journal.Line) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if string(a[i].Data) != string(b[i].Data) || a[i].Last != b[i].Last {
			return false
		}
	}
	return true
}

package projections

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var testLog = zerolog.Nop()

var testTime = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// sessionID gives the n-th id of a test.
func sessionID(n int) string { return fmt.Sprintf("ses_%026d", n) }

func openJournal(t testing.TB, fs vfs.FS) *journal.Journal {
	t.Helper()
	j, err := journal.Open("root", &journal.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

// startViews closes them before the journal, since clean-ups run backwards.
func startViews(t testing.TB, j *journal.Journal, extra ...Projection) *Views {
	t.Helper()
	return startPriced(t, j, nil, extra...)
}

func startPriced(t testing.TB, j *journal.Journal, prices Prices, extra ...Projection) *Views {
	t.Helper()
	v, err := Start(t.Context(), &Options{Journal: j, Extra: extra, Prices: prices, Logger: testLog})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeViews(t, v) })
	return v
}

// testPrices are what a token costs, in millionths of a dollar; a model that is not
// there has no price.
type testPrices map[string]int64

func (p testPrices) Price(model string, u events.Usage) (int64, bool) {
	each, ok := p[model]
	return each * 1e6 * u.Total(), ok
}

func closeViews(t testing.TB, v *Views) {
	t.Helper()
	if err := v.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// within bounds a wait: a test that hangs says where.
func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func waitFor(t testing.TB, v *Views, position uint64) {
	t.Helper()
	if err := v.WaitFor(within(t), position); err != nil {
		t.Fatal(err)
	}
}

// caughtUp waits until the views stand at the head of the log.
func caughtUp(t testing.TB, v *Views, j *journal.Journal) {
	t.Helper()
	waitFor(t, v, j.Position())
}

// add appends to the end of a log and gives the position after it.
func add(t testing.TB, j *journal.Journal, stream string, evs ...events.Event) uint64 {
	t.Helper()
	head, err := j.Head(stream)
	if err != nil {
		t.Fatal(err)
	}
	at, err := j.Append(context.Background(), journal.Append{Stream: stream, Expect: head, Events: evs})
	if err != nil {
		t.Fatal(err)
	}
	return at.Position
}

func ev(turn string, data events.Payload) events.Event { return events.New(turn, testTime, data) }

// opening and reply are the two appends of a plain turn, eight events in all.
func opening(turn string) []events.Event {
	return []events.Event{
		ev("", &events.SessionStarted{
			Agent: "reviewer", ChannelID: "http", Mode: events.ModeChat, Purpose: events.PurposeLive,
			Title: "Review 42", Principal: events.Principal{Kind: "local", ID: "local"},
		}),
		ev(turn, &events.MessageReceived{Text: "Please review pull request 42 and tell me what to change.", From: events.FromUser}),
		ev(turn, &events.TurnStarted{Model: "scripted"}),
		ev(turn, &events.StepStarted{Step: 1, Attempt: 1}),
	}
}

func reply(turn string) []events.Event {
	usage := &events.Usage{InputTokens: 900, OutputTokens: 40}
	return []events.Event{
		ev(turn, &events.MessageCompleted{Text: "The linker ran out of memory; build with two jobs.", FinishReason: events.FinishStop}),
		ev(turn, &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: events.FinishStop, Usage: usage}),
		ev(turn, &events.TurnCompleted{Usage: usage, Cost: &events.Cost{TotalUSD: 0.000123, Model: "scripted"}}),
		ev("", &events.SessionWaiting{}),
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
